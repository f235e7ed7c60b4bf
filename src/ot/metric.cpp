#include "nw/ot/metric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "nw/base/parallel.hpp"

namespace nw::ot {
namespace {

constexpr std::array kMetrics = {Metric::euclidean, Metric::cityblock, Metric::chebyshev,
                                 Metric::cosine};
/// Two gigabytes.
constexpr std::size_t kLargestMatrix = std::size_t{1} << 28;
constexpr std::size_t kRowsPerTask = 16;

Matrix copy_of(MatrixView points) {
  Matrix copy(points.rows(), points.cols());
  std::copy(points.values().begin(), points.values().end(), copy.values().begin());
  return copy;
}

/// L with L L' = matrix. Throws InvalidArgument unless the matrix is positive definite.
Matrix cholesky(MatrixView matrix) {
  const std::size_t d = matrix.rows();
  Matrix lower(d, d);
  for (std::size_t k = 0; k < d; ++k) {
    for (std::size_t l = 0; l <= k; ++l) {
      const double a = matrix(k, l), b = matrix(l, k);
      require(std::fabs(a - b) <= 1e-9 * (std::fabs(a) + std::fabs(b)),
              "MetricOptions.precision is not symmetric in row ", k, ", column ", l);
      double sum = a;
      for (std::size_t h = 0; h < l; ++h) sum -= lower(k, h) * lower(l, h);
      if (l < k) {
        lower(k, l) = sum / lower(l, l);
      } else {
        require(sum > 0.0 && std::isfinite(sum),
                "MetricOptions.precision is not positive definite");
        lower(k, k) = std::sqrt(sum);
      }
    }
  }
  return lower;
}

/// Rows times L: distances become those of the quadratic form L L'.
Matrix transformed(MatrixView points, const Matrix& lower) {
  Matrix result(points.rows(), points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t k = 0; k < points.cols(); ++k) {
      double sum = 0.0;
      for (std::size_t l = k; l < points.cols(); ++l) sum += points(i, l) * lower(l, k);
      result(i, k) = sum;
    }
  }
  return result;
}

/// Rows of length one.
Matrix directions(const char* which, MatrixView points) {
  Matrix result = copy_of(points);
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double largest = 0.0, square = 0.0;
    for (const double value : points.row(i)) largest = std::max(largest, std::fabs(value));
    require(largest > 0.0, "row ", i, " of the ", which, " cloud is zero and has no direction");
    for (const double value : points.row(i)) square += (value / largest) * (value / largest);
    const double length = std::sqrt(square);
    for (double& value : result.row(i)) value = value / largest / length;
  }
  return result;
}

double distance(Metric metric, std::span<const double> x, std::span<const double> y) {
  double sum = 0.0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double difference = std::fabs(x[k] - y[k]);
    switch (metric) {
      case Metric::cityblock:
        sum += difference;
        break;
      case Metric::chebyshev:
        sum = std::max(sum, difference);
        break;
      case Metric::euclidean:
      case Metric::cosine:
        sum += difference * difference;
        break;
    }
  }
  if (metric == Metric::euclidean) return std::sqrt(sum);
  return metric == Metric::cosine ? 0.5 * sum : sum;  // of directions: 1 - x.y = |x - y|^2 / 2
}

/// Both clouds with the transformations that a metric asks for.
struct PreparedClouds {
  Matrix x, y;  ///< empty where the points serve as they are
  WeightedPoints source, target;
};

PreparedClouds prepare(const WeightedPoints& source, const WeightedPoints& target,
                       const MetricOptions& options) {
  options.validate();
  PointProblem{source, target, GroundCost::euclidean}.validate();
  const std::size_t d = source.points.cols();
  require(options.precision.rows() == 0 || options.precision.rows() == d,
          "MetricOptions.precision is ", options.precision.rows(), " x ", options.precision.rows(),
          ", the points have ", d, " coordinates");
  PreparedClouds clouds{.x = {}, .y = {}, .source = source, .target = target};
  if (options.precision.rows() > 0) {
    const Matrix lower = cholesky(options.precision);
    clouds.x = transformed(source.points, lower);
    clouds.y = transformed(target.points, lower);
    clouds.source.points = clouds.x, clouds.target.points = clouds.y;
  }
  if (options.metric == Metric::cosine) {
    clouds.x = directions("source", clouds.source.points);
    clouds.y = directions("target", clouds.target.points);
    clouds.source.points = clouds.x, clouds.target.points = clouds.y;
  }
  return clouds;
}

Matrix costs_of(const PreparedClouds& clouds, const MetricOptions& options) {
  const MatrixView x = clouds.source.points, y = clouds.target.points;
  require(x.rows() <= kLargestMatrix / y.rows(), to_string(options.metric), " costs to the power ",
          options.exponent, " need a matrix, and ", x.rows(), " x ", y.rows(),
          " numbers are too many; at most ", kLargestMatrix, " are taken");
  Matrix costs(x.rows(), y.rows());
  parallel_for(resolve_threads(options.exact.threads), x.rows(), kRowsPerTask,
               [&](std::size_t begin, std::size_t end, int) {
                 for (std::size_t i = begin; i < end; ++i) {
                   for (std::size_t j = 0; j < y.rows(); ++j) {
                     const double value = distance(options.metric, x.row(i), y.row(j));
                     costs(i, j) = options.exponent == 1.0   ? value
                                   : options.exponent == 2.0 ? value * value
                                                             : std::pow(value, options.exponent);
                   }
                 }
               });
  return costs;
}

