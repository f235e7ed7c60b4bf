#include "measure/component_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nw::measure {
namespace {

// Shares and distances that differ by less are equal.
constexpr double kGrain = 1e-6;

std::vector<double> distances_from_middle(const Mixture& mixture) {
  std::vector<double> middle(mixture.dim(), 0.0), distances;
  for (const Component& component : mixture.components) {
    for (std::size_t c = 0; c < middle.size(); ++c) {
      middle[c] += component.centre[c] / static_cast<double>(mixture.size());
    }
  }
  for (const Component& component : mixture.components) {
    double square = 0.0;
    for (std::size_t c = 0; c < middle.size(); ++c) {
      square += (component.centre[c] - middle[c]) * (component.centre[c] - middle[c]);
    }
    distances.push_back(std::sqrt(square));
  }
  return distances;
}

}  // namespace

std::vector<std::size_t> component_order(const SharedModel& model) {
  const std::size_t k = model.mixture.size();
  const auto grains = [](double value) { return std::round(value / kGrain); };
  const std::vector<double> distances = distances_from_middle(model.mixture);
  const double farthest = *std::ranges::max_element(distances);
  std::vector<std::vector<double>> keys(k);
  for (std::size_t j = 0; j < k; ++j) {
    for (const auto& pi : model.pi) keys[j].push_back(-grains(pi[j]));
    keys[j].push_back(farthest > 0.0 ? grains(distances[j] / farthest) : 0.0);
  }
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t j) { return keys[j]; });
  return order;
}

}  // namespace nw::measure
