// What the exact solver asks of a cost: single values and searches over all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace nw::ot {

/// A source and a target that mass may flow between, with its cost.
struct Arc {
  std::int32_t source, target;
  double cost;
};

/// How many arcs a search keeps.
struct ArcQuota {
  std::size_t per_source, per_target;
};

/// What a search for violated arcs found.
struct Violations {
  std::vector<Arc> arcs;  ///< for each source in turn the worst of its own
  double worst = 0.0;     ///< the smallest reduced cost seen; 0 when none is violated
  /// f_i = min_j c(i, j) - g_j, where the search saw it for every source; empty otherwise.
  std::vector<double> transform = {};
};

/// Costs c(i, j) between `sources()` x `targets()` points. f are potentials of the sources, g of
/// the targets, and r(i, j) = c(i, j) - f_i - g_j is the reduced cost. All searches are exact up to
/// rounding in double precision, and independent of the number of threads.
class CostModel {
 public:
  virtual ~CostModel() = default;
  [[nodiscard]] virtual std::size_t sources() const = 0;
  [[nodiscard]] virtual std::size_t targets() const = 0;
  [[nodiscard]] virtual double cost(std::size_t source, std::size_t target) const = 0;
  /// f_i = min_j c(i, j) - g_j, the c-transform: the largest f that is feasible with g.
  virtual void transform_to_sources(std::span<const double> g, std::span<double> f) const = 0;
  /// g_j = min_i c(i, j) - f_i.
  virtual void transform_to_targets(std::span<const double> f, std::span<double> g) const = 0;
  /// For each source and each target the arcs of smallest reduced cost; sorted, without repeats.
  /// REQUIRES: f_i + g_j <= c(i, j) up to rounding, with equality once per row and column.
  [[nodiscard]] virtual std::vector<Arc> best_arcs(std::span<const double> f,
                                                   std::span<const double> g,
                                                   ArcQuota quota) const = 0;
  /// Raises g to the c-transform of f and returns best_arcs(f, g, quota), which sees the same
  /// costs. REQUIRES: f is the c-transform of g.
  [[nodiscard]] virtual std::vector<Arc> raise_targets(std::span<const double> f,
                                                       std::span<double> g, ArcQuota quota) const {
    transform_to_targets(f, g);
    return best_arcs(f, g, quota);
  }
  /// The `per_source` worst arcs of each source whose reduced cost lies below -tolerance.
  [[nodiscard]] virtual Violations violated_arcs(std::span<const double> f,
                                                 std::span<const double> g, double tolerance,
                                                 std::size_t per_source) const = 0;
};

}  // namespace nw::ot
