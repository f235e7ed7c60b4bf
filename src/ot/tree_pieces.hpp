// Pieces of the basis in which pivots do not disturb each other.
//
// Cut a spanning tree at some of its nodes: the pieces share those nodes and nothing else. A cycle
// that an arc closes between two nodes of a piece lies in that piece, so flows and arcs of all
// others stay as they are, and potentials within a piece change by what happens in it alone, up to
// one constant for each. Pivots in different pieces can therefore be made at the same time, in any
// order, and what they leave is a basis of the whole problem again: nothing has to be glued.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ot/spanning_tree.hpp"

namespace nw::ot {

/// Each piece hangs below its top: a target of another piece, or the tree's root. Pieces hold their
/// nodes in increasing order, so that sources come before targets, and do not hold their tops.
class TreePieces {
 public:
  /// Cuts off pieces of at least `size` nodes each, and seldom more than twice that, from the
  /// leaves up. What hangs on the root itself is put together along `place`, a number for each node
  /// that is near for nodes near each other; the first such piece is `first` nodes large, so that
  /// another value moves all borders.
  TreePieces(const SpanningTree& tree, std::span<const std::uint32_t> place, std::size_t size,
             std::size_t first);

  [[nodiscard]] std::size_t count() const { return top_.size(); }
  [[nodiscard]] std::size_t top(std::size_t piece) const { return top_[piece]; }
  [[nodiscard]] std::span<const std::uint32_t> nodes(std::size_t piece) const {
    return std::span(nodes_).subspan(begin_[piece], begin_[piece + 1] - begin_[piece]);
  }
  [[nodiscard]] bool holds(std::size_t piece, std::size_t node) const {
    return piece_[node] == piece;
  }
  /// Where a node is in the list of its piece.
  [[nodiscard]] std::size_t position(std::size_t node) const {
    return position_[node] - begin_[piece_[node]];
  }

 private:
  void list_nodes();

  std::vector<std::uint32_t> piece_;        ///< of each node but the root
  std::vector<std::uint32_t> top_, begin_;  ///< of each piece
  std::vector<std::uint32_t> nodes_, position_;
};

}  // namespace nw::ot
