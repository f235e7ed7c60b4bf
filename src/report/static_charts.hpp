// The charts of a page as fixed pictures: what a reader without scripts sees.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Points of X and Y with the components' ellipses on the first two axes. REQUIRES: figure set.
[[nodiscard]] std::string static_scatter(const record::RunRecord& record);

/// Proportions as paired bars with their intervals, in HTML.
[[nodiscard]] std::string static_proportions(const record::CompareResult& result);

/// NW(k) with its interval, the floor and k*.
[[nodiscard]] std::string static_curve(const record::ModeChoice& choice);

/// The series that share the chart of series `first`, itself included: its index is the smallest.
[[nodiscard]] std::vector<std::size_t> series_of_chart(const std::vector<record::Series>& series,
                                                       std::size_t first);

/// Those series as lines of one chart.
[[nodiscard]] std::string static_series(const std::vector<record::Series>& series,
                                        const std::vector<std::size_t>& shown);

}  // namespace nw::report
