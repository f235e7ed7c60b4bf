// MNIST-M: digits blended into patches of natural pictures (Ganin and Lempitsky 2015, section 4).
#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/data/sha256.hpp"

#include "io/failure.hpp"
#include "io/image.hpp"

namespace nw::data {
namespace {

constexpr std::size_t kPadding = 2;
constexpr std::size_t kPatchBytes = 5;
constexpr std::size_t kMostPictures = 256;

}  // namespace

Backgrounds load_backgrounds(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const auto suffix = entry.path().extension().string();
    if (suffix == ".jpg" || suffix == ".jpeg") files.push_back(entry.path());
  }
  if (error) io::fail(folder.string(), "cannot be listed: ", error.message());
  if (files.empty()) io::fail(folder.string(), "has no JPEG pictures");
  if (files.size() > kMostPictures) {
    io::fail(folder.string(), "has ", files.size(), " pictures; at most ", kMostPictures,
             " can be named by a patch");
  }
  std::ranges::sort(files);
  Backgrounds backgrounds;
  for (const auto& file : files) {
    io::Pixels picture = io::with_channels(io::decode_jpeg(read_unpacked(file), file.string()), 3);
    if (picture.shape.height < kMnistMSide || picture.shape.width < kMnistMSide) {
      io::fail(file.string(), "is ", picture.shape.width, " x ", picture.shape.height,
               " pixels, smaller than a patch of ", kMnistMSide);
    }
    backgrounds.shapes.push_back(picture.shape);
    backgrounds.pixels.push_back(std::move(picture.values));
  }
  return backgrounds;
}

std::vector<Patch> read_patches(const std::filesystem::path& path) {
  const std::string bytes = read_unpacked(path);
  if (bytes.empty() || bytes.size() % kPatchBytes != 0) {
    io::fail(path.string(), "has ", bytes.size(), " bytes, not a positive multiple of ",
             kPatchBytes);
  }
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  std::vector<Patch> patches;
  for (std::size_t at = 0; at < bytes.size(); at += kPatchBytes) {
    patches.push_back({.picture = byte(at),
                       .top = static_cast<std::uint16_t>(byte(at + 1) | byte(at + 2) << 8),
                       .left = static_cast<std::uint16_t>(byte(at + 3) | byte(at + 4) << 8)});
  }
  return patches;
}

std::vector<Patch> draw_patches(const Backgrounds& backgrounds, std::size_t count, Rng& rng) {
  require(!backgrounds.shapes.empty(), "patches need at least one background picture");
  std::vector<Patch> patches(count);
  for (Patch& patch : patches) {
    patch.picture = static_cast<std::uint8_t>(rng.below(backgrounds.shapes.size()));
    const io::ImageShape& shape = backgrounds.shapes[patch.picture];
    patch.top = static_cast<std::uint16_t>(rng.below(shape.height - kMnistMSide + 1));
    patch.left = static_cast<std::uint16_t>(rng.below(shape.width - kMnistMSide + 1));
  }
  return patches;
}

ByteImages build_mnist_m(const ByteImages& digits, const Backgrounds& backgrounds,
                         const std::vector<Patch>& patches) {
  constexpr std::size_t kSide = kMnistMSide, kDigit = kSide - 2 * kPadding;
  require(digits.shape == io::ImageShape{kDigit, kDigit, 1}, "MNIST-M is made of grey images of ",
          kDigit, " x ", kDigit, " pixels");
  require(patches.size() <= digits.size(), patches.size(), " patches for ", digits.size(),
          " digits");
  ByteImages set{.shape = {kSide, kSide, 3},
                 .pixels = std::vector<std::uint8_t>(patches.size() * kSide * kSide * 3),
                 .labels = {digits.labels.begin(),
                            digits.labels.begin() + static_cast<std::ptrdiff_t>(patches.size())}};
  std::uint8_t* out = set.pixels.data();
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const Patch& patch = patches[i];
    require(patch.picture < backgrounds.shapes.size(), "patch ", i, " names picture ",
            int{patch.picture}, " of ", backgrounds.shapes.size());
    const io::ImageShape& shape = backgrounds.shapes[patch.picture];
    require(patch.top + kSide <= shape.height && patch.left + kSide <= shape.width, "patch ", i,
            " at ", patch.top, ", ", patch.left, " leaves picture ", int{patch.picture});
    const auto digit = digits.image(i);
    for (std::size_t y = 0; y < kSide; ++y) {
      const std::uint8_t* row = backgrounds.pixels[patch.picture].data() +
                                ((patch.top + y) * shape.width + patch.left) * 3;
      for (std::size_t x = 0; x < kSide; ++x) {
        const bool inside =
            y >= kPadding && y < kPadding + kDigit && x >= kPadding && x < kPadding + kDigit;
        const bool ink = inside && digit[(y - kPadding) * kDigit + (x - kPadding)] != 0;
        for (std::size_t c = 0; c < 3; ++c, ++row) {
          *out++ = ink ? static_cast<std::uint8_t>(255 - *row) : *row;
        }
      }
    }
  }
  return set;
}

bool is_published_mnist_m(const ByteImages& images, Split split) {
  return sha256(std::as_bytes(std::span(images.pixels))) ==
         (split == Split::train
              ? "3c689850ded80df111260294d02c79ee0a6e602a9fd634c4e08e1339628f8d33"
              : "47415b066fe8a39de3f0e86f65a72d4c4078f1e2557a388ca0a7cfd8dfe90b14");
}

ImbalancedSetting imbalanced_setting(int modes) {
  switch (modes) {
    case 3:
      return {{1, 4, 8}, {0.63, 0.31, 0.06}, {0.06, 0.31, 0.63}};
    case 5:
      return {{0, 2, 4, 6, 8}, {0.33, 0.26, 0.2, 0.13, 0.06}, {0.06, 0.13, 0.2, 0.26, 0.33}};
    case 10:
      return {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
              {0.15, 0.15, 0.15, 0.12, 0.12, 0.11, 0.05, 0.05, 0.05, 0.05},
              {0.05, 0.05, 0.05, 0.05, 0.11, 0.12, 0.12, 0.15, 0.15, 0.15}};
    default:
      throw InvalidArgument(concat("the paper has settings of 3, 5 and 10 modes, not ", modes));
  }
}

}  // namespace nw::data
