// Which component made an image, according to a classifier that learnt from the components' own
// images.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/gan/image_classifier.hpp"
#include "nw/nn/mixture_generator.hpp"

namespace nw::gan {

struct RecognitionOptions {
  /// Images of each component that the classifier learns from. At least 2.
  std::int64_t images = 10000;
  /// How it learns; `image` and `classes` are those of the components.
  ImageClassifierOptions classifier = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Components with their learnt proportions. Both must outlive it.
struct LearntMixture {
  const nn::MixtureGenerator& generator;
  const std::vector<double>& pi;
};

struct Recognition {
  torch::Tensor membership;                 ///< p(j | x), [n, k] on the CPU
  std::vector<std::uint32_t> component_of;  ///< [n], the likeliest
  /// How often the classifier names the component of a generated image it did not learn from: 1
  /// where components make different images, 1/k where they make the same.
  double accuracy = 0.0;
};

/// p(j | x) = pi_j p_j(x) / sum_l pi_l p_l(x) of the learnt mixture [NW:mix], for rows in network
/// space. Components that are networks have no density to evaluate, but the classifier of least
/// cross-entropy on their samples is this ratio. The paper's rule [NW:assign] asks instead who
/// makes the nearest image, pixel by pixel, which needs components that make every single image
/// well. The classifier learns where the components are.
[[nodiscard]] Recognition recognise(const LearntMixture& mixture, const torch::Tensor& rows,
                                    const RecognitionOptions& options, const Rng& rng);

}  // namespace nw::gan
