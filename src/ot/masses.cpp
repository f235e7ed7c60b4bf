#include "ot/masses.hpp"

#include <algorithm>

namespace nw::ot {

std::vector<double> normalized_masses(std::span<const double> weights, std::size_t count) {
  if (weights.empty()) return std::vector<double>(count, 1.0 / static_cast<double>(count));
  const double largest = *std::max_element(weights.begin(), weights.end());
  std::vector<double> masses(count);
  // Neumaier's compensated sum: the total is right to one rounding at any length.
  double sum = 0.0, lost = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    masses[i] = weights[i] / largest;
    const double next = sum + masses[i];
    lost += sum >= masses[i] ? (sum - next) + masses[i] : (masses[i] - next) + sum;
    sum = next;
  }
  const double total = sum + lost;
  for (double& mass : masses) mass /= total;
  return masses;
}

}  // namespace nw::ot
