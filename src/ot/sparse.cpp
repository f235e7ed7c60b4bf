// Transport over the entries of a sparse matrix: one network simplex that has all of them as
// candidates, so a run without a violated arc is the proof and no pass over all pairs is needed.
//
// Artificial arcs carry what the entries have not taken yet. Their cost rises while flow is left on
// them, which ends only if the entries can take everything. That is decided by the same simplex
// with costs of zero, whose potentials are small integers: what remains artificial then is the mass
// that no plan can move, and the nodes that its potentials separate are the reason (Hall 1935).
#include "nw/ot/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "ot/accurate_sum.hpp"
#include "ot/cost_key.hpp"
#include "ot/integer_masses.hpp"
#include "ot/level_answer.hpp"
#include "ot/network_simplex.hpp"

namespace nw::ot {
namespace {

constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();
/// Artificial arcs cost this many times the largest cost at first, and this many times more
/// whenever that leaves flow on them ...
constexpr double kArtificialCost = 2.0, kRaise = 5.0;
/// ... and beyond this many it is time to ask whether a plan exists.
constexpr double kDoubtful = 50.0;
/// Totals from here on are rounded weights, whose last units may fit nowhere.
constexpr std::int64_t kRoundedTotal = std::int64_t{1} << 50;
/// Rows that an error message names.
constexpr std::size_t kNamedRows = 5;

std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

/// The points of one side that have mass.
struct Side {
  std::vector<std::uint32_t> rows;   ///< the user's
  std::vector<std::uint32_t> place;  ///< of each of the user's rows among them
  std::vector<std::int64_t> mass;

  explicit Side(std::span<const std::int64_t> masses) : place(masses.size(), kAbsent) {
    for (std::uint32_t i = 0; i < masses.size(); ++i) {
      if (masses[i] == 0) continue;
      place[i] = static_cast<std::uint32_t>(rows.size());
      rows.push_back(i);
      mass.push_back(masses[i]);
    }
  }
};

class SparseSolver {
 public:
  SparseSolver(const SparseProblem& problem, const ExactOptions& options)
      : costs_(problem.cost),
        masses_(integer_masses(problem.source_weights, costs_.rows, problem.target_weights,
                               costs_.columns)),
        x_(masses_.source),
        y_(masses_.target),
        total_(static_cast<double>(masses_.total)),
        progress_(options, 1) {
    double largest = 0.0;
    for (const double value : costs_.cost) largest = std::max(largest, std::fabs(value));
    exponent_ = largest > 0.0 ? std::ilogb(largest) + 1 : 0;
    tolerance_ = std::max(options.tolerance, 1e-15);
  }

  TransportResult solve() {
    std::vector<Arc> arcs = arcs_with([this](std::size_t k) { return scaled(k); });
    std::vector<double> f(x_.rows.size(), HUGE_VAL), g(y_.rows.size(), HUGE_VAL);
    for (const Arc& arc : arcs) f[at(arc.source)] = std::min(f[at(arc.source)], arc.cost);
    require_entries(f, "source");
    for (const Arc& arc : arcs) {
      g[at(arc.target)] = std::min(g[at(arc.target)], arc.cost - f[at(arc.source)]);
    }
    require_entries(g, "target");

    const std::vector<std::uint64_t> order = by_reduced_cost(arcs, f, g);
    NetworkSimplex simplex(x_.mass, y_.mass, std::move(arcs));
    double artificial_cost = kArtificialCost;
    simplex.start(order, f, g, artificial_cost);
    SimplexOutcome outcome = simplex.run(tolerance_, progress_.budget);
    bool possible = false;
    while (outcome == SimplexOutcome::clean && simplex.tree().artificial_flow() > lost_units()) {
      if (!possible && artificial_cost >= kDoubtful) {
        require_plan();
        possible = true;
      }
      simplex.tree().raise_artificial_cost((kRaise - 1.0) * artificial_cost);
      artificial_cost *= kRaise;
      // Potentials of that size are known less well.
      outcome = simplex.run(std::max(tolerance_, 1e-15 * artificial_cost), progress_.budget);
    }
    return answer(simplex, outcome);
  }

