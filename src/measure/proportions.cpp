// Proportions by cutting planes (Kelley 1960) with in-out stabilisation (Ben-Ameur and Neto 2007).
//
// f(pi) = W(P_X, sum_j pi_j G_j) is convex. One exact solve at pi returns potentials (u, v) that
// are feasible for the dual at every other pi' too, because pi' enters the dual objective only:
//   f(pi') >= sum_i a_i u_i + sum_j pi'_j mean_{s in j} v_s       [NW:dpi],
// with equality at pi' = pi. On the simplex this is a row of a matrix game, so the best lower bound
// after some solves is the value of that game (matrix_game.hpp), and it comes with a proof.
//
// The same solve gives one more bound. Shift v by a constant per component so that every component
// has mean zero, and take u_i = min_s (C_is - v_s): these potentials are feasible, and their dual
// objective sum_i a_i u_i does not depend on pi at all. For well separated components at the right
// proportions this bound is already tight, and one solve is proof enough.
//
// The next query lies between the best pi so far and the game's minimiser, within a radius. Near
// the optimum f is a cone for well separated components, so cuts taken close by are as good as cuts
// far away, while the warm-started solves are much cheaper.
#include "nw/measure/proportions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nw/base/error.hpp"

#include "measure/balanced_dual.hpp"
#include "measure/matrix_game.hpp"

namespace nw::measure {
namespace {

constexpr int kBalancedQueries = 2;

std::vector<double> nearest_component_shares(const ot::WeightedPoints& data, const Atoms& atoms) {
  const std::size_t k = atoms.components(), dim = atoms.points.cols();
  Matrix centres(k, dim);
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t i = atoms.begin[j]; i < atoms.begin[j + 1]; ++i) {
      for (std::size_t c = 0; c < dim; ++c) {
        centres(j, c) += atoms.points(i, c) / static_cast<double>(atoms.count(j));
      }
    }
  }
  std::vector<double> pi(k, 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < data.points.rows(); ++i) {
    std::size_t best = 0;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < k; ++j) {
      double distance = 0.0;
      for (std::size_t c = 0; c < dim; ++c) {
        const double delta = data.points(i, c) - centres(j, c);
        distance += delta * delta;
      }
      if (distance < smallest) {
        smallest = distance;
        best = j;
      }
    }
    const double weight = data.weights.empty() ? 1.0 : data.weights[i];
    pi[best] += weight;
    total += weight;
  }
  for (auto& p : pi) p /= total;
  return pi;
}

/// The cuts found so far: row c holds sum_i a_i u_i + mean v over component j, for each j.
class CutModel {
 public:
  explicit CutModel(std::size_t components) : components_(components) {}

  void add(double source_part, std::span<const double> component_means) {
    for (const double mean : component_means) values_.push_back(source_part + mean);
  }
  [[nodiscard]] GameSolution minimise() const {
    return solve_matrix_game({values_, values_.size() / components_, components_});
  }

 private:
  std::size_t components_;
  std::vector<double> values_;
};

void check(const ot::WeightedPoints& data, const Atoms& atoms) {
  require(atoms.begin.size() >= 2, "fit_proportions: no components");
  for (std::size_t j = 0; j < atoms.components(); ++j) {
    require(atoms.begin[j] < atoms.begin[j + 1], "fit_proportions: component ", j, " has no atoms");
  }
  require(atoms.begin.front() == 0 && atoms.begin.back() == atoms.points.rows(),
          "fit_proportions: components cover ", atoms.begin.back(), " of ", atoms.points.rows(),
          " atoms");
  require(data.points.rows() > 0, "fit_proportions: no data");
  require(data.points.cols() == atoms.points.cols(), "fit_proportions: data have ",
          data.points.cols(), " columns, atoms ", atoms.points.cols());
}

}  // namespace

void ProportionOptions::validate() const {
  require(relative_gap >= 0.0 && relative_gap < 1.0,
          "ProportionOptions.relative_gap must lie in [0, 1), got ", relative_gap);
  require(max_solves >= 1, "ProportionOptions.max_solves must be at least 1, got ", max_solves);
  require(atoms_per_component >= 1,
          "ProportionOptions.atoms_per_component must be at least 1, got ", atoms_per_component);
  require(threads >= 0, "ProportionOptions.threads must be >= 0, got ", threads);
  if (!start.empty()) validate_proportions(start, start.size());
}

