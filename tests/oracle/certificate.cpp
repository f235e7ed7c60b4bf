#include "oracle/certificate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "oracle/brute_force.hpp"

namespace nw::oracle {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

AssertionResult has_marginal(const char* side, const std::vector<long double>& got,
                             std::span<const double> wanted, double tolerance) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double error = static_cast<double>(std::abs(got[i] - wanted[i]));
    if (!(error <= tolerance)) {
      return AssertionFailure() << side << " " << i << " should have mass " << wanted[i]
                                << " and is off by " << error;
    }
    if (wanted[i] == 0.0 && got[i] != 0.0L) {
      return AssertionFailure() << side << " " << i << " has no mass but sends "
                                << static_cast<double>(got[i]);
    }
  }
  return AssertionSuccess();
}

}  // namespace

AssertionResult is_optimal(const ot::TransportResult& result, MatrixView cost,
                           std::span<const double> source_masses,
                           std::span<const double> target_masses, const Tolerance& tolerance) {
  const std::size_t n = cost.rows(), m = cost.cols();
  if (!result.optimal()) return AssertionFailure() << "stopped: " << to_string(result.termination);
  if (result.source_potential.size() != n || result.target_potential.size() != m) {
    return AssertionFailure() << result.source_potential.size() << " and "
                              << result.target_potential.size() << " potentials for " << n
                              << " and " << m << " points";
  }
  if (result.plan.size() > n + m - 1) {
    return AssertionFailure() << "plan has " << result.plan.size() << " entries for " << n << " + "
                              << m << " points";
  }
  double scale = 0.0;
  for (const double c : cost.values()) scale = std::max(scale, std::abs(c));

  std::vector<long double> source_sum(n, 0.0L), target_sum(m, 0.0L);
  long double primal = 0.0L;
  std::pair<std::uint32_t, std::uint32_t> last{0, 0};
  for (const ot::Flow& flow : result.plan) {
    if (flow.source >= n || flow.target >= m) return AssertionFailure() << "flow out of range";
    if (!(flow.mass > 0.0)) return AssertionFailure() << "flow of mass " << flow.mass;
    const std::pair cell{flow.source, flow.target};
    if (&flow != result.plan.data() && cell <= last) {
      return AssertionFailure() << "plan is not sorted at (" << cell.first << ", " << cell.second
                                << ")";
    }
    last = cell;
    source_sum[flow.source] += flow.mass;
    target_sum[flow.target] += flow.mass;
    primal += static_cast<long double>(flow.mass) * cost(flow.source, flow.target);
  }
  if (auto ok = has_marginal("source", source_sum, source_masses, tolerance.marginal); !ok) {
    return ok;
  }
  if (auto ok = has_marginal("target", target_sum, target_masses, tolerance.marginal); !ok) {
    return ok;
  }

  double worst = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      const long double slack = static_cast<long double>(cost(i, j)) - result.source_potential[i] -
                                result.target_potential[j];
      if (!(slack >= -static_cast<long double>(scale) - tolerance.absolute)) {
        return AssertionFailure() << "potentials " << result.source_potential[i] << " and "
                                  << result.target_potential[j] << " against a cost of "
                                  << cost(i, j);
      }
      worst = std::min(worst, static_cast<double>(slack));
    }
  }
  if (-worst > tolerance.feasibility * scale + tolerance.absolute) {
    return AssertionFailure() << "potentials exceed a cost by " << -worst << ", costs reach "
                              << scale;
  }
  long double dual = 0.0L;
  for (std::size_t i = 0; i < n; ++i) {
    dual += static_cast<long double>(source_masses[i]) * result.source_potential[i];
  }
  for (std::size_t j = 0; j < m; ++j) {
    dual += static_cast<long double>(target_masses[j]) * result.target_potential[j];
  }
  const double rounding = 1e-14 * scale + tolerance.absolute;
  const double accepted = tolerance.gap * std::abs(static_cast<double>(primal)) + rounding;
  if (!(std::abs(static_cast<double>(primal) - result.cost) <= accepted)) {
    return AssertionFailure() << "cost " << result.cost << " but the plan costs "
                              << static_cast<double>(primal);
  }
  if (!(std::abs(static_cast<double>(dual) - result.dual_objective) <= accepted)) {
    return AssertionFailure() << "dual objective " << result.dual_objective
                              << " but the potentials give " << static_cast<double>(dual);
  }
  if (!(std::abs(result.gap()) <= accepted)) {
    return AssertionFailure() << "gap " << result.gap() << " at cost " << result.cost
                              << ", costs reach " << scale;
  }
  return AssertionSuccess();
}

AssertionResult is_optimal(const ot::TransportResult& result, const ot::PointProblem& problem,
                           const Tolerance& tolerance) {
  return is_optimal(result, cost_matrix(problem),
                    masses(problem.source.weights, problem.source.points.rows()),
                    masses(problem.target.weights, problem.target.points.rows()), tolerance);
}

}  // namespace nw::oracle
