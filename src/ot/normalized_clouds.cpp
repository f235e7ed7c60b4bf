#include "ot/normalized_clouds.hpp"

#include <algorithm>
#include <cmath>

#include "ot/accurate_sum.hpp"
#include "ot/integer_masses.hpp"
#include "ot/spatial_order.hpp"

namespace nw::ot {
namespace {

double largest_magnitude(std::span<const double> values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  return largest;
}

/// e such that |value| <= 2^e.
int exponent_of(double value) {
  return value > 0.0 ? std::ilogb(value) + 1 : 0;
}

void scale(std::vector<double>& values, int exponent) {
  if (exponent == 0) return;
  for (double& value : values) value = std::ldexp(value, exponent);
}

std::vector<double> weighted_mean(std::span<const double> points, std::size_t dim,
                                  std::span<const std::int64_t> mass, double total) {
  std::vector<double> mean(dim, 0.0);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const double share = static_cast<double>(mass[i]) / total;
    for (std::size_t k = 0; k < dim; ++k) mean[k] += share * points[i * dim + k];
  }
  return mean;
}

void subtract(std::vector<double>& points, std::span<const double> vector) {
  const std::size_t dim = vector.size();
  for (std::size_t i = 0; i < points.size(); i += dim) {
    for (std::size_t k = 0; k < dim; ++k) points[i + k] -= vector[k];
  }
}

/// Splits `points` by mass and puts the part with mass into spatial order.
NormalizedSide arrange(const std::vector<double>& points, std::size_t dim,
                       std::span<const std::int64_t> mass) {
  NormalizedSide side;
  std::vector<std::uint32_t> with_mass;
  for (std::uint32_t i = 0; i < mass.size(); ++i) {
    (mass[i] > 0 ? with_mass : side.massless_rows).push_back(i);
  }
  const auto gather = [&](std::span<const std::uint32_t> rows) {
    PointCloud cloud{.dim = dim, .points = {}, .mass = {}};
    cloud.points.reserve(rows.size() * dim);
    cloud.mass.reserve(rows.size());
    for (const std::uint32_t i : rows) {
      const auto begin = points.begin() + static_cast<std::ptrdiff_t>(i * dim);
      cloud.points.insert(cloud.points.end(), begin, begin + static_cast<std::ptrdiff_t>(dim));
      cloud.mass.push_back(mass[i]);
    }
    return cloud;
  };
  side.massless = gather(side.massless_rows);
  std::vector<std::uint32_t> order;
  if (side.massless_rows.empty()) {
    side.rows = spatial_order(points, dim);
  } else {
    for (const std::uint32_t place : spatial_order(gather(with_mass).points, dim)) {
      side.rows.push_back(with_mass[place]);
    }
  }
  side.cloud = gather(side.rows);
  return side;
}

/// constant + 2 x.direction for every point.
std::vector<double> separable(const PointCloud& cloud, std::span<const double> direction,
                              double constant) {
  std::vector<double> values(cloud.size(), constant);
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    for (std::size_t k = 0; k < cloud.dim; ++k) values[i] += 2.0 * cloud.row(i)[k] * direction[k];
  }
  return values;
}

}  // namespace

NormalizedClouds normalize(const PointProblem& problem) {
  const std::size_t dim = problem.source.points.cols();
  const auto source_values = problem.source.points.values();
  const auto target_values = problem.target.points.values();
  std::vector<double> x(source_values.begin(), source_values.end());
  std::vector<double> y(target_values.begin(), target_values.end());

  // Twice: before the means, which must not overflow, and after, when only differences are left.
  int exponent = exponent_of(std::max(largest_magnitude(x), largest_magnitude(y)));
  scale(x, -exponent);
  scale(y, -exponent);
  const IntegerMasses masses = integer_masses(problem.source.weights, problem.source.points.rows(),
                                              problem.target.weights, problem.target.points.rows());
  const double total = static_cast<double>(masses.total);
  std::vector<double> x_mean = weighted_mean(x, dim, masses.source, total);
  std::vector<double> y_mean = weighted_mean(y, dim, masses.target, total);
  const bool squared = problem.cost == GroundCost::squared_euclidean;
  if (!squared) {
    for (std::size_t k = 0; k < dim; ++k) x_mean[k] = 0.5 * (x_mean[k] + y_mean[k]);
    y_mean = x_mean;
  }
  subtract(x, x_mean);
  subtract(y, y_mean);
  const int second = exponent_of(std::max(largest_magnitude(x), largest_magnitude(y)));
  scale(x, -second);
  scale(y, -second);
  exponent += second;

  NormalizedClouds clouds{.source = arrange(x, dim, masses.source),
                          .target = arrange(y, dim, masses.target),
                          .total_mass = masses.total,
                          .cost_exponent = squared ? 2 * exponent : exponent};

  std::vector<double> delta(dim, 0.0);
  double delta_square = 0.0;
  for (std::size_t k = 0; k < dim; ++k) {
    delta[k] = std::ldexp(x_mean[k] - y_mean[k], -second);
    delta_square += delta[k] * delta[k];
  }
  clouds.source.separable = separable(clouds.source.cloud, delta, delta_square);
  clouds.source.massless_separable = separable(clouds.source.massless, delta, delta_square);
  for (double& component : delta) component = -component;
  clouds.target.separable = separable(clouds.target.cloud, delta, 0.0);
  clouds.target.massless_separable = separable(clouds.target.massless, delta, 0.0);

  AccurateSum separable_cost;
  double squares = 0.0, norms = 0.0;
  for (const NormalizedSide* side : {&clouds.source, &clouds.target}) {
    for (std::size_t i = 0; i < side->cloud.size(); ++i) {
      separable_cost.add_product(static_cast<double>(side->cloud.mass[i]) / total,
                                 side->separable[i]);
      double square = 0.0;
      for (std::size_t k = 0; k < dim; ++k) square += side->cloud.row(i)[k] * side->cloud.row(i)[k];
      squares += square;
      norms += std::sqrt(square);
    }
  }
  const double count = static_cast<double>(clouds.source.cloud.size() + clouds.target.cloud.size());
  clouds.radius = std::sqrt(squares / count);
  clouds.typical_norm = norms / count;
  clouds.separable_cost = separable_cost.value();

  const double diameter = 2.0 * std::sqrt(static_cast<double>(dim)) + std::sqrt(delta_square);
  const double largest_cost = squared ? diameter * diameter : diameter;
  require(std::isfinite(std::ldexp(largest_cost, clouds.cost_exponent)),
          "the points lie so far apart (2^", exponent,
          ") that their costs exceed the range of double; rescale the data");
  return clouds;
}

}  // namespace nw::ot
