// Private: training the networks of a denoiser, and what is known of them afterwards. The
// application and the table of experiments share it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/denoise_model.hpp"
#include "nw/app/denoising/denoising.hpp"
#include "nw/record/run_record.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/training_loop.hpp"

namespace nw::app {

struct DenoiseOutcome {
  train::LoopResult loop;
  std::vector<double> pi_source, pi_target;      ///< empty unless the method is nw
  double source_error = 0.0;                     ///< mean squared error of a value, source
  double residual_variance = 0.0;                ///< of noisy minus denoised values, target
  std::optional<double> target_error;            ///< err_recons_target, where originals are known
  double wasserstein = 0.0;                      ///< exact W(f(X_s), f(X_t)) between embeddings
  std::optional<double> normalized_wasserstein;  ///< exact W to the mixture of each side, nw
  Matrix source_embedding, target_embedding, denoised;
  adapt::TrainedDenoiser model;
  std::vector<record::Series> series;  ///< of a run without directory
};

struct DenoiseTraining {
  adapt::DenoiseOptions options;
  std::uint64_t seed = 0;
  std::string device = "auto";
  int threads = 0;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a run
  /// Called at every logged step; false asks to stop.
  train::LoopObserver observer = {};
};

/// Throws IoError or InvalidArgument when the parts of the data do not fit each other.
void check_data(const DenoisingData& data, adapt::DenoiseMethod method);

[[nodiscard]] DenoiseOutcome train_networks(const DenoisingData& data, const DenoiseTraining& how,
                                            run::RunDirectory* directory);

/// Sentence, metrics, figure of embeddings and result, into a record that was started.
void describe_denoising(const adapt::DenoiseOptions& options, const DenoisingData& data,
                        const DenoiseOutcome& outcome, record::RunRecord& record);

}  // namespace nw::app
