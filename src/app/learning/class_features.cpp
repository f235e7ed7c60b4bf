#include "app/learning/class_features.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/io/image_file.hpp"
#include "nw/nn/window_features.hpp"
#include "nw/record/projection.hpp"

namespace nw::app {
namespace {

namespace fs = std::filesystem;

nn::ImageSize size_of(const io::PointSet& images) {
  require(images.image.has_value(), images.source, " holds no images: a backbone needs some");
  return {static_cast<std::int64_t>(images.image->height),
          static_cast<std::int64_t>(images.image->width),
          static_cast<std::int64_t>(images.image->channels)};
}

torch::Tensor features_tensor(const io::PointSet& images, const FeatureSettings& how) {
  if (how.go_on && !how.go_on()) throw InterruptedFeatures{};
  const auto rows = bridge::to_tensor(images.values);
  require(how.windows == 1 || how.windows == 4, "FeatureSettings.windows must be 1 or 4, got ",
          how.windows);
  return how.windows == 4 ? nn::mean_window_features(how.backbone, rows, size_of(images), how.side)
                          : nn::frozen_features(how.backbone, rows, size_of(images), how.side);
}

std::vector<fs::path> image_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    std::string suffix = entry.path().extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (suffix == ".jpg" || suffix == ".jpeg" || suffix == ".png") files.push_back(entry.path());
  }
  if (error) throw IoError(concat(folder.string(), ": cannot be read: ", error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

/// What becomes of some images of one size.
using ImageUse = std::function<torch::Tensor(const io::PointSet&)>;

/// Images of all sizes, one after the other.
torch::Tensor from_folder(const fs::path& folder, std::size_t limit, const ImageUse& use) {
  const auto files = image_files(folder);
  if (files.empty()) throw IoError(concat(folder.string(), ": holds no JPEG or PNG images"));
  std::vector<torch::Tensor> rows;
  for (const auto i : record::spread_indices(files.size(), limit == 0 ? files.size() : limit)) {
    rows.push_back(use(io::load_image(files[i])));
  }
  return torch::cat(rows);
}

torch::Tensor from_sheet(const ClassImages& images, std::size_t limit, const ImageUse& use) {
  io::LoadOptions options;
  options.tiles = images.tiles;
  auto all = io::load_points(images.path, options);
  const auto chosen = record::spread_indices(all.size(), limit == 0 ? all.size() : limit);
  all.values = rows_at(all.values, chosen);
  return use(all);
}

torch::Tensor from_class(const ClassImages& images, std::size_t limit, const ImageUse& use) {
  return images.tiles.given() ? from_sheet(images, limit, use)
                              : from_folder(images.path, limit, use);
}

torch::Tensor bytes_of(const io::PointSet& images, std::int64_t side) {
  const torch::NoGradGuard no_grad;
  const auto seen = nn::backbone_images(bridge::to_tensor(images.values), size_of(images), side);
  return (seen * 255.0).round().clamp(0.0, 255.0).to(torch::kUInt8);
}

}  // namespace

io::PointSet features_of(const io::PointSet& images, const FeatureSettings& how) {
  io::PointSet table;
  table.values = bridge::to_matrix(features_tensor(images, how));
  table.labels = images.labels;
  table.weights = images.weights;
  table.source = concat(images.source, ", features of ", to_string(how.backbone.options().kind));
  return table;
}

io::PointSet class_features(const std::vector<ClassImages>& classes, std::size_t limit,
                            const FeatureSettings& how) {
  std::vector<torch::Tensor> parts;
  io::PointSet table;
  table.labels.emplace();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    parts.push_back(from_class(classes[c], limit, [&](const io::PointSet& images) {
      return features_tensor(images, how);
    }));
    table.labels->values.insert(table.labels->values.end(),
                                static_cast<std::size_t>(parts.back().size(0)),
                                static_cast<std::int32_t>(c));
  }
  table.values = bridge::to_matrix(torch::cat(parts));
  table.source = concat(classes.front().path.parent_path().string(), ", features of ",
                        to_string(how.backbone.options().kind));
  return table;
}

LabelledImages class_images(const std::vector<ClassImages>& classes, std::size_t limit,
                            std::int64_t side, const std::function<bool()>& go_on) {
  std::vector<torch::Tensor> parts;
  LabelledImages result;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    parts.push_back(from_class(classes[c], limit, [&](const io::PointSet& images) {
      if (go_on && !go_on()) throw InterruptedFeatures{};
      return bytes_of(images, side);
    }));
    result.labels.insert(result.labels.end(), static_cast<std::size_t>(parts.back().size(0)),
                         static_cast<std::uint8_t>(c));
  }
  result.bytes = torch::cat(parts);
  return result;
}

}  // namespace nw::app
