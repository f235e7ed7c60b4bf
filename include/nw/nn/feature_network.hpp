// Feature networks f: what maps rows of both domains into the space where they are compared.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/base/team.hpp"
#include "nw/nn/backbone.hpp"
#include "nw/nn/image_size.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/nn/parameters.hpp"

namespace nw::nn {

/// `mlp`: linear layers with ReLU between them, for tables. `lenet`: the paper's variant of LeNet,
/// two 5 x 5 convolutions with ReLU and a pooling each, for images of at least 16 x 16 pixels.
/// `small`: blocks of two 3 x 3 convolutions with norms, for images of any size that is left after
/// halving it in each block. `backbone`: a network that was trained elsewhere and is fine-tuned,
/// with layers as of `mlp` after it.
enum class FeatureKind { mlp, lenet, small, backbone };

/// Batch norm after each layer: none, over all rows of a pass, or over source and target rows apart
/// (each domain then has moments of its own). Those inside a backbone keep the moments they came
/// with.
enum class FeatureNorm { none, joint, by_domain };

[[nodiscard]] const char* to_string(FeatureKind kind);
[[nodiscard]] FeatureKind feature_kind_from_string(const std::string& name);
[[nodiscard]] const char* to_string(FeatureNorm norm);
[[nodiscard]] FeatureNorm feature_norm_from_string(const std::string& name);

/// Sides of the smallest images that LeNet can take: two convolutions and two poolings.
inline constexpr std::int64_t kSmallestForLenet = 16;

/// What a feature network looks like. The defaults are the paper's for digits.
struct FeatureOptions {
  FeatureKind kind = FeatureKind::lenet;
  /// What an image looks like before it enters the network. Ignored by `mlp`.
  ImageSize image = {28, 28, 3};
  /// Length of a row, for `mlp`. Positive.
  std::int64_t data_dim = 1;
  /// `mlp`: widths of the layers, the last of which is the length of a feature. `lenet`: channels
  /// of the two convolutions. `small`: channels of each block, then the length of a feature.
  /// Ignored by `backbone`.
  std::vector<std::int64_t> hidden = {32, 48};
  FeatureNorm norm = FeatureNorm::none;
  /// `backbone`: which one, the weights it starts from (null: random ones), the side that images
  /// are brought to (0: keep their size) and widths of the new layers after it (none: its own
  /// features).
  BackboneOptions backbone = {};
  std::shared_ptr<const NamedTensors> weights = nullptr;
  std::int64_t side = kBackboneSide;
  std::vector<std::int64_t> head = {};
  /// Share that training drops, in [0, 1): of the channels after the second convolution of `lenet`,
  /// of the values after each block of `small`,
  /// of the columns before the first layer of `mlp` and of a head.
  double dropout = 0.0;
  /// Divide each feature by its length, so that all lie on the unit sphere.
  bool unit_length = false;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Rows of both domains for one pass; either may be undefined. Images are [n, channels, height,
/// width] with values in [-1, 1], where a single channel stands for a grey image whatever the
/// network's number of channels; rows of tables are [n, data_dim].
struct FeatureRows {
  torch::Tensor source = {}, target = {};
};

/// How rows go through a feature network.
struct FeaturePass {
  Mode mode = Mode::sampling;
  /// Uniform numbers for dropout; without it nothing is dropped.
  std::function<torch::Tensor(at::IntArrayRef sizes)> uniform = {};
  /// Processes that share the rows: batch norm in training is over the rows of all. May be null.
  Team* team = nullptr;
};

class FeatureNetwork {
 public:
  explicit FeatureNetwork(const FeatureOptions& options) : options_(options) {}
  virtual ~FeatureNetwork() = default;

  /// f(x) of the source's rows, then the target's: [n_source + n_target, feature_dim].
  [[nodiscard]] torch::Tensor forward(const FeatureRows& rows, const FeaturePass& pass = {}) const;
  [[nodiscard]] virtual std::int64_t feature_dim() const = 0;
  /// How many of the parameters, the first ones, were trained elsewhere: padding included.
  [[nodiscard]] virtual std::int64_t pretrained() const { return 0; }

  /// State besides the parameters, in place: the running moments of batch norm.
  [[nodiscard]] virtual std::vector<torch::Tensor> buffers() const { return {}; }
  virtual void to(const torch::Device& device) { parameters_.to(device); }

  [[nodiscard]] const FeatureOptions& options() const noexcept { return options_; }
  [[nodiscard]] ParameterSet& parameters() noexcept { return parameters_; }
  [[nodiscard]] const ParameterSet& parameters() const noexcept { return parameters_; }

 protected:
  /// Features before they are brought to unit length.
  [[nodiscard]] virtual torch::Tensor features(const FeatureRows& rows,
                                               const FeaturePass& pass) const = 0;

  FeatureOptions options_;
  ParameterSet parameters_;
};

/// A network with random weights, drawn as PyTorch's layers draw theirs, or with those of the
/// options.
[[nodiscard]] std::unique_ptr<FeatureNetwork> make_feature_network(const FeatureOptions& options,
                                                                   const Rng& rng);

}  // namespace nw::nn
