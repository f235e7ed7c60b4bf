// Pivots on several threads: a network simplex in each piece of the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "ot/network_simplex.hpp"
#include "ot/tree_pieces.hpp"

namespace nw::ot {

/// Brings a simplex near the answer before it runs on the whole tree. Pieces depend on the tree and
/// on nothing else, so the answer is the same for every number of threads.
class PiecewiseSimplex {
 public:
  /// `simplex` must outlive it, and have been started.
  PiecewiseSimplex(NetworkSimplex& simplex, int threads);

  /// Cuts the tree into pieces and pivots in each of them until no arc within it has a reduced cost
  /// below -tolerance, then again with other borders while that brings much. Does nothing for small
  /// trees, when few arcs were added since the last call, or when pivots are limited.
  void run(double tolerance, PivotBudget& budget);

 private:
  /// Where in the simplex's list the arcs of each source begin, among those that were added between
  /// two calls. [sources + 1]
  using Addition = std::vector<std::uint32_t>;

  /// Finds the arcs of each source among those added since the last call.
  void index_new_arcs();
  /// One sweep over the pieces; returns the number of pivots.
  std::int64_t sweep(const TreePieces& pieces, double tolerance, PivotBudget& budget);
  /// Solves one piece and writes what became of it into the tree.
  void solve(const TreePieces& pieces, std::size_t piece, double tolerance, PivotBudget& budget);
  [[nodiscard]] std::vector<Arc> arcs_within(const TreePieces& pieces, std::size_t piece,
                                             std::size_t sources) const;

  NetworkSimplex& simplex_;
  int threads_;
  std::vector<std::uint32_t> place_;  ///< of each node; that of a target is its nearest source's
  std::vector<Addition> additions_;
  std::size_t indexed_ = 0;  ///< arcs
};

}  // namespace nw::ot
