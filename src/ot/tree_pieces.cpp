#include "ot/tree_pieces.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace nw::ot {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Children of one node that may become a piece.
struct Group {
  std::uint32_t top = kNone;     ///< their parent, once the group is large enough
  std::uint32_t number = kNone;  ///< of the piece
};

/// The nodes below the root, each behind all that hang on it.
std::vector<std::uint32_t> leaves_first(std::span<const std::uint32_t> parent) {
  const std::size_t root = parent.size();
  std::vector<std::uint32_t> children(root + 1, 0), order;
  for (const std::uint32_t above : parent) ++children[above];
  order.reserve(root);
  for (std::uint32_t x = 0; x < root; ++x) {
    if (children[x] == 0) order.push_back(x);
  }
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t above = parent[order[at]];
    if (--children[above] == 0 && above != root) order.push_back(above);
  }
  return order;
}

}  // namespace

TreePieces::TreePieces(const SpanningTree& tree, std::span<const std::uint32_t> place,
                       std::size_t size, std::size_t first) {
  const std::size_t root = tree.nodes() - 1;
  std::vector<std::uint32_t> parent(root);
  for (std::size_t x = 0; x < root; ++x) {
    parent[x] = static_cast<std::uint32_t>(tree.branch(x).parent);
  }
  const std::vector<std::uint32_t> order = leaves_first(parent);

  // Nodes that are not cut off yet: those below each node, and the group that its next child joins.
  std::vector<std::uint32_t> below(root, 0), open(root, kNone), group_of(root, kNone), hanging;
  std::vector<Group> groups;
  for (const std::uint32_t x : order) {
    const std::uint32_t above = parent[x];
    if (above == root) {
      hanging.push_back(x);
      continue;
    }
    if (open[above] == kNone) {
      open[above] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    group_of[x] = open[above];
    below[above] += below[x] + 1;
    // A piece's tree takes its root for a target (see SpanningTree), so no source becomes a top.
    if (above < tree.sources() || below[above] < size) continue;
    groups[open[above]].top = above;
    open[above] = kNone;
    below[above] = 0;
  }
  std::sort(hanging.begin(), hanging.end(), [&](std::uint32_t a, std::uint32_t b) {
    return place[a] < place[b] || (place[a] == place[b] && a < b);
  });
  std::size_t sum = 0, enough = first;
  for (const std::uint32_t x : hanging) {
    if (sum == 0) groups.push_back({.top = static_cast<std::uint32_t>(root)});
    group_of[x] = static_cast<std::uint32_t>(groups.size()) - 1;
    sum += below[x] + 1;
    if (sum >= enough) sum = 0, enough = size;
  }

  for (Group& group : groups) {
    if (group.top == kNone) continue;
    group.number = static_cast<std::uint32_t>(top_.size());
    top_.push_back(group.top);
  }
  // From the root down: a group that stayed small is where its parent is.
  piece_.assign(root, kNone);
  for (std::size_t at = order.size(); at-- > 0;) {
    const std::uint32_t x = order[at], own = groups[group_of[x]].number;
    piece_[x] = own != kNone ? own : piece_[parent[x]];
  }
  list_nodes();
}

void TreePieces::list_nodes() {
  begin_.assign(top_.size() + 1, 0);
  for (const std::uint32_t piece : piece_) ++begin_[piece + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  nodes_.resize(piece_.size());
  position_.resize(piece_.size());
  for (std::uint32_t x = 0; x < piece_.size(); ++x) {
    position_[x] = next[piece_[x]]++;
    nodes_[position_[x]] = x;
  }
}

}  // namespace nw::ot
