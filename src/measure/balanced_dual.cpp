#include "measure/balanced_dual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nw/measure/proportions.hpp"

namespace nw::measure {

BalancedDual balanced_dual(const ot::WeightedPoints& data, const Atoms& atoms, ot::GroundCost cost,
                           std::span<const double> target_potential) {
  const std::size_t dim = atoms.points.cols(), count = atoms.points.rows();
  const std::vector<double> mean = proportion_gradient(target_potential, atoms);
  std::vector<double> centred(count), by_coordinate(count * dim);
  for (std::size_t j = 0; j < atoms.components(); ++j) {
    for (std::size_t s = atoms.begin[j]; s < atoms.begin[j + 1]; ++s) {
      centred[s] = target_potential[s] - mean[j];
      for (std::size_t c = 0; c < dim; ++c) by_coordinate[c * count + s] = atoms.points(s, c);
    }
  }
  std::vector<double> distance(count);
  BalancedDual dual{.bound = 0.0,
                    .source_potential = std::vector<double>(data.points.rows()),
                    .shares = std::vector<double>(atoms.components(), 0.0)};
  double total = 0.0;
  for (std::size_t i = 0; i < data.points.rows(); ++i) {
    std::fill(distance.begin(), distance.end(), 0.0);
    for (std::size_t c = 0; c < dim; ++c) {
      const double x = data.points(i, c);
      const double* column = by_coordinate.data() + c * count;
      for (std::size_t s = 0; s < count; ++s) {
        const double delta = x - column[s];
        distance[s] += delta * delta;
      }
    }
    if (cost == ot::GroundCost::euclidean) {
      for (std::size_t s = 0; s < count; ++s) distance[s] = std::sqrt(distance[s]);
    }
    double smallest = std::numeric_limits<double>::infinity();
    std::size_t owner = 0;
    for (std::size_t j = 0; j < atoms.components(); ++j) {
      double local = std::numeric_limits<double>::infinity();
      for (std::size_t s = atoms.begin[j]; s < atoms.begin[j + 1]; ++s) {
        local = std::min(local, distance[s] - centred[s]);
      }
      if (local < smallest) {
        smallest = local;
        owner = j;
      }
    }
    const double weight = data.weights.empty() ? 1.0 : data.weights[i];
    dual.source_potential[i] = smallest;
    dual.bound += weight * smallest;
    dual.shares[owner] += weight;
    total += weight;
  }
  dual.bound /= total;
  for (auto& share : dual.shares) share /= total;
  return dual;
}

}  // namespace nw::measure