std::vector<double> proportion_gradient(std::span<const double> target_potential,
                                        const Atoms& atoms) {
  require(target_potential.size() == atoms.points.rows(),
          "proportion_gradient: ", target_potential.size(), " potentials for ", atoms.points.rows(),
          " atoms");
  std::vector<double> gradient(atoms.components(), 0.0);
  for (std::size_t j = 0; j < atoms.components(); ++j) {
    for (std::size_t i = atoms.begin[j]; i < atoms.begin[j + 1]; ++i) {
      gradient[j] += target_potential[i];
    }
    gradient[j] /= static_cast<double>(atoms.count(j));
  }
  return gradient;
}

ProportionResult fit_proportions(const ot::WeightedPoints& data, const Atoms& atoms,
                                 const ProportionOptions& options) {
  options.validate();
  check(data, atoms);
  const std::size_t k = atoms.components();
  require(options.start.empty() || options.start.size() == k, "ProportionOptions.start has ",
          options.start.size(), " entries for ", k, " components");

  ProportionResult best;
  best.upper = std::numeric_limits<double>::infinity();
  best.lower = -std::numeric_limits<double>::infinity();
  CutModel cuts(k);
  std::vector<double> query =
      options.start.empty() ? nearest_component_shares(data, atoms) : options.start;
  const ot::TransportResult* warm = options.warm_start;  // then the best so far, which is near
  double radius = 0.02;  // how far from the best pi, in l1, the next query may lie
  for (;;) {
    const std::vector<double> weights = atoms.weights(query);
    ot::TransportResult solved = ot::solve_exact(
        {.source = data, .target = {atoms.points, weights}, .cost = options.cost},
        {.threads = options.threads, .observer = options.observer, .warm_start = warm});
    ++best.solves;
    const bool stopped = solved.termination == ot::Termination::interrupted;
    std::vector<double> gradient = proportion_gradient(solved.target_potential, atoms);
    double target_part = 0.0;
    for (std::size_t j = 0; j < k; ++j) target_part += query[j] * gradient[j];
    cuts.add(solved.dual_objective - target_part, gradient);
    // Later the cuts say more than the balanced bound, which costs n m distances each time.
    const bool early = best.solves <= kBalancedQueries;
    BalancedDual balanced;
    if (early) {
      balanced = balanced_dual(data, atoms, options.cost, solved.target_potential);
      cuts.add(balanced.bound, std::vector<double>(k, 0.0));
    }

    const bool improved = solved.cost < best.upper;
    if (improved) {
      best.upper = solved.cost;
      best.pi = query;
      best.gradient = std::move(gradient);
      best.transport = std::move(solved);
      warm = &best.transport;
    }
    const GameSolution model = cuts.minimise();
    best.lower = std::max(best.lower, model.lower);
    best.converged = best.upper - best.lower <= options.relative_gap * best.upper;
    if (best.converged || stopped || best.solves >= options.max_solves) return best;

    radius = improved ? std::min(1.5 * radius, 2.0) : std::max(0.7 * radius, 1e-4);
    // A few cuts say little about k directions; the balanced shares are the better aim at first.
    const std::vector<double>& aim = early ? balanced.shares : model.pi;
    double distance = 0.0;
    for (std::size_t j = 0; j < k; ++j) distance += std::abs(aim[j] - best.pi[j]);
    const double step = distance > 0.0 ? std::min(radius / distance, 0.7) : 0.0;
    for (std::size_t j = 0; j < k; ++j) query[j] = best.pi[j] + step * (aim[j] - best.pi[j]);
  }
}

ProportionResult fit_proportions(const ot::WeightedPoints& data, const Mixture& mixture,
                                 const ProportionOptions& options) {
  options.validate();
  return fit_proportions(data, stratified_atoms(mixture, options.atoms_per_component), options);
}

}  // namespace nw::measure
