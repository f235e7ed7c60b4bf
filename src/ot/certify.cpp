#include "nw/ot/certify.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ot/accurate_sum.hpp"
#include "ot/block_search.hpp"
#include "ot/masses.hpp"

namespace nw::ot {
namespace {

/// Sum of |marginal - mass|; `largest` rises to the largest of them.
double marginal_error(const std::vector<double>& marginal, const std::vector<double>& mass,
                      double& largest) {
  AccurateSum sum;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const double error = std::fabs(marginal[i] - mass[i]);
    sum.add(error);
    largest = std::max(largest, error);
  }
  return sum.value();
}

}  // namespace

double PlanCertificate::gap() const noexcept {
  const double excess = std::max(cost - lower_bound, 0.0);
  if (excess == 0.0) return 0.0;
  return lower_bound > 0.0 ? excess / lower_bound : std::numeric_limits<double>::infinity();
}

PlanCertificate certify(const PointProblem& problem, std::span<const Flow> plan,
                        const ExactOptions& options) {
  problem.validate();
  const MatrixView x = problem.source.points, y = problem.target.points;
  AccurateSum total;
  for (std::size_t k = 0; k < plan.size(); ++k) {
    const Flow& flow = plan[k];
    require(flow.source < x.rows() && flow.target < y.rows(), "entry ", k,
            " of the plan lies between ", flow.source, " and ", flow.target, "; there are ",
            x.rows(), " x ", y.rows(), " points");
    require(std::isfinite(flow.mass), "entry ", k, " of the plan has the mass ", flow.mass);
    total.add(flow.mass);
  }
  PlanCertificate found;
  found.mass = total.value();
  require(found.mass > 0.0, "the masses of the plan sum to ", found.mass);
  std::vector<double> sent(x.rows(), 0.0), received(y.rows(), 0.0);
  AccurateSum cost, negative;
  for (const Flow& flow : plan) {
    const double mass = flow.mass / found.mass;
    sent[flow.source] += mass;
    received[flow.target] += mass;
    if (mass < 0.0) negative.add(-mass);
    cost.add_product(mass, point_cost(problem.cost, x.row(flow.source).data(),
                                      y.row(flow.target).data(), x.cols()));
  }
  found.cost = cost.value();
  found.negative = negative.value();
  found.source_error = marginal_error(sent, normalized_masses(problem.source.weights, x.rows()),
                                      found.largest_error);
  found.target_error = marginal_error(received, normalized_masses(problem.target.weights, y.rows()),
                                      found.largest_error);
  const TransportResult best = solve_exact(problem, options);
  found.lower_bound = best.dual_objective;
  found.upper_bound = best.cost;
  found.termination = best.termination;
  found.pivots = best.pivots;
  return found;
}

}  // namespace nw::ot
