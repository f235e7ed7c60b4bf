// Mixture GANs on one data set in memory, or on two that share components: Algorithm 1 of the
// paper.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nw/app/generation/model.hpp"
#include "nw/app/generation/options.hpp"
#include "nw/app/learning/run_folder.hpp"
#include "nw/base/progress.hpp"
#include "nw/base/team.hpp"
#include "nw/io/points.hpp"
#include "nw/ot/wasserstein.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// What training gave. Lists have an entry per data set.
struct GenerationResult {
  std::string end = {};  ///< finished, interrupted or diverged
  std::int64_t steps = 0;
  int recoveries = 0;
  std::vector<std::string> warnings = {};
  std::vector<std::vector<double>> pi = {};
  std::vector<ot::WassersteinResult> distance = {};  ///< to rows held out from training
  /// W between the held-out rows and as many others of the data: what a perfect model would reach.
  /// Nothing where no rows could be held out.
  std::vector<std::optional<double>> floor = {};
  std::vector<GeneratedRows> generated = {};
  std::vector<std::pair<std::string, double>> last_values = {};  ///< of training, at its last line
  std::vector<record::Series> series = {};  ///< of training; empty where a run directory has them
  std::shared_ptr<const GenerationModel> model = {};

  [[nodiscard]] bool finished() const noexcept { return end == "finished"; }
  [[nodiscard]] bool two_data_sets() const noexcept { return pi.size() == 2; }
  /// W of one data set, W_N of two.
  [[nodiscard]] double total_distance() const;
};

/// The data; they must outlive the call.
struct GenerationData {
  const io::PointSet& x;
  const io::PointSet* y = nullptr;       ///< shares the components of x; method nwgan only
  std::string name_x = {}, name_y = {};  ///< files, as the record shows them
};

/// What training is besides its numbers.
struct GenerationRun {
  RunFolder folder = {};
  std::string command = "gan";  ///< that asks for it: gan, compare or distance
  bool all_rows = false;        ///< generate as many rows as were trained on, not at most 1000
  Team* team = nullptr;         ///< processes that share each batch
};

struct Generation {
  GenerationResult result = {};
  record::RunRecord record = {};
  /// The run directory held a finished run: `record` is its result and the model is read back.
  bool finished_before = false;
};

/// Trains, measures on held-out rows and draws samples. The processes of a team all call this; the
/// first one alone writes and reports. Throws InvalidArgument for options that do not fit the data,
/// IoError for a run directory that cannot be used.
[[nodiscard]] Generation train_generator(const GenerationData& data,
                                         const GenerationOptions& options,
                                         const ProgressObserver& observer = {},
                                         const GenerationRun& run = {});

}  // namespace nw::app
