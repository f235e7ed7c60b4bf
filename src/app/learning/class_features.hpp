// Labelled images for backbones: as features of one that stays as it is, computed once for all
// methods and seeds, or as images for one that is fine-tuned.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/nn/backbone.hpp"

namespace nw::app {

/// How images become features of a frozen backbone.
struct FeatureSettings {
  const nn::Backbone& backbone;
  std::int64_t side = 0;     ///< images go to side x side pixels; 0: keep their size
  std::int64_t windows = 1;  ///< 4: nn::mean_window_features
  /// Called now and then; false asks to stop, which throws InterruptedFeatures.
  std::function<bool()> go_on = {};
};

struct InterruptedFeatures {};

/// Images in memory as a table of features; labels and weights stay.
[[nodiscard]] io::PointSet features_of(const io::PointSet& images, const FeatureSettings& how);

/// The images of one class: the files of a folder, of any sizes, or the tiles of a sheet.
struct ClassImages {
  std::filesystem::path path;
  io::TileGrid tiles = {};  ///< of a sheet
};

/// Images of several classes as bytes, brought to one size, labelled by their numbers from 0.
struct LabelledImages {
  torch::Tensor bytes;  ///< [n, 3, side, side]
  std::vector<std::uint8_t> labels;
};

/// At most `limit` images of each class, evenly spread (0: all). Throws IoError for a class without
/// images.
[[nodiscard]] LabelledImages class_images(const std::vector<ClassImages>& classes,
                                          std::size_t limit, std::int64_t side,
                                          const std::function<bool()>& go_on);

/// Features of several classes, labelled by their numbers from 0. At most `limit` images of each,
/// evenly spread (0: all). Throws IoError for a class without images.
[[nodiscard]] io::PointSet class_features(const std::vector<ClassImages>& classes,
                                          std::size_t limit, const FeatureSettings& how);

}  // namespace nw::app
