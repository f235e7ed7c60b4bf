#include "nw/ot/wasserstein.hpp"

#include <array>
#include <cmath>

#include "nw/base/stopwatch.hpp"
#include "nw/ot/one_dimensional.hpp"

namespace nw::ot {
namespace {

struct Choice {
  WassersteinMethod method;
  std::string reason;
};

// A prediction deserves one digit.
std::string rounded_seconds(double seconds) {
  if (seconds < 1.0) return "under a second";
  const double digit = std::pow(10.0, std::floor(std::log10(seconds)));
  return concat("about ", std::round(seconds / digit) * digit, " s");
}

Choice choose(const PointProblem& problem, const WassersteinOptions& options) {
  const auto size = concat(problem.source.points.rows(), " x ", problem.target.points.rows(),
                           " points in dimension ", problem.source.points.cols());
  if (options.method != WassersteinMethod::automatic) {
    return {options.method, concat("asked for, ", size)};
  }
  if (problem.source.points.cols() == 1) {
    return {WassersteinMethod::exact, concat("closed form on the line, ", size)};
  }
  const auto limit = concat("the limit of ", options.time_limit, " s");
  const double exact = predicted_seconds(WassersteinMethod::exact, problem, options);
  if (exact <= options.time_limit) {
    return {WassersteinMethod::exact,
            concat(size, ": ", rounded_seconds(exact), " predicted, within ", limit)};
  }
  const double sinkhorn = predicted_seconds(WassersteinMethod::sinkhorn, problem, options);
  const auto beyond =
      concat(size, ": exact would take ", rounded_seconds(exact), ", beyond ", limit);
  if (sinkhorn <= options.time_limit) {
    return {WassersteinMethod::sinkhorn,
            concat(beyond, "; sinkhorn ", rounded_seconds(sinkhorn), "; approximate")};
  }
  return {WassersteinMethod::sliced,
          concat(beyond, "; sinkhorn ", rounded_seconds(sinkhorn),
                 "; the sliced distance is a different, smaller number")};
}

double root(double value, int p) {
  return p == 1 ? value : std::sqrt(std::max(value, 0.0));
}

void solve_by_exact(const PointProblem& problem, const WassersteinOptions& options,
                    WassersteinResult& result) {
  if (problem.source.points.cols() == 1) {
    result.transport = solve_one_dimensional(problem);
  } else {
    ExactOptions exact = options.exact;
    if (options.threads > 0) exact.threads = options.threads;
    result.transport = solve_exact(problem, exact);
  }
  result.primal = result.transport.cost;
  result.dual = result.transport.dual_objective;
  result.distance = root(result.primal, options.p);
  result.exact = result.transport.optimal();
  result.converged = result.exact || result.transport.termination == Termination::gap_reached;
  if (result.converged && !result.exact) {
    result.reason += concat("; stopped at a gap of ", options.exact.gap, " as asked");
  }
  if (!result.converged) {
    result.reason += concat("; stopped early: ", to_string(result.transport.termination));
  }
}

void solve_by_sinkhorn(const PointProblem& problem, const WassersteinOptions& options,
                       WassersteinResult& result) {
  SinkhornOptions sinkhorn = options.sinkhorn;
  if (options.threads > 0) sinkhorn.threads = options.threads;
  SinkhornResult solved = solve_sinkhorn(problem, sinkhorn);
  result.primal = solved.upper_bound;
  result.dual = solved.lower_bound;
  result.distance = root(solved.divergence.value_or(solved.upper_bound), options.p);
  result.converged = solved.converged();
  result.marginal_error = solved.marginal_error;
  result.transport.cost = solved.upper_bound;
  result.transport.dual_objective = solved.lower_bound;
  result.transport.source_potential = std::move(solved.source_potential);
  result.transport.target_potential = std::move(solved.target_potential);
  if (!result.converged) {
    result.reason += concat("; not converged after ", solved.iterations,
                            " iterations: ", to_string(solved.stop));
  }
}

void solve_by_slices(const PointProblem& problem, const WassersteinOptions& options,
                     WassersteinResult& result) {
  SlicedOptions sliced = options.sliced;
  if (options.threads > 0) sliced.threads = options.threads;
  Rng rng(options.seed);
  const SlicedResult solved = sliced_wasserstein(problem, sliced, rng);
  result.primal = solved.upper_bound;
  result.dual = solved.lower_bound;
  result.distance = solved.distance;
  result.standard_error = solved.distance_error;
  result.converged = true;
}

}  // namespace

void WassersteinOptions::validate() const {
  require_fields_in_range("WassersteinOptions", *this);
  exact.validate();
  sinkhorn.validate();
  sliced.validate();
}

double predicted_seconds(WassersteinMethod method, const PointProblem& problem,
                         const WassersteinOptions& options) {
  const double n = static_cast<double>(problem.source.points.rows());
  const double m = static_cast<double>(problem.target.points.rows());
  const double d = static_cast<double>(problem.source.points.cols());
  const bool squared = problem.cost == GroundCost::squared_euclidean;
  switch (method) {
    case WassersteinMethod::sinkhorn: {
      // Two passes over all pairs an iteration; iterations grow as epsilon falls.
      const double iterations = 10.0 + 0.4 / options.sinkhorn.epsilon;
      return 2.0 * iterations * n * m * (1.2e-9 + 0.1e-9 * d);
    }
    case WassersteinMethod::sliced:
      return options.sliced.directions * (n + m) * (1e-7 + 1e-9 * d);
    case WassersteinMethod::automatic:
    case WassersteinMethod::exact:
      break;
  }
  if (d == 1.0) return 2e-7 * (n + m);
  // Few dimensions let the search skip most pairs; many do not. The power is the growth that was
  // measured in the plane where mass travels far (docs/transport.md).
  const double size = 0.5 * (n + m) / 1e4;
  if (d <= 3.0) return (squared ? 0.2 : 0.7) * std::pow(size, 1.53);
  return (squared ? 0.5 : 1.0) * ((0.7 + 0.1 * d) * n * m / 1e8 + 0.2 * size);
}

WassersteinResult wasserstein(const WeightedPoints& x, const WeightedPoints& y,
                              const WassersteinOptions& options) {
  const Stopwatch watch;
  options.validate();
  const PointProblem problem{
      x, y, options.p == 1 ? GroundCost::euclidean : GroundCost::squared_euclidean};
  problem.validate();
  auto [method, reason] = choose(problem, options);
  WassersteinResult result;
  result.method = method;
  result.reason = std::move(reason);
  switch (method) {
    case WassersteinMethod::automatic:
    case WassersteinMethod::exact:
      solve_by_exact(problem, options, result);
      break;
    case WassersteinMethod::sinkhorn:
      solve_by_sinkhorn(problem, options, result);
      break;
    case WassersteinMethod::sliced:
      solve_by_slices(problem, options, result);
      break;
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace nw::ot
