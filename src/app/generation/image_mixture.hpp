// One mixture GAN on 32 x 32 colour images: trained for a given time, or read back from its run.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nw/gan/gan_options.hpp"
#include "nw/record/run_record.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/mixture_game.hpp"

#include "io/json_value.hpp"

namespace nw::app {

struct ImageMixtureTask {
  gan::GanOptions options;
  torch::Tensor rows;  ///< [n, 3072] in [-1, 1]
  /// The cluster whose Gaussian component j starts at, of each row; empty: random weights.
  std::vector<std::uint32_t> start = {};
  /// Training time over all processes of the run; 0: options.steps decide.
  double seconds = 0.0;
  std::uint64_t seed = 0;
  torch::Device device = torch::kCPU;
  run::RunDirectory* directory = nullptr;     ///< may be finished: then the model is read from it
  std::function<bool(double)> progress = {};  ///< with the share done; false stops
};

struct ImageMixture {
  std::unique_ptr<train::MixtureGame> game;
  std::int64_t steps = 0;
  double seconds = 0.0;  ///< of training
  bool interrupted = false;
  std::vector<std::string> warnings = {};

  /// The proportions that samples are drawn in.
  [[nodiscard]] std::vector<double> pi() const { return game->proportions()[0]; }
  /// `count` rows of component j alone, in [-1, 1] on the CPU.
  [[nodiscard]] torch::Tensor sample(std::int64_t j, std::int64_t count, const Rng& rng) const;
};

[[nodiscard]] ImageMixture train_image_mixture(const ImageMixtureTask& task);

/// Residual networks for 32 x 32 colour images; `quick` ones are small enough for a CPU.
[[nodiscard]] gan::GanOptions image_mixture_options(std::int64_t components, bool quick,
                                                    const torch::Device& device);

/// Everything that decides the numbers of such a run.
[[nodiscard]] Json image_mixture_config(const ImageMixtureTask& task, const std::string& name,
                                        bool quick);

/// A line of ten samples for each component, as a picture of the page; with a run directory a sheet
/// of a hundred of each beside it.
[[nodiscard]] record::Picture picture_of(const ImageMixture& mixture, const ImageMixtureTask& task);

}  // namespace nw::app
