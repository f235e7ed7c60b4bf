#include "experiments/learning/image_sets.hpp"

#include <algorithm>
#include <filesystem>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/io/image_file.hpp"
#include "nw/io/points.hpp"

namespace nw::experiments {
namespace {

namespace fs = std::filesystem;
using torch::Tensor;

constexpr std::size_t kSide = 32, kColumns = 50;

/// Files of a folder that begin and end so, sorted by name.
std::vector<fs::path> files_like(const fs::path& folder, const std::string& start,
                                 const std::string& end) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(start) && name.ends_with(end)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Tensor to_network(const Tensor& unit) {
  return unit * 2.0 - 1.0;
}

Tensor load_sheets(const std::vector<fs::path>& sheets, std::size_t limit) {
  std::vector<Tensor> parts;
  std::size_t count = 0;
  for (const auto& sheet : sheets) {
    if (limit > 0 && count >= limit) break;
    io::LoadOptions options;
    options.tiles = {.width = kSide, .height = kSide, .columns = kColumns};
    parts.push_back(to_network(bridge::to_tensor(io::load_points(sheet, options).values)));
    count += static_cast<std::size_t>(parts.back().size(0));
  }
  const auto rows = torch::cat(parts);
  return limit > 0 && count > limit ? rows.narrow(0, 0, static_cast<std::int64_t>(limit)).clone()
                                    : rows;
}

Tensor to_tensor(const data::ByteImages& images, std::size_t limit) {
  const auto count = limit > 0 ? std::min(limit, images.size()) : images.size();
  const auto bytes = static_cast<std::int64_t>(images.image_bytes());
  Tensor rows = torch::empty({static_cast<std::int64_t>(count), bytes}, torch::kUInt8);
  std::copy_n(images.pixels.begin(), count * images.image_bytes(), rows.data_ptr<std::uint8_t>());
  return to_network(rows.to(torch::kFloat32) / 255.0);
}

/// The square in the middle of a face, shrunk to 32 x 32.
Tensor small_face(const fs::path& file) {
  const auto image = io::load_image(file);
  const auto height = static_cast<std::int64_t>(image.image->height);
  const auto width = static_cast<std::int64_t>(image.image->width);
  const std::int64_t side = std::min(height, width), small = kSide;
  auto pixels = bridge::to_tensor(image.values).view({1, height, width, -1}).permute({0, 3, 1, 2});
  pixels = pixels.narrow(2, (height - side) / 2, side).narrow(3, (width - side) / 2, side);
  return to_network(at::adaptive_avg_pool2d(pixels, {small, small}))
      .permute({0, 2, 3, 1})
      .reshape({1, -1});
}

}  // namespace

Tensor load_cifar_rows(const std::string& given, std::size_t limit) {
  fs::path folder = fs::path(given) / "cifar10_subset";
  if (given.empty() || !fs::is_directory(folder)) folder = data::find_data_folder(given, "cifar10");
  const auto sheets = files_like(folder, "cifar10_train_", ".jpg");
  if (!sheets.empty()) return load_sheets(sheets, limit);
  return to_tensor(data::load_cifar10(folder, data::Split::train), limit);
}

Tensor load_celeba_rows(const std::string& given, std::size_t limit) {
  fs::path folder = fs::path(given) / "celeba_subset";
  if (given.empty() || !fs::is_directory(folder)) folder = data::find_data_folder(given, "celeba");
  if (fs::is_directory(folder / "img_align_celeba")) folder /= "img_align_celeba";
  const auto sheets = files_like(folder, "celeba32_", ".jpg");
  if (!sheets.empty()) return load_sheets(sheets, limit);
  auto faces = files_like(folder, "", ".jpg");
  if (faces.empty()) {
    throw IoError(concat(folder.string(),
                         ": holds neither sheets celeba32_*.jpg nor the aligned faces of CelebA"));
  }
  if (limit > 0 && faces.size() > limit) faces.resize(limit);
  std::vector<Tensor> rows;
  for (const auto& face : faces) rows.push_back(small_face(face));
  return torch::cat(rows);
}

std::string find_weight_file(const std::string& given, const std::string& name) {
  const fs::path folder(given);
  for (const auto& file : {folder / "weights" / name, folder / name}) {
    if (fs::exists(file)) return file.string();
  }
  throw IoError(concat(given.empty() ? "`data`" : given, ": there is no ", name,
                       " in it nor in a folder 'weights' of it (docs/backbones.md)"));
}

}  // namespace nw::experiments