void halve(TransportResult& result) {
  result.cost *= 0.5;
  result.dual_objective *= 0.5;
  for (double& value : result.source_potential) value *= 0.5;
  for (double& value : result.target_potential) value *= 0.5;
  for (BoundsInTime& moment : result.history) moment.cost *= 0.5, moment.dual_objective *= 0.5;
}

double total_of(std::span<const double> weights) {
  double total = 0.0;
  for (const double weight : weights) total += weight;
  return weights.empty() ? 1.0 : total;
}

std::vector<double> with_dummy(std::span<const double> weights, std::size_t count, double dummy) {
  std::vector<double> all(weights.begin(), weights.end());
  if (all.empty()) all.assign(count, 1.0 / static_cast<double>(count));
  all.push_back(dummy);
  return all;
}

}  // namespace

const char* to_string(Metric metric) {
  switch (metric) {
    case Metric::euclidean:
      return "euclidean";
    case Metric::cityblock:
      return "cityblock";
    case Metric::chebyshev:
      return "chebyshev";
    case Metric::cosine:
      return "cosine";
  }
  return "unknown";
}

Metric metric_from_string(const std::string& name) {
  for (const Metric metric : kMetrics) {
    if (name == to_string(metric)) return metric;
  }
  throw InvalidArgument(
      concat("metric must be euclidean, cityblock, chebyshev or cosine, got '", name, "'"));
}

void MetricOptions::validate() const {
  require(exponent >= 1.0 && exponent <= 2.0, "MetricOptions.exponent must lie in [1, 2], got ",
          exponent);
  require(precision.rows() == precision.cols(), "MetricOptions.precision must be square, got ",
          precision.rows(), " x ", precision.cols());
  exact.validate();
}

TransportResult solve_metric(const WeightedPoints& source, const WeightedPoints& target,
                             const MetricOptions& options) {
  const PreparedClouds clouds = prepare(source, target, options);
  const auto solve_points = [&](GroundCost cost) {
    return solve_exact(PointProblem{clouds.source, clouds.target, cost}, options.exact);
  };
  const bool euclidean = options.metric == Metric::euclidean;
  if (euclidean && options.exponent == 1.0) return solve_points(GroundCost::euclidean);
  if (euclidean && options.exponent == 2.0) return solve_points(GroundCost::squared_euclidean);
  if (options.metric == Metric::cosine && options.exponent == 1.0) {
    TransportResult result = solve_points(GroundCost::squared_euclidean);
    halve(result);
    return result;
  }
  return solve_exact(MatrixProblem{costs_of(clouds, options), source.weights, target.weights},
                     options.exact);
}

Matrix metric_costs(const WeightedPoints& source, const WeightedPoints& target,
                    const MetricOptions& options) {
  return costs_of(prepare(source, target, options), options);
}

PartialResult solve_partial(const WeightedPoints& source, const WeightedPoints& target,
                            double price, const MetricOptions& options) {
  return solve_partial(
      MatrixProblem{metric_costs(source, target, options), source.weights, target.weights}, price,
      options.exact);
}

PartialResult solve_partial(const MatrixProblem& problem, double price,
                            const ExactOptions& options) {
  problem.validate();
  require(std::isfinite(price) && price >= 0.0,
          "the price of leaving mass must not be negative, got ", price);
  require(options.warm_start == nullptr, "solve_partial takes no ExactOptions.warm_start");
  // One more point on either side takes what is left; both may fill up from each other for nothing.
  const std::size_t n = problem.cost.rows(), m = problem.cost.cols();
  const double source_total = total_of(problem.source_weights);
  const double target_total = total_of(problem.target_weights);
  Matrix costs(n + 1, m + 1);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy(problem.cost.row(i).begin(), problem.cost.row(i).end(), costs.row(i).begin());
    costs(i, m) = price;
  }
  for (std::size_t j = 0; j < m; ++j) costs(n, j) = price;
  costs(n, m) = 0.0;
  const std::vector<double> a = with_dummy(problem.source_weights, n, target_total);
  const std::vector<double> b = with_dummy(problem.target_weights, m, source_total);
  PartialResult found;
  found.transport = solve_exact(MatrixProblem{costs, a, b}, options);
  TransportResult& result = found.transport;
  const double total = source_total + target_total;
  result.cost *= total;
  result.dual_objective *= total;
  for (BoundsInTime& moment : result.history) moment.cost *= total, moment.dual_objective *= total;
  std::vector<Flow> moved;
  for (Flow flow : result.plan) {
    flow.mass *= total;
    if (flow.source == n && flow.target == m) continue;
    if (flow.target == m) {
      found.left_at_source += flow.mass;
    } else if (flow.source == n) {
      found.left_at_target += flow.mass;
    } else {
      found.moved += flow.mass;
      moved.push_back(flow);
    }
  }
  result.plan = std::move(moved);
  // With those of the two extra points added, whose sum is at most zero, the potentials respect
  // costs and price, and their objective is the same.
  const double f0 = result.source_potential.back(), g0 = result.target_potential.back();
  result.source_potential.pop_back();
  result.target_potential.pop_back();
  for (double& value : result.source_potential) value += g0;
  for (double& value : result.target_potential) value += f0;
  return found;
}

}  // namespace nw::ot
