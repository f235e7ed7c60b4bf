// Private: what pulls the embeddings of source and target together.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nw/adapt/denoise_game.hpp"

namespace nw::adapt {

/// One step of the game, as an alignment sees it.
struct AlignmentStep {
  std::int64_t step = 0, steps = 0;
  double rate = 1.0;     ///< factor of all learning rates
  torch::Tensor source;  ///< embeddings of the step's batch: [batch, e], without gradients
  torch::Tensor target;  ///< likewise
  Rng rng;               ///< of this step
};

/// The gradient of the distance in the embeddings, and numbers for the log.
struct Pull {
  torch::Tensor source, target;  ///< [batch, e] each
  std::vector<std::pair<std::string, torch::Tensor>> values;
};

/// A distance between the embeddings of both domains, with whatever it learns.
class Alignment {
 public:
  virtual ~Alignment() = default;
  /// Called once, before the first learn(), with embeddings of source rows on the CPU.
  virtual void begin(const torch::Tensor& /*source*/, const Rng& /*rng*/) {}
  /// Lets critics, components and proportions take their step, then says where embeddings should
  /// go.
  [[nodiscard]] virtual Pull learn(const AlignmentStep& step) = 0;
  [[nodiscard]] virtual std::vector<train::NamedTensor> state() const { return {}; }
  [[nodiscard]] virtual std::vector<std::vector<double>> proportions() const { return {}; }
  [[nodiscard]] virtual nn::MixtureDraw sample(std::int64_t count, std::size_t side,
                                               const Rng& rng) const;
};

/// What an alignment is made from.
struct AlignmentParts {
  DenoiseOptions options;
  DenoiseData data;
  std::shared_ptr<const Autoencoder> networks;
  Rng rng;
  torch::Device device;
};

/// Null for methods that align nothing.
[[nodiscard]] std::unique_ptr<Alignment> make_alignment(const AlignmentParts& parts);
[[nodiscard]] std::unique_ptr<Alignment> make_dual_alignment(const AlignmentParts& parts);
[[nodiscard]] std::unique_ptr<Alignment> make_primal_alignment(const AlignmentParts& parts);

/// The components of W_N: affine maps of normal noise of the embedding's length.
[[nodiscard]] std::unique_ptr<nn::MixtureGenerator> make_components(const DenoiseOptions& options,
                                                                    const Rng& rng);

/// Places components at centres of clusters of the source's embeddings.
void place_components(nn::MixtureGenerator& components, const torch::Tensor& source,
                      const Rng& rng);

/// Moves `average` towards `values`, slowly once `step` is large: early on the average is short, so
/// that the start is soon forgotten.
void follow(const torch::Tensor& average, const torch::Tensor& values, double averaging,
            std::int64_t step);

}  // namespace nw::adapt