 private:
  /// Costs have magnitude one at most.
  [[nodiscard]] double scaled(std::size_t entry) const {
    return std::ldexp(costs_.cost[entry], -exponent_);
  }

  /// Artificial flow that is owed to the rounding of weights, which have 53 bits.
  [[nodiscard]] std::int64_t lost_units() const {
    if (masses_.total < kRoundedTotal) return 0;
    return (masses_.total >> 52) * static_cast<std::int64_t>(costs_.rows + costs_.columns);
  }

  /// The entries between points with mass.
  template <typename Cost>
  [[nodiscard]] std::vector<Arc> arcs_with(const Cost& cost) const {
    std::vector<Arc> arcs;
    for_each_entry([&](std::size_t i, std::size_t j, std::size_t k) {
      if (x_.place[i] == kAbsent || y_.place[j] == kAbsent) return;
      arcs.push_back({static_cast<std::int32_t>(x_.place[i]),
                      static_cast<std::int32_t>(y_.place[j]), cost(k)});
    });
    return arcs;
  }

  template <typename Visit>
  void for_each_entry(const Visit& visit) const {
    for (std::size_t i = 0; i < costs_.rows; ++i) {
      for (std::size_t k = at(costs_.row_begin[i]); k < at(costs_.row_begin[i + 1]); ++k) {
        visit(i, at(costs_.column[k]), k);
      }
    }
  }

  static std::vector<std::uint64_t> by_reduced_cost(std::span<const Arc> arcs,
                                                    std::span<const double> f,
                                                    std::span<const double> g) {
    std::vector<std::uint64_t> keys;
    keys.reserve(arcs.size());
    for (const Arc& arc : arcs) {
      keys.push_back(cost_key(arc.cost - f[at(arc.source)] - g[at(arc.target)], keys.size()));
    }
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  void require_entries(std::span<const double> potential, const char* side) const {
    const auto missing = std::ranges::find(potential, HUGE_VAL);
    if (missing == potential.end()) return;
    const auto k = static_cast<std::size_t>(missing - potential.begin());
    const bool source = std::string(side) == "source";
    throw InvalidArgument(concat("no plan uses the given pairs alone: ", side, " ",
                                 source ? x_.rows[k] : y_.rows[k], " has mass and no entry"));
  }

  /// Throws InvalidArgument unless the entries can carry all mass.
  void require_plan() const {
    std::vector<Arc> arcs = arcs_with([](std::size_t) { return 0.0; });
    const std::vector<double> f(x_.rows.size(), 0.0), g(y_.rows.size(), 0.0);
    const std::vector<std::uint64_t> order = by_reduced_cost(arcs, f, g);
    NetworkSimplex flow(x_.mass, y_.mass, std::move(arcs));
    flow.start(order, f, g, 1.0);
    PivotBudget unlimited;
    (void)flow.run(0.5, unlimited);  // potentials differ by whole numbers
    SpanningTree& tree = flow.tree();
    std::int64_t stuck = 0;
    tree.for_each_artificial([&](std::size_t node, std::int64_t units) {
      if (node < x_.rows.size()) stuck += units;
    });
    if (tree.artificial_flow() <= lost_units()) return;
    // f_i = 1 where mass is stuck or could take another's place: those rows reach too little.
    tree.refresh_potentials();
    double highest = -HUGE_VAL;
    for (std::size_t i = 0; i < x_.rows.size(); ++i) {
      highest = std::max(highest, tree.source_potential(i));
    }
    std::string names;
    double needed = 0.0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < x_.rows.size(); ++i) {
      if (tree.source_potential(i) < highest - 0.5) continue;
      needed += static_cast<double>(x_.mass[i]) / total_;
      if (count++ < kNamedRows) names += concat(names.empty() ? "" : ", ", x_.rows[i]);
    }
    throw InvalidArgument(
        concat("no plan uses the given pairs alone: ", static_cast<double>(stuck) / total_,
               " of the mass cannot be moved; source", count == 1 ? " " : "s ", names,
               count > kNamedRows ? ", ..." : "", " with ", needed, " of it reach targets with ",
               needed - static_cast<double>(stuck) / total_, " of it"));
  }

