// How good generated images are, judged by a classifier.
#pragma once

#include <cstddef>
#include <string>

#include "nw/io/points.hpp"

namespace nw::app {

struct ScoreOptions {
  /// File of the classifier: Inception-v3 as torchvision names it, or ResNet-56 for CIFAR-10.
  std::string weights = {};
  std::size_t count = 0;  ///< the first images of each set; 0: all
  std::string device = "auto";
  int threads = 0;  ///< 0: all cores
};

struct ImageSetScores {
  std::string space = {};  ///< the classifier
  /// In the space of Inception, whose scores papers publish; others compare with each other only.
  bool published = false;
  std::string score_name = {}, distance_name = {};
  std::size_t images = 0, real_images = 0;
  double score = 0.0, deviation = 0.0;  ///< of the classes: sure of each image, unsure of all
  double distance = 0.0;                ///< Frechet, to the real images
};

/// Both sets hold images with values in [0, 1]. Throws InvalidArgument where they do not, IoError
/// for weights that cannot be used.
[[nodiscard]] ImageSetScores score_image_sets(const io::PointSet& generated,
                                              const io::PointSet& real,
                                              const ScoreOptions& options);

/// Fields of the JSON object that tells of the scores. Only those in the space of Inception are
/// called inception_score and fid.
[[nodiscard]] std::string score_fields(const ImageSetScores& scores);

}  // namespace nw::app
