// Private: the nearest shares.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace nw::measure {

/// Euclidean projection onto the simplex (Held, Wolfe and Crowder 1974).
[[nodiscard]] inline std::vector<double> onto_simplex(std::vector<double> values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0, threshold = 0.0;
  for (std::size_t j = 0; j < sorted.size(); ++j) {
    sum += sorted[j];
    const double candidate = (sum - 1.0) / static_cast<double>(j + 1);
    if (sorted[j] - candidate > 0.0) threshold = candidate;
  }
  for (double& value : values) value = std::max(0.0, value - threshold);
  return values;
}

}  // namespace nw::measure
