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

namespace nw::ot {

class SpanningTree {
 public:
  SpanningTree(std::span<const std::int64_t> supply, std::span<const std::int64_t> demand);

  /// Builds the starting tree: `arcs` are used greedily in the order given, each between a source
  /// and a target that still have mass left; what is left over hangs on the root through artificial
  /// arcs of cost f_i + artificial_cost and g_j + artificial_cost.
  void start(std::span<const Arc> arcs, std::span<const std::uint32_t> order,
             std::span<const double> f, std::span<const double> g, double artificial_cost);

  /// Brings the arc (source, target) of reduced cost `reduced` < 0 into the tree.
  void pivot(std::int32_t source, std::int32_t target, double cost, double reduced);

  /// Adds `increase` to the cost of all artificial arcs and recomputes the potentials.
  void raise_artificial_cost(double increase);

  /// Recomputes all potentials from the costs of the tree arcs, which removes the rounding errors
  /// that pivots leave behind, then shifts them so that f and g have the same mean.
  void refresh_potentials();

  [[nodiscard]] std::int64_t artificial_flow() const;
  [[nodiscard]] double source_potential(std::size_t i) const { return nodes_[i].potential; }
  [[nodiscard]] double target_potential(std::size_t j) const {
    return nodes_[sources_ + j].potential;
  }
  [[nodiscard]] double reduced_cost(const Arc& arc) const {
    return arc.cost - nodes_[static_cast<std::size_t>(arc.source)].potential -
           nodes_[sources_ + static_cast<std::size_t>(arc.target)].potential;
  }
  [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }
  /// Potentials that pivots have changed so far: what most of their time goes into.
  [[nodiscard]] std::int64_t shifted() const { return shifted_; }

  /// Calls visit(source, target, flow) for every tree arc that is not artificial.
  template <typename Visit>
  void for_each_arc(Visit&& visit) const {
    for (std::size_t x = 0; x + 1 < nodes_.size(); ++x) {
      const auto parent = static_cast<std::size_t>(parent_[x]);
      if (parent == root()) continue;
      if (x < sources_) {
        visit(x, parent - sources_, flow_[x]);
      } else {
        visit(parent, x - sources_, flow_[x]);
      }
    }
  }
  /// Calls visit(node, flow) for every node on an artificial arc; targets count from sources().
  template <typename Visit>
  void for_each_artificial(Visit&& visit) const {
    for (std::int32_t x = nodes_[root()].child; x >= 0;
         x = nodes_[static_cast<std::size_t>(x)].next) {
      visit(static_cast<std::size_t>(x), flow_[static_cast<std::size_t>(x)]);
    }
  }

 private:
  /// What the update of a subtree touches, in one place.
  struct Node {
    double potential = 0.0;
    std::int32_t child = -1, next = -1;
  };

  [[nodiscard]] std::size_t root() const { return nodes_.size() - 1; }
  void link(std::int32_t node, std::int32_t parent);
  void unlink(std::int32_t node);
  std::int32_t find_join(std::int32_t a, std::int32_t b);
  /// Adds `source_shift` to the sources below `top` and itself, and subtracts it from the targets.
  void shift_subtree(std::int32_t top, double source_shift);

  std::size_t sources_;
  std::int32_t first_target_;
  std::vector<std::int64_t> supply_, demand_;
  std::vector<Node> nodes_;
  std::vector<std::int32_t> parent_, previous_;
  std::vector<std::int32_t> size_;    ///< nodes of the subtree, itself included
  std::vector<std::int64_t> flow_;    ///< on the arc to the parent
  std::vector<double> arc_cost_;      ///< of the arc to the parent
  std::vector<std::uint32_t> stamp_;  ///< who passed here in the search for the join
  std::uint32_t stamps_ = 0;
  std::int64_t shifted_ = 0;
  std::vector<std::int32_t> queue_;
};

}  // namespace nw::ot
