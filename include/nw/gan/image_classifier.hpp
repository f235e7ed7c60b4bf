// A small classifier of images, learnt in seconds: tells which source a generated image looks like.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/classifier.hpp"
#include "nw/nn/feature_network.hpp"

namespace nw::gan {

struct ImageClassifierOptions {
  nn::ImageSize image = {};
  std::int64_t classes = 2;  ///< at least 2
  std::int64_t batch = 128;  ///< positive
  std::int64_t steps = 600;  ///< positive
  double rate = 1e-3;        ///< of Adam. Positive.
  /// Deviation of the normal noise on images while it learns, in their range [-1, 1]: keeps it from
  /// relying on the finest details, in which generated images differ from real ones. Not negative.
  double noise = 0.1;
  /// Share of the rows kept aside to measure it on. In (0, 1).
  double held_out = 0.1;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Rows [n, height * width * channels] in [-1, 1] with the class of each.
struct LabelledImages {
  torch::Tensor rows;
  std::vector<std::int64_t> classes;
};

/// LeNet with batch norm, trained by cross-entropy with all classes equally often in a batch.
class ImageClassifier {
 public:
  ImageClassifier(const ImageClassifierOptions& options, const LabelledImages& images,
                  const Rng& rng, const torch::Device& device);

  /// Probabilities of the classes: [n, classes] on the CPU.
  [[nodiscard]] torch::Tensor probabilities(const torch::Tensor& rows) const;
  /// The likeliest class of each row: [n] on the CPU.
  [[nodiscard]] torch::Tensor classify(const torch::Tensor& rows) const;
  /// On the rows kept aside, mean over classes.
  [[nodiscard]] double held_out_accuracy() const noexcept { return accuracy_; }

 private:
  [[nodiscard]] torch::Tensor as_images(const torch::Tensor& rows) const;

  ImageClassifierOptions options_;
  torch::Device device_;
  std::unique_ptr<nn::FeatureNetwork> features_;
  nn::Classifier classifier_;
  double accuracy_ = 0.0;
};

}  // namespace nw::gan
