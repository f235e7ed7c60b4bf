// Games and trained models of mixture GANs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nw/gan/gan_options.hpp"
#include "nw/ot/wasserstein.hpp"
#include "nw/run/checkpoint.hpp"
#include "nw/train/data_source.hpp"
#include "nw/train/game.hpp"

namespace nw::gan {

using DataSources = std::vector<std::shared_ptr<train::DataSource>>;

/// The game that `options` describe, with networks drawn from `rng`. One data set, or two that
/// share components (nwgan only): Algorithm 1 of the paper. Data are in network space.
[[nodiscard]] std::unique_ptr<train::Game> make_game(const GanOptions& options,
                                                     const DataSources& data, const Rng& rng,
                                                     const torch::Device& device);

/// What samples need of a model, as the text of one JSON object for a run's configuration.
[[nodiscard]] std::string model_json(const GanOptions& options, const Normalisation& data);

/// A model read back from a run.
struct TrainedModel {
  std::unique_ptr<nn::MixtureGenerator> generator;
  std::vector<std::vector<double>> pi;  ///< of each data set
  Normalisation normalisation;
  std::int64_t step = 0;

  /// `count` rows in the space of the data.
  struct Sample {
    Matrix rows;
    std::vector<std::uint32_t> component_of;
  };
  [[nodiscard]] Sample sample(std::int64_t count, std::size_t side, const Rng& rng) const;
};

/// Whether samples come from the tensor of that name in the state of a game.
[[nodiscard]] bool is_sampled_from(std::string_view name);
/// Those tensors: what restore_model needs, and no more.
[[nodiscard]] std::vector<train::NamedTensor> sampling_state(const train::Game& game);

/// A model from tensors that sampling_state named, in memory or in a checkpoint. `model` is what
/// model_json wrote. Throws IoError that starts with `source`.
[[nodiscard]] TrainedModel restore_model(const run::Checkpoint& checkpoint,
                                         const std::string& model, const std::string& source);

/// The model of a run's newest checkpoint. `model` is what model_json wrote. Throws IoError.
[[nodiscard]] TrainedModel load_model(const std::filesystem::path& run, const std::string& model);

/// Rows kept from training, in the space of the data.
struct HeldOut {
  MatrixView rows;
  std::size_t side = 0;  ///< the data set they belong to
  const Normalisation& normalisation;
  int threads = 1;
};

/// W1 between those rows and as many generated ones, in the space of the data.
[[nodiscard]] ot::WassersteinResult held_out_distance(const train::Game& game,
                                                      const HeldOut& held_out, const Rng& rng);

}  // namespace nw::gan
