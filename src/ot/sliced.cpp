// Sliced Wasserstein distance (Bonneel, Rabin, Peyre and Pfister, Sliced and Radon Wasserstein
// barycenters of measures, J. Math. Imaging Vis. 2015) with independent uniform directions, so
// that the spread over directions gives an honest standard error.
//
// Two bounds come for free. For a unit vector u, |u.x - u.y| <= |x - y|, so each projected cost is
// at most W_p^p. And the sorted order of a projection couples the points themselves, so the cost of
// that coupling in full dimension is at least W_p^p (Mahey et al., Fast optimal transport through
// sliced generalized Wasserstein geodesics, NeurIPS 2023). We keep the best of both.
#include "nw/ot/sliced.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/parallel.hpp"

#include "ot/accurate_sum.hpp"
#include "ot/framed_cloud.hpp"
#include "ot/masses.hpp"

namespace nw::ot {
namespace {

struct Projected {
  double position;
  std::uint32_t index;
  bool operator<(const Projected& other) const {
    return position != other.position ? position < other.position : index < other.index;
  }
};

void project(const Matrix& points, std::span<const double> direction,
             std::vector<Projected>& sorted) {
  sorted.resize(points.rows());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const auto row = points.row(i);
    double sum = 0.0;
    for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * direction[k];
    sorted[i] = {sum, static_cast<std::uint32_t>(i)};
  }
  std::sort(sorted.begin(), sorted.end());
}

struct SliceCost {
  double projected, full;
};

// Costs of the monotone coupling of one projection: on the line, and between the points.
SliceCost couple(const HeavyCloud& x, const HeavyCloud& y, GroundCost cost,
                 const std::vector<Projected>& px, const std::vector<Projected>& py) {
  const bool squared = cost == GroundCost::squared_euclidean;
  AccurateSum projected, full;
  AccurateSum x_left(x.mass[px[0].index]), y_left(y.mass[py[0].index]);
  for (std::size_t i = 0, j = 0; i < px.size() && j < py.size();) {
    const bool source_ends = x_left.value() <= y_left.value();
    const double moved = source_ends ? x_left.value() : y_left.value();
    const double difference = px[i].position - py[j].position;
    const auto xi = x.points.row(px[i].index), yj = y.points.row(py[j].index);
    double distance = 0.0;
    for (std::size_t k = 0; k < xi.size(); ++k) distance += (xi[k] - yj[k]) * (xi[k] - yj[k]);
    projected.add(moved * (squared ? difference * difference : std::abs(difference)));
    full.add(moved * (squared ? distance : std::sqrt(distance)));
    if (source_ends) {
      y_left.subtract(x_left);
      if (++i < px.size()) x_left = AccurateSum(x.mass[px[i].index]);
    } else {
      x_left.subtract(y_left);
      if (++j < py.size()) y_left = AccurateSum(y.mass[py[j].index]);
    }
  }
  return {projected.value(), full.value()};
}

Matrix random_directions(std::size_t count, std::size_t dimension, Rng& rng) {
  Matrix directions(count, dimension);
  for (std::size_t l = 0; l < count; ++l) {
    const auto direction = directions.row(l);
    double norm = 0.0;
    while (norm == 0.0) {
      for (double& u : direction) u = rng.normal();
      norm =
          std::sqrt(std::inner_product(direction.begin(), direction.end(), direction.begin(), 0.0));
    }
    for (double& u : direction) u /= norm;
  }
  return directions;
}

}  // namespace

void SlicedOptions::validate() const {
  require(directions >= 2, "SlicedOptions.directions must be at least 2, got ", directions);
  require(threads >= 0, "SlicedOptions.threads must be >= 0, got ", threads);
}

SlicedResult sliced_wasserstein(const PointProblem& problem, const SlicedOptions& options,
                                Rng& rng) {
  problem.validate();
  options.validate();
  const Matrix directions = random_directions(static_cast<std::size_t>(options.directions),
                                              problem.source.points.cols(), rng);
  return sliced_wasserstein(problem, directions, options.threads);
}

SlicedResult sliced_wasserstein(const PointProblem& problem, MatrixView directions, int threads) {
  problem.validate();
  const std::size_t count = directions.rows();
  require(count >= 2, "sliced_wasserstein: at least 2 directions are needed, got ", count);
  require(directions.cols() == problem.source.points.cols(), "sliced_wasserstein: directions have ",
          directions.cols(), " coordinates, points ", problem.source.points.cols());
  for (std::size_t l = 0; l < count; ++l) {
    const auto u = directions.row(l);
    const double length = std::sqrt(std::inner_product(u.begin(), u.end(), u.begin(), 0.0));
    require(std::abs(length - 1.0) <= 1e-9, "sliced_wasserstein: direction ", l, " has length ",
            length, ", expected 1");
  }
  const Frame frame = common_frame(problem.source.points, problem.target.points);
  const auto framed = [&](const WeightedPoints& cloud) {
    return heavy_cloud(framed_points(cloud.points, frame),
                       normalized_masses(cloud.weights, cloud.points.rows()));
  };
  const HeavyCloud x = framed(problem.source), y = framed(problem.target);

  const int workers = resolve_threads(threads);
  std::vector<std::vector<Projected>> px(static_cast<std::size_t>(workers)), py(px);
  std::vector<double> full(count);
  SlicedResult result;
  result.projected_cost.resize(count);
  parallel_for(workers, count, 1, [&](std::size_t begin, std::size_t end, int worker) {
    auto& sorted_x = px[static_cast<std::size_t>(worker)];
    auto& sorted_y = py[static_cast<std::size_t>(worker)];
    for (std::size_t l = begin; l < end; ++l) {
      project(x.points, directions.row(l), sorted_x);
      project(y.points, directions.row(l), sorted_y);
      const SliceCost cost = couple(x, y, problem.cost, sorted_x, sorted_y);
      result.projected_cost[l] = cost.projected;
      full[l] = cost.full;
    }
  });

  const auto& slices = result.projected_cost;
  const double n = static_cast<double>(count);
  const double mean = std::accumulate(slices.begin(), slices.end(), 0.0) / n;
  double variance = 0.0;
  for (const double slice : slices) variance += (slice - mean) * (slice - mean) / (n - 1.0);
  const double error = std::sqrt(variance / n);
  const bool squared = problem.cost == GroundCost::squared_euclidean;
  const double root = squared ? std::sqrt(mean) : mean;
  // d(mean^(1/2)) = d(mean) / (2 mean^(1/2)); at a mean of zero every slice is zero.
  const double root_error = !squared ? error : root > 0.0 ? error / (2.0 * root) : 0.0;
  const int exponent = frame.cost_exponent(problem.cost);
  result.mean = std::ldexp(mean, exponent);
  result.standard_error = std::ldexp(error, exponent);
  result.distance = std::ldexp(root, frame.exponent);
  result.distance_error = std::ldexp(root_error, frame.exponent);
  result.lower_bound = std::ldexp(*std::max_element(slices.begin(), slices.end()), exponent);
  result.upper_bound = std::ldexp(*std::min_element(full.begin(), full.end()), exponent);
  for (double& slice : result.projected_cost) slice = std::ldexp(slice, exponent);
  return result;
}

}  // namespace nw::ot
