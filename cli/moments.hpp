// The mean of some numbers.
#pragma once

#include <numeric>
#include <vector>

namespace nw::cli {

/// Of at least one value.
[[nodiscard]] inline double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace nw::cli
