// The charts of a page as fixed pictures: what a reader without scripts sees.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Points of X and Y with the components' ellipses on the first two axes. REQUIRES: figure set.
[[nodiscard]] std::string static_scatter(const record::RunRecord& record);

/// Proportions as paired bars with their intervals, in HTML.
[[nodiscard]] std::string static_proportions(const record::CompareResult& result);

/// NW(k) with its interval, the floor and k*.
[[nodiscard]] std::string static_curve(const record::ModeChoice& choice);

[[nodiscard]] std::string static_series(const record::Series& series);

}  // namespace nw::report
