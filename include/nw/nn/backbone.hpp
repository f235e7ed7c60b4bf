// Networks whose weights were learnt elsewhere, on millions of images: from images to features.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/image_size.hpp"
#include "nw/nn/parameters.hpp"

namespace nw::nn {

/// `resnet18` (He et al. 2016) and `inception_v3` (Szegedy et al. 2016) have the tensors of
/// torchvision's networks of these names; `mobilenet` is MobileNet-v1 (Howard et al. 2017) with the
/// tensors that Keras gives it; `cifar_resnet` is the family of He et al. for CIFAR-10, of which
/// ResNet-56 is one.
enum class BackboneKind { resnet18, mobilenet, cifar_resnet, inception_v3 };

[[nodiscard]] const char* to_string(BackboneKind kind);
[[nodiscard]] BackboneKind backbone_kind_from_string(const std::string& name);
/// The side of the smallest images that a network can take.
[[nodiscard]] std::int64_t smallest_side(BackboneKind kind);

/// The side of images that ImageNet's networks were made for.
inline constexpr std::int64_t kBackboneSide = 224;

/// What a file of weights holds.
using NamedTensors = std::map<std::string, torch::Tensor>;

struct BackboneOptions {
  BackboneKind kind = BackboneKind::resnet18;
  /// Classes of the layer after the features; 0: there is none. Not negative.
  std::int64_t classes = 1000;
  /// MobileNet: factor of all channel counts. Positive.
  double width = 0.75;
  /// `cifar_resnet`: blocks of a stage, n of 6n + 2 layers. Positive.
  std::int64_t blocks = 9;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// The options that weights were made for. Throws InvalidArgument when they belong to no network
/// known here.
[[nodiscard]] BackboneOptions backbone_options(const NamedTensors& weights);

class Backbone {
 public:
  explicit Backbone(const BackboneOptions& options) : options_(options) {}
  virtual ~Backbone() = default;

  /// Colour images with values in [0, 1], at least 32 x 32: [n, 3, height, width] ->
  /// [n, feature_dim]. Batch norm always uses what was tracked when the weights were learnt, so
  /// that features of an image do not depend on the others; gradients reach every parameter.
  [[nodiscard]] virtual torch::Tensor features(const torch::Tensor& images) const = 0;
  [[nodiscard]] virtual std::int64_t feature_dim() const = 0;
  /// The last layer: [n, feature_dim] -> [n, classes]. Throws InvalidArgument without one.
  [[nodiscard]] virtual torch::Tensor logits(const torch::Tensor& features) const = 0;

  /// Copies weights, of any floating type. The last layer may be absent from them, and counters
  /// that batch norm keeps may be there; anything else missing, surplus or of another shape throws
  /// InvalidArgument naming the tensor.
  void load(const NamedTensors& weights);

  [[nodiscard]] const BackboneOptions& options() const noexcept { return options_; }
  /// What fine-tuning moves.
  [[nodiscard]] ParameterSet& parameters() noexcept { return parameters_; }
  [[nodiscard]] const ParameterSet& parameters() const noexcept { return parameters_; }
  /// Tracked means and variances of batch norm, which it does not move.
  [[nodiscard]] const ParameterSet& statistics() const noexcept { return statistics_; }
  void to(const torch::Device& device);

 protected:
  BackboneOptions options_;
  ParameterSet parameters_, statistics_;
};

/// Random weights, drawn as PyTorch's layers draw theirs.
[[nodiscard]] std::unique_ptr<Backbone> make_backbone(const BackboneOptions& options,
                                                      const Rng& rng);

/// Images with values in [0, 1] as a backbone sees them: grey becomes colour, and images go to
/// `side` x `side` pixels by bilinear interpolation (0: keep their size). [n, 1 or 3, height,
/// width]
/// -> [n, 3, side, side].
[[nodiscard]] torch::Tensor backbone_images(const torch::Tensor& images, std::int64_t side);
/// The same for rows of data: [n, height * width * channels] -> [n, 3, side, side].
[[nodiscard]] torch::Tensor backbone_images(const torch::Tensor& rows, const ImageSize& size,
                                            std::int64_t side);

/// Features of all rows without gradients, a few images at a time: what is computed once where the
/// backbone stays as it is. [n, feature_dim] on the CPU.
[[nodiscard]] torch::Tensor frozen_features(const Backbone& backbone, const torch::Tensor& rows,
                                            const ImageSize& size, std::int64_t side);

}  // namespace nw::nn
