// The components G = [G_1 ... G_k] of a mixture P_{G,pi} [NW:mix] as one batched network.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/image_size.hpp"
#include "nw/nn/parameters.hpp"

namespace nw::nn {

/// `affine` maps z to A_j z + b_j, as a product of linear layers where `hidden` names some; `mlp`
/// has ReLU between layers; the other two make images with values in [-1, 1].
enum class GeneratorKind { affine, mlp, deconvolutional, residual };

[[nodiscard]] const char* to_string(GeneratorKind kind);
[[nodiscard]] GeneratorKind generator_kind_from_string(const std::string& name);

/// What the components look like; all of them look the same.
struct MixtureGeneratorOptions {
  GeneratorKind kind = GeneratorKind::affine;
  /// k. Positive.
  std::int64_t components = 1;
  /// Length of z. Positive.
  std::int64_t latent_dim = 2;
  /// Length of a row of data. Positive.
  std::int64_t data_dim = 2;
  /// How a row is an image, for the kinds that make one; its size must be data_dim.
  ImageSize image = {};
  /// Widths between input and output, for `affine` and `mlp`. Each positive.
  std::vector<std::int64_t> hidden = {};
  /// Channels before the image; earlier stages of `deconvolutional` double them. Positive.
  std::int64_t channels = 64;
  /// `residual`: convolutions in bfloat16, for GPUs; parameters and images stay in float32.
  bool bfloat16 = false;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Components that are maps z -> z A_j + b_j.
struct AffineMaps {
  torch::Tensor matrix;  ///< A: [k, latent_dim, data_dim]
  torch::Tensor offset;  ///< b: [k, data_dim]
};

/// What a forward pass does with batch norm: use and track the batch, or use what was tracked.
enum class Mode { training, sampling };

class MixtureGenerator {
 public:
  explicit MixtureGenerator(const MixtureGeneratorOptions& options) : options_(options) {}
  virtual ~MixtureGenerator() = default;

  /// G_first(z[0]) ... G_{first+c-1}(z[c-1]): [c, b, latent_dim] -> [c, b, data_dim].
  [[nodiscard]] virtual torch::Tensor forward(const torch::Tensor& z, std::int64_t first,
                                              Mode mode) const = 0;

  /// Rows sorted by component, counts[j] of them from G_j: [n, latent_dim] -> [n, data_dim].
  /// One batched pass when the counts are equal.
  [[nodiscard]] torch::Tensor forward_rows(const torch::Tensor& z,
                                           const std::vector<std::int64_t>& counts,
                                           Mode mode) const;

  /// Places component j at centre j with a spread of `scale` per latent coordinate, where the kind
  /// has centres; says whether it has. `centres` is [k, data_dim].
  virtual bool place(const torch::Tensor& centres, double scale);

  /// The maps where every component is affine.
  [[nodiscard]] virtual std::optional<AffineMaps> affine_maps() const { return std::nullopt; }

  /// State besides the parameters, in place: the running moments of batch norm.
  [[nodiscard]] virtual std::vector<torch::Tensor> buffers() const { return {}; }
  virtual void to(const torch::Device& device) { parameters_.to(device); }

  [[nodiscard]] const MixtureGeneratorOptions& options() const noexcept { return options_; }
  [[nodiscard]] std::int64_t components() const noexcept { return options_.components; }
  [[nodiscard]] ParameterSet& parameters() noexcept { return parameters_; }
  [[nodiscard]] const ParameterSet& parameters() const noexcept { return parameters_; }

 protected:
  MixtureGeneratorOptions options_;
  ParameterSet parameters_;
};

/// Components with random weights, drawn as PyTorch's layers draw theirs.
[[nodiscard]] std::unique_ptr<MixtureGenerator> make_mixture_generator(
    const MixtureGeneratorOptions& options, const Rng& rng);

/// Rows of P_{G,pi} and the component each came from.
struct MixtureDraw {
  torch::Tensor rows;                       ///< [count, data_dim], on the CPU
  std::vector<std::uint32_t> component_of;  ///< [count]
};

/// `count` independent rows, in random order. `pi` has k entries that sum to one.
[[nodiscard]] MixtureDraw draw_mixture(const MixtureGenerator& generator,
                                       std::span<const double> pi, std::int64_t count,
                                       const Rng& rng);

}  // namespace nw::nn
