// The network simplex over a growing list of candidate arcs.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "ot/spanning_tree.hpp"

namespace nw::ot {

/// What is left of the solver's budget; shared by all levels.
class PivotBudget {
 public:
  PivotBudget() = default;
  /// `limit` 0 means none; `keep_going` may be empty.
  PivotBudget(std::int64_t limit, std::function<bool()> keep_going)
      : limit_(limit), keep_going_(std::move(keep_going)) {}

  void spend(std::int64_t pivots = 1) { pivots_ += pivots; }
  [[nodiscard]] std::int64_t pivots() const { return pivots_; }
  [[nodiscard]] bool limited() const { return limit_ > 0; }
  [[nodiscard]] bool exhausted() const { return limit_ > 0 && pivots_ >= limit_; }
  /// Asks whether to go on; a no is final.
  [[nodiscard]] bool interrupted() {
    interrupted_ = interrupted_ || (keep_going_ && !keep_going_());
    return interrupted_;
  }

 private:
  std::int64_t pivots_ = 0, limit_ = 0;
  std::function<bool()> keep_going_;
  bool interrupted_ = false;
};

enum class SimplexOutcome { clean, gap_reached, pivot_limit, interrupted };

class NetworkSimplex {
 public:
  NetworkSimplex(std::span<const std::int64_t> supply, std::span<const std::int64_t> demand,
                 std::vector<Arc> arcs);
  /// Goes on from a tree; start() must not be called.
  NetworkSimplex(SpanningTree tree, std::vector<Arc> arcs)
      : tree_(std::move(tree)), arcs_(std::move(arcs)) {}

  void start(std::span<const std::uint64_t> order, std::span<const double> f,
             std::span<const double> g, double artificial_cost) {
    tree_.start(arcs_, order, f, g, artificial_cost);
  }
  /// New arcs are priced first by the next run.
  void add_arcs(std::span<const Arc> arcs);
  /// Pivots until no arc of the list has a reduced cost below -tolerance.
  [[nodiscard]] SimplexOutcome run(double tolerance, PivotBudget& budget);

  [[nodiscard]] SpanningTree& tree() { return tree_; }
  [[nodiscard]] const SpanningTree& tree() const { return tree_; }
  [[nodiscard]] std::span<const Arc> arcs() const { return arcs_; }

 private:
  struct Violation {
    double reduced;
    std::uint32_t arc;
    bool operator<(const Violation& other) const {
      return reduced < other.reduced || (reduced == other.reduced && arc < other.arc);
    }
  };

  double price(std::size_t begin, std::size_t end);
  void pivot_on_worst(std::size_t begin, std::size_t end, double threshold, PivotBudget& budget);

  SpanningTree tree_;
  std::vector<Arc> arcs_;
  std::size_t next_ = 0;                ///< where pricing goes on
  std::vector<double> reduced_;         ///< of the arcs of the block being priced
  std::vector<double> worst_of_strip_;  ///< the smallest of each run of them
  std::vector<Violation> violations_;
};

}  // namespace nw::ot
