// Images as a classifier with learnt weights sees them, and their scores in its space.
#pragma once

#include <memory>
#include <string>

#include "nw/nn/backbone.hpp"
#include "nw/score/image_scores.hpp"

namespace nw::app {

/// A classifier whose features and probabilities score images.
struct ScoreSpace {
  std::unique_ptr<nn::Backbone> network;
  /// "Inception" or, for any other network, its own name: only the first gives the published
  /// scores.
  std::string name;
  std::int64_t side = 0;  ///< images go to side x side pixels; 0: keep their size

  [[nodiscard]] bool is_inception() const;
  [[nodiscard]] std::string score_name() const;     ///< "Inception Score" or "ResNet-56 score"
  [[nodiscard]] std::string distance_name() const;  ///< "FID" or "ResNet-56 Frechet distance"
};

/// From a file of weights with a last layer. Throws IoError.
[[nodiscard]] ScoreSpace load_score_space(const std::string& weights, const torch::Device& device);

/// What the network sees in images.
struct SeenImages {
  Matrix features;       ///< [n, d]
  Matrix probabilities;  ///< [n, classes]
};

/// Rows with values in [0, 1]: [n, height * width * channels].
[[nodiscard]] SeenImages see(const ScoreSpace& space, const torch::Tensor& rows,
                             const nn::ImageSize& size);

struct ImageScores {
  score::ClassScore score;
  double distance = 0.0;  ///< Frechet, to the real images
};

/// In ten parts, or in one where there are fewer than a thousand images.
[[nodiscard]] ImageScores score_images(const SeenImages& generated,
                                       const score::FeatureMoments& real);

}  // namespace nw::app
