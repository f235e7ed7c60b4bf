// CIFAR-10 from its public forms.
#include <nlohmann/json.hpp>

#include "nw/data/public_sets.hpp"

#include "io/failure.hpp"
#include "io/image.hpp"
#include "io/json_file.hpp"

namespace nw::data {
namespace {

constexpr std::size_t kSide = 32, kPixels = kSide * kSide, kChannels = 3;
constexpr std::size_t kPerBatch = 10000, kClasses = 10;

std::vector<std::string> batch_names(Split split) {
  if (split == Split::test) return {"test_batch"};
  std::vector<std::string> names;
  for (int b = 1; b <= 5; ++b) names.push_back("data_batch_" + std::to_string(b));
  return names;
}

// Records of a label and three planes of 32 x 32.
void append_binary(const std::filesystem::path& path, ByteImages& set) {
  const std::string bytes = read_unpacked(path);
  constexpr std::size_t kRecord = 1 + kPixels * kChannels;
  if (bytes.size() != kPerBatch * kRecord) {
    io::fail(path.string(), "has ", bytes.size(), " bytes, not ", kPerBatch * kRecord);
  }
  for (std::size_t i = 0; i < kPerBatch; ++i) {
    const char* record = bytes.data() + i * kRecord;
    set.labels.push_back(static_cast<std::uint8_t>(record[0]));
    for (std::size_t p = 0; p < kPixels; ++p) {
      for (std::size_t c = 0; c < kChannels; ++c) {
        set.pixels.push_back(static_cast<std::uint8_t>(record[1 + c * kPixels + p]));
      }
    }
  }
}

// One image a row of 1024 pixels.
void append_picture(const std::filesystem::path& path, ByteImages& set) {
  const io::Pixels picture = io::decode_png(read_unpacked(path), path.string());
  if (picture.shape != io::ImageShape{kPerBatch, kPixels, kChannels}) {
    io::fail(path.string(), "is a picture of ", picture.shape.width, " x ", picture.shape.height,
             ", not ", kPixels, " x ", kPerBatch, " in colour");
  }
  set.pixels.insert(set.pixels.end(), picture.values.begin(), picture.values.end());
}

void read_label_list(const std::filesystem::path& path, ByteImages& set) {
  const nlohmann::json list = io::read_json(path);
  if (!list.is_array()) io::fail(path.string(), "is not a list of labels");
  for (const nlohmann::json& label : list) {
    if (!label.is_number_unsigned()) {
      io::fail(path.string(), "label ", set.labels.size() + 1, " is ", label.dump());
    }
    set.labels.push_back(label.get<std::uint8_t>());
  }
}

}  // namespace

ByteImages load_cifar10(const std::filesystem::path& folder, Split split) {
  ByteImages set{.shape = {kSide, kSide, kChannels}, .pixels = {}, .labels = {}};
  const auto names = batch_names(split);
  set.pixels.reserve(names.size() * kPerBatch * kPixels * kChannels);
  const bool binary = std::filesystem::exists(folder / (names[0] + ".bin"));
  if (!binary && !std::filesystem::exists(folder / (names[0] + ".png"))) {
    io::fail(folder.string(), "has neither ", names[0], ".bin nor ", names[0], ".png");
  }
  for (const std::string& name : names) {
    if (binary) {
      append_binary(folder / (name + ".bin"), set);
    } else {
      append_picture(folder / (name + ".png"), set);
    }
  }
  if (!binary) {
    // Spelt so by the public package.
    read_label_list(folder / (std::string(to_string(split)) + "_lables.json"), set);
  }
  if (set.labels.size() * set.image_bytes() != set.pixels.size()) {
    io::fail(folder.string(), "has ", set.labels.size(), " labels for ",
             set.pixels.size() / set.image_bytes(), " images");
  }
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (set.labels[i] >= kClasses) {
      io::fail(folder.string(), "image ", i + 1, " has label ", int{set.labels[i]},
               "; CIFAR-10 has ", kClasses, " classes");
    }
  }
  return set;
}

}  // namespace nw::data
