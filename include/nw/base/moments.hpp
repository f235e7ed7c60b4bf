// Mean and variance of some numbers.
#pragma once

#include <numeric>
#include <vector>

namespace nw {

/// Of at least one value.
[[nodiscard]] inline double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The unbiased estimate, of at least two values.
[[nodiscard]] inline double variance_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(values.size() - 1);
}

}  // namespace nw