  TransportResult answer(NetworkSimplex& simplex, SimplexOutcome outcome) {
    SpanningTree& tree = simplex.tree();
    tree.refresh_potentials();
    TransportResult result;
    result.termination = outcome == SimplexOutcome::clean         ? Termination::optimal
                         : outcome == SimplexOutcome::pivot_limit ? Termination::pivot_limit
                                                                  : Termination::interrupted;
    result.pivots = progress_.budget.pivots();
    result.source_potential.assign(costs_.rows, HUGE_VAL);
    result.target_potential.assign(costs_.columns, HUGE_VAL);
    complete_potentials(tree, result);

    AccurateSum primal, dual;
    for (std::size_t i = 0; i < x_.rows.size(); ++i) {
      dual.add_product(static_cast<double>(x_.mass[i]) / total_,
                       result.source_potential[x_.rows[i]]);
    }
    for (std::size_t j = 0; j < y_.rows.size(); ++j) {
      dual.add_product(static_cast<double>(y_.mass[j]) / total_,
                       result.target_potential[y_.rows[j]]);
    }
    const bool has_plan = tree.artificial_flow() <= lost_units();
    tree.for_each_arc([&](std::size_t i, std::size_t j, std::int64_t flow) {
      if (!has_plan || flow == 0) return;
      result.plan.push_back({x_.rows[i], y_.rows[j], static_cast<double>(flow) / total_});
    });
    std::ranges::sort(result.plan, [](const Flow& a, const Flow& b) {
      return a.source < b.source || (a.source == b.source && a.target < b.target);
    });
    for (const Flow& entry : result.plan) {
      primal.add_product(entry.mass, scaled(entry_of(entry.source, entry.target)));
    }
    result.cost = has_plan ? std::ldexp(primal.value(), exponent_) : HUGE_VAL;
    result.dual_objective = std::ldexp(dual.value(), exponent_);
    for (auto* side : {&result.source_potential, &result.target_potential}) {
      for (double& value : *side) value = std::ldexp(value, exponent_);
    }
    return result;
  }

  [[nodiscard]] std::size_t entry_of(std::size_t i, std::size_t j) const {
    const auto begin = costs_.column.begin();
    const auto found = std::lower_bound(
        begin + costs_.row_begin[i], begin + costs_.row_begin[i + 1], static_cast<std::int64_t>(j));
    return static_cast<std::size_t>(found - begin);
  }

  /// The largest feasible potentials of the sources for the tree's of the targets. Points without
  /// mass come after those that have some, targets last; without an entry they get zero.
  void complete_potentials(const SpanningTree& tree, TransportResult& result) const {
    std::vector<double>&f = result.source_potential, &g = result.target_potential;
    for (std::size_t j = 0; j < y_.rows.size(); ++j) g[y_.rows[j]] = tree.target_potential(j);
    for_each_entry([&](std::size_t i, std::size_t j, std::size_t k) {
      if (y_.place[j] != kAbsent) f[i] = std::min(f[i], scaled(k) - g[j]);
    });
    for (double& value : f) value = value == HUGE_VAL ? 0.0 : value;
    for_each_entry([&](std::size_t i, std::size_t j, std::size_t k) {
      if (y_.place[j] == kAbsent) g[j] = std::min(g[j], scaled(k) - f[i]);
    });
    for (double& value : g) value = value == HUGE_VAL ? 0.0 : value;
  }

  const SparseCosts& costs_;
  IntegerMasses masses_;
  Side x_, y_;
  double total_;
  int exponent_ = 0;
  double tolerance_ = 0.0;
  Progress progress_;
};

}  // namespace

TransportResult solve_sparse(const SparseProblem& problem, const ExactOptions& options) {
  problem.validate();
  options.validate();
  require(options.warm_start == nullptr, "solve_sparse takes no ExactOptions.warm_start");
  return SparseSolver(problem, options).solve();
}

}  // namespace nw::ot
