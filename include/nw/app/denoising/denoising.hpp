// Denoising: learnt from noisy rows and unpaired clean rows.
//
//   const auto result = nw::app::train_denoiser({.source = clean, .target = noisy});
//   const nw::Matrix more = result.model.denoise(more_noisy.values);
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nw/adapt/denoise_method.hpp"
#include "nw/app/learning/run_folder.hpp"
#include "nw/base/option_field.hpp"
#include "nw/base/progress.hpp"
#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

namespace nw::adapt {
struct TrainedDenoiser;
}

namespace nw::app {

/// Images of one size, or tables of the same columns.
struct DenoisingData {
  io::PointSet source;                             ///< clean rows
  io::PointSet target;                             ///< noisy rows of other originals
  std::optional<io::PointSet> clean_target = {};   ///< originals: for scoring and the oracle alone
  std::string source_name = {}, target_name = {};  ///< for reports; empty: what the points say
};

struct DenoisingOptions {
  adapt::DenoiseMethod method = adapt::DenoiseMethod::nw;
  adapt::DenoiseRecipe recipe = adapt::DenoiseRecipe::best;
  /// Kinds of rows: components of W_N.
  std::int64_t components = 2;
  // What replaces the recipe's choice where it is given.
  std::optional<std::int64_t> steps = {}, initial_steps = {}, batch = {}, embedding = {},
                              width = {};
  std::optional<double> weight = {};
  std::uint64_t seed = 0;
  std::string device = "auto";  ///< auto, cpu or cuda
  int threads = 0;              ///< 0: all cores
  RunFolder run = {};

  /// The one list of what users choose.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "method", .help = "What brings the embeddings together"}, method);
    visit(OptionField{.name = "recipe",
                      .help = "Networks and rates: ours, or those of the paper's table"},
          recipe);
    visit(OptionField{.name = "k", .help = "Kinds of rows: components of W_N", .low = 1},
          components);
    visit(OptionField{.name = "steps", .help = "Steps; the recipe's by default", .low = 1}, steps);
    visit(
        OptionField{
            .name = "initial_steps", .help = "Steps without adaptation; the recipe's", .low = 0},
        initial_steps);
    visit(OptionField{.name = "batch", .help = "Rows of each domain in a step", .low = 1}, batch);
    visit(OptionField{.name = "embedding", .help = "Length of an embedding", .low = 1}, embedding);
    visit(OptionField{.name = "width", .help = "Channels of the first convolution", .low = 1},
          width);
    visit(
        OptionField{
            .name = "lambda", .help = "Weight of the distance between embeddings", .low = 0},
        weight);
    visit(kSeedField, seed);
    visit(kDeviceField, device);
    visit(kThreadsField, threads);
  }
  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// A trained denoiser: lives in memory, goes to and from bytes and runs.
class Denoiser {
 public:
  Denoiser() = default;
  explicit Denoiser(std::shared_ptr<adapt::TrainedDenoiser> model) : model_(std::move(model)) {}

  /// The model of a run directory (of its newest checkpoint where the run is not finished), or of a
  /// file that save() wrote. Throws IoError.
  [[nodiscard]] static Denoiser load(const std::filesystem::path& path);
  /// What to_bytes() gave. `source` starts the message of the IoError that other bytes give.
  [[nodiscard]] static Denoiser from_bytes(std::span<const std::byte> bytes,
                                           const std::string& source = "denoiser");
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  void save(const std::filesystem::path& file) const;

  /// Throws InvalidArgument when rows are longer or shorter than those it was trained on.
  [[nodiscard]] Matrix denoise(MatrixView noisy) const;

  [[nodiscard]] std::size_t dimension() const;  ///< values of a row
  [[nodiscard]] std::int64_t step() const;      ///< of training
  [[nodiscard]] explicit operator bool() const noexcept { return model_ != nullptr; }

 private:
  std::shared_ptr<adapt::TrainedDenoiser> model_;
};

/// Further rows without their noise.
struct DenoisedRows {
  Matrix rows = {};
  double removed_variance = 0.0;  ///< of what was taken off
};

/// Throws IoError naming the rows when they are longer or shorter than those of the training.
[[nodiscard]] DenoisedRows denoise_points(const Denoiser& model, const io::PointSet& noisy);

struct Denoising {
  Denoiser model = {};
  Matrix denoised = {};           ///< the target rows
  record::RunRecord record = {};  ///< record.denoising holds the figures
  bool finished = false;          ///< all steps done: not stopped by the observer, not diverged
  bool repeated = false;          ///< the run directory held this result already
};

/// Trains, denoises the target and, with a run directory, leaves everything there. The observer is
/// called now and then; when it returns false, training stops after a checkpoint. Throws
/// InvalidArgument, and IoError for data that do not fit each other.
[[nodiscard]] Denoising train_denoiser(const DenoisingData& data,
                                       const DenoisingOptions& options = {},
                                       const ProgressObserver& observer = {});

/// Variance over all values of noisy - denoised: what can be known without clean rows.
[[nodiscard]] double removed_variance(MatrixView noisy, MatrixView denoised);

}  // namespace nw::app
