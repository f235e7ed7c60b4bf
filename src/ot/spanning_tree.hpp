// The basis of the network simplex: a spanning tree over sources, targets and an artificial root.
//
// Invariants: (1) every node but the root has a parent; (2) the arc between a source and its parent
// points up, the arc between a target and its parent points down, whatever the parent is;
// (3) `potential(source) + potential(target) = cost` on tree arcs; (4) the tree is strongly
// feasible (Cunningham 1976): arcs without flow point up, so that degenerate pivots cannot cycle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ot/cost_model.hpp"
#include "ot/tree_tour.hpp"

namespace nw::ot {

class SpanningTree {
 public:
  SpanningTree(std::span<const std::int64_t> supply, std::span<const std::int64_t> demand);

  /// A node's parent, and flow and cost of the arc to it.
  struct Branch {
    std::int32_t parent;
    std::int64_t flow;
    double cost;
  };
  /// The tree of given branches: of sources first, then of targets; the root comes behind them and
  /// counts as one more target. start() must not be called.
  SpanningTree(std::size_t sources, std::span<const Branch> branches);
  [[nodiscard]] Branch branch(std::size_t node) const {
    return {links_[node].parent, links_[node].flow, links_[node].cost};
  }
  /// Replaces a branch. REQUIRES: rebuild() before anything else is asked of the tree.
  void set_branch(std::size_t node, const Branch& branch) {
    links_[node].parent = branch.parent;
    links_[node].flow = branch.flow;
    links_[node].cost = branch.cost;
  }
  /// Lays the tour out anew and recomputes the potentials.
  void rebuild();

  /// Builds the starting tree: `arcs` are used greedily in the order given by the lower halves of
  /// `order`, each between a source and a target that still have mass left; what is left over hangs
  /// on the root through artificial arcs of cost f_i + artificial_cost and g_j + artificial_cost.
  /// Where nothing is left over, sources that are served hang on each other's targets instead, by
  /// the first arcs of `order` that close no cycle.
  void start(std::span<const Arc> arcs, std::span<const std::uint64_t> order,
             std::span<const double> f, std::span<const double> g, double artificial_cost);

  /// Brings the arc (source, target) of reduced cost `reduced` < 0 into the tree.
  void pivot(std::int32_t source, std::int32_t target, double cost, double reduced);

  /// Adds `increase` to the cost of all artificial arcs and recomputes the potentials.
  void raise_artificial_cost(double increase);

  /// Recomputes all potentials from the costs of the tree arcs, which removes the rounding errors
  /// that pivots leave behind, then shifts them so that f and g have the same mean.
  void refresh_potentials();

  [[nodiscard]] std::int64_t artificial_flow() const;
  [[nodiscard]] double source_potential(std::size_t i) const { return tour_.source_potential(i); }
  [[nodiscard]] double target_potential(std::size_t j) const {
    return tour_.target_potential(sources_ + j);
  }
  [[nodiscard]] double reduced_cost(const Arc& arc) const {
    return arc.cost - tour_.sum(static_cast<std::size_t>(arc.source),
                                sources_ + static_cast<std::size_t>(arc.target));
  }
  [[nodiscard]] std::size_t nodes() const { return links_.size(); }
  [[nodiscard]] std::size_t sources() const { return sources_; }

  /// Calls visit(source, target, flow) for every tree arc that is not artificial.
  template <typename Visit>
  void for_each_arc(Visit&& visit) const {
    for (std::size_t x = 0; x < root(); ++x) {
      const auto parent = static_cast<std::size_t>(links_[x].parent);
      if (parent == root()) continue;
      if (x < sources_) {
        visit(x, parent - sources_, links_[x].flow);
      } else {
        visit(parent, x - sources_, links_[x].flow);
      }
    }
  }
  /// Calls visit(node, flow) for every node on an artificial arc; targets count from sources().
  template <typename Visit>
  void for_each_artificial(Visit&& visit) const {
    for (std::size_t x = 0; x < root(); ++x) {
      if (static_cast<std::size_t>(links_[x].parent) == root()) visit(x, links_[x].flow);
    }
  }

 private:
  /// A node's place in the tree and the arc to its parent: what a walk up the tree touches, in one
  /// place.
  struct Link {
    std::int32_t parent = -1;
    std::uint32_t mark = 0;   ///< the last walk that came by: see `find_exit`
    std::int64_t flow = 0;    ///< on the arc to the parent
    double cost = 0.0;        ///< of that arc
    std::int32_t enter = -1;  ///< the pass of the tour from the parent to this node
    std::int32_t unused = 0;
  };

  /// The arc that leaves the tree: the one above `node`.
  struct Exit {
    std::int32_t node;
    bool on_target_side;  ///< below the join on the way to the target of the entering arc
    std::int64_t pushed;  ///< flow that the cycle takes
    std::int32_t join;    ///< where the cycle closes; not known when nothing is pushed
    TreeTour::Run below;  ///< the subtree of `node`
  };

  [[nodiscard]] std::size_t root() const { return links_.size() - 1; }
  /// Hangs the tops of components, sources without mass, on targets of other components. Arcs
  /// without flow point up, as they must.
  void join_components(std::span<const Arc> arcs, std::span<const std::uint64_t> order);
  /// What closing the cycle by an arc from node `i` to node `j` takes out of the tree.
  Exit find_exit(std::int32_t i, std::int32_t j);
  /// Walks up from both nodes at once until one comes where the other was.
  std::int32_t find_join(std::int32_t a, std::int32_t b);
  /// Adds `change` to the flows of sources from `x` up to `join` and takes it from those of
  /// targets.
  void push(std::int32_t x, std::int32_t join, std::int64_t change);

  std::size_t sources_;
  std::int32_t first_target_;
  std::vector<std::int64_t> supply_, demand_;
  std::vector<Link> links_;
  TreeTour tour_;
  std::uint32_t walk_ = 0;             ///< marks of the last walk
  std::vector<std::int32_t> entered_;  ///< [passes], the node that each leads into
};

}  // namespace nw::ot
