// `nw compare --scores-x X --scores-y Y`: the mix of classes from a model's outputs alone.
#pragma once

#include <string>

#include "nw/measure/label_shift.hpp"

#include "cli/common_options.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {

struct ScoreArguments {
  std::string x, y;       ///< files of class probabilities; empty: not this question
  std::string corrected;  ///< where corrected probabilities go; empty: nowhere

  [[nodiscard]] bool given() const { return !x.empty() || !y.empty(); }
};

[[nodiscard]] int run_compare_scores(const ScoreArguments& arguments, const CommonOptions& common,
                                     const PointOptions& points,
                                     measure::LabelShiftOptions options);

}  // namespace nw::cli
