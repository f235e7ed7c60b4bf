// What `nw gan` and the dual of `nw compare` and `nw distance` report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nw/gan/gan_options.hpp"
#include "nw/ot/wasserstein.hpp"
#include "nw/record/run_record.hpp"
#include "nw/train/training_loop.hpp"

#include "cli/torch/gan_command.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

/// What is known when training is over. Lists have an entry per data set.
struct GanOutcome {
  train::LoopResult loop;
  std::vector<std::pair<std::string, double>> last_values;  ///< of the game, at the last line
  std::vector<std::vector<double>> pi;
  std::vector<ot::WassersteinResult> distance;  ///< to rows held out from training
  /// W between the held-out rows and as many others of the data: what a perfect model would reach.
  /// Nothing where no rows could be held out.
  std::vector<std::optional<double>> floor;
  std::vector<Matrix> generated;  ///< in the space of the data
  std::vector<std::vector<std::uint32_t>> component_of;
  std::vector<record::Series> series;

  [[nodiscard]] bool two_data_sets() const noexcept { return pi.size() == 2; }
  /// W of one data set, W_N of two.
  [[nodiscard]] double total_distance() const;
};

[[nodiscard]] record::RunRecord gan_record(const GanArguments& arguments,
                                           const gan::GanOptions& options, const Inputs& inputs,
                                           const GanOutcome& outcome);

/// For people, on standard output.
void print_gan(const CommonOptions& common, const record::RunRecord& record,
               const GanOutcome& outcome);

}  // namespace nw::cli
