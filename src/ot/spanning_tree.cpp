#include "ot/spanning_tree.hpp"

#include <algorithm>
#include <limits>

namespace nw::ot {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

std::size_t at(std::int32_t node) {
  return static_cast<std::size_t>(node);
}

}  // namespace

SpanningTree::SpanningTree(std::span<const std::int64_t> supply,
                           std::span<const std::int64_t> demand)
    : sources_(supply.size()),
      first_target_(static_cast<std::int32_t>(supply.size())),
      supply_(supply.begin(), supply.end()),
      demand_(demand.begin(), demand.end()),
      nodes_(supply.size() + demand.size() + 1),
      parent_(nodes_.size(), -1),
      previous_(nodes_.size(), -1),
      size_(nodes_.size(), 1),
      flow_(nodes_.size(), 0),
      arc_cost_(nodes_.size(), 0.0),
      stamp_(nodes_.size(), 0),
      queue_(nodes_.size() + 2) {}

void SpanningTree::link(std::int32_t node, std::int32_t parent) {
  parent_[at(node)] = parent;
  previous_[at(node)] = -1;
  const std::int32_t first = nodes_[at(parent)].child;
  nodes_[at(node)].next = first;
  if (first >= 0) previous_[at(first)] = node;
  nodes_[at(parent)].child = node;
}

void SpanningTree::unlink(std::int32_t node) {
  const std::int32_t before = previous_[at(node)], after = nodes_[at(node)].next;
  if (before >= 0) {
    nodes_[at(before)].next = after;
  } else {
    nodes_[at(parent_[at(node)])].child = after;
  }
  if (after >= 0) previous_[at(after)] = before;
}

void SpanningTree::start(std::span<const Arc> arcs, std::span<const std::uint32_t> order,
                         std::span<const double> f, std::span<const double> g,
                         double artificial_cost) {
  std::vector<std::int64_t> left(supply_);
  left.insert(left.end(), demand_.begin(), demand_.end());
  std::vector<char> placed(nodes_.size(), 0);
  for (const std::uint32_t k : order) {
    const std::int32_t i = arcs[k].source, j = first_target_ + arcs[k].target;
    if (placed[at(i)] != 0 || placed[at(j)] != 0) continue;
    const std::int64_t flow = std::min(left[at(i)], left[at(j)]);
    left[at(i)] -= flow;
    left[at(j)] -= flow;
    // Whoever is used up becomes the child. On a tie it is the target: a source without mass may
    // still hang anywhere by an arc that points up, which keeps the tree strongly feasible.
    const bool target_done = left[at(j)] == 0;
    const std::int32_t child = target_done ? j : i, parent = target_done ? i : j;
    placed[at(child)] = 1;
    flow_[at(child)] = flow;
    arc_cost_[at(child)] = arcs[k].cost;
    link(child, parent);
  }
  const auto top = static_cast<std::int32_t>(root());
  for (std::int32_t x = 0; x < top; ++x) {
    if (placed[at(x)] != 0) continue;
    flow_[at(x)] = left[at(x)];
    arc_cost_[at(x)] = (x < first_target_ ? f[at(x)] : g[at(x) - sources_]) + artificial_cost;
    link(x, top);
  }
  refresh_potentials();
  // Which leaves the nodes in the queue, parents first.
  for (std::size_t k = nodes_.size() - 1; k > 0; --k) {
    size_[at(parent_[at(queue_[k])])] += size_[at(queue_[k])];
  }
}

std::int32_t SpanningTree::find_join(std::int32_t a, std::int32_t b) {
  if (stamps_ > 0xfffffff0U) {
    std::fill(stamp_.begin(), stamp_.end(), 0U);
    stamps_ = 0;
  }
  const auto top = static_cast<std::int32_t>(root());
  const std::uint32_t from_a = ++stamps_, from_b = ++stamps_;
  stamp_[at(a)] = from_a;
  stamp_[at(b)] = from_b;
  // Both climb in turn, so the walk ends after twice the shorter way at most.
  for (;;) {
    if (a != top) {
      a = parent_[at(a)];
      if (stamp_[at(a)] == from_b) return a;
      stamp_[at(a)] = from_a;
    }
    if (b != top) {
      b = parent_[at(b)];
      if (stamp_[at(b)] == from_a) return b;
      stamp_[at(b)] = from_b;
    }
  }
}

void SpanningTree::pivot(std::int32_t source, std::int32_t target, double cost, double reduced) {
  const std::int32_t i = source, j = first_target_ + target;
  const std::int32_t join = find_join(i, j);

  // Pushing flow along i -> j lowers the flow of sources on i's side and of targets on j's side. Of
  // the blocking arcs the last one met on the way from the join along i -> j leaves (Cunningham).
  std::int64_t i_limit = kNoLimit, j_limit = kNoLimit;
  std::int32_t i_leaves = -1, j_leaves = -1;
  for (std::int32_t x = i; x != join; x = parent_[at(x)]) {
    if (x < first_target_ && flow_[at(x)] < i_limit) i_limit = flow_[at(x)], i_leaves = x;
  }
  for (std::int32_t x = j; x != join; x = parent_[at(x)]) {
    if (x >= first_target_ && flow_[at(x)] <= j_limit) j_limit = flow_[at(x)], j_leaves = x;
  }
  const bool on_j_side = j_limit <= i_limit;
  const std::int64_t pushed = on_j_side ? j_limit : i_limit;
  if (pushed > 0) {
    for (std::int32_t x = i; x != join; x = parent_[at(x)]) {
      flow_[at(x)] += x < first_target_ ? -pushed : pushed;
    }
    for (std::int32_t x = j; x != join; x = parent_[at(x)]) {
      flow_[at(x)] += x < first_target_ ? pushed : -pushed;
    }
  }

  // The subtree below the leaving arc moves from one side of the join to the other.
  const std::int32_t top = on_j_side ? j : i, leaving = on_j_side ? j_leaves : i_leaves;
  const std::int32_t moved = size_[at(leaving)];
  for (std::int32_t x = parent_[at(leaving)]; x != join; x = parent_[at(x)]) size_[at(x)] -= moved;
  for (std::int32_t x = on_j_side ? i : j; x != join; x = parent_[at(x)]) size_[at(x)] += moved;

  // Turn around the path from the entering arc to the leaving one.
  std::int32_t node = top, new_parent = on_j_side ? i : j;
  std::int64_t new_flow = pushed;
  double new_cost = cost;
  std::int32_t new_size = moved;
  for (;;) {
    const std::int32_t old_parent = parent_[at(node)];
    unlink(node);
    std::swap(flow_[at(node)], new_flow);
    std::swap(arc_cost_[at(node)], new_cost);
    std::swap(size_[at(node)], new_size);
    new_size = moved - new_size;  // what the next node keeps below it
    link(node, new_parent);
    if (node == leaving) break;
    new_parent = node;
    node = old_parent;
  }

  // Only sums f_i + g_j matter: shifting all the rest the other way does the same.
  const double source_shift = top < first_target_ ? reduced : -reduced;
  if (2 * at(moved) <= nodes_.size()) {
    shifted_ += moved;
    shift_subtree(top, source_shift);
  } else {
    shifted_ += static_cast<std::int64_t>(nodes_.size()) - moved;
    unlink(top);
    shift_subtree(static_cast<std::int32_t>(root()), -source_shift);
    link(top, on_j_side ? i : j);
  }
}

void SpanningTree::shift_subtree(std::int32_t top, double source_shift) {
  // A few pivots move large subtrees, and this walk is then what the time goes into. Each node adds
  // its first child and its next sibling to the queue without looking at them or branching, so the
  // cache misses of many nodes overlap.
  Node* const nodes = nodes_.data();
  std::int32_t* const queue = queue_.data();
  const double shift[2] = {source_shift, -source_shift};
  nodes[top].potential += shift[top >= first_target_];
  queue[0] = nodes[top].child;
  std::size_t head = 0, tail = queue[0] >= 0;
  while (head < tail) {
    const std::int32_t x = queue[head++];
    Node& node = nodes[x];
    node.potential += shift[x >= first_target_];
    queue[tail] = node.child;
    tail += node.child >= 0;
    queue[tail] = node.next;
    tail += node.next >= 0;
  }
}

void SpanningTree::raise_artificial_cost(double increase) {
  for_each_artificial([&](std::size_t node, std::int64_t) { arc_cost_[node] += increase; });
  refresh_potentials();
}

void SpanningTree::refresh_potentials() {
  nodes_[root()].potential = 0.0;
  std::size_t head = 0, tail = 0;
  queue_[tail++] = static_cast<std::int32_t>(root());
  double source_sum = 0.0, target_sum = 0.0;
  while (head < tail) {
    const std::int32_t x = queue_[head++];
    Node& node = nodes_[at(x)];
    if (at(x) != root()) {
      node.potential = arc_cost_[at(x)] - nodes_[at(parent_[at(x)])].potential;
      (x < first_target_ ? source_sum : target_sum) += node.potential;
    }
    for (std::int32_t child = node.child; child >= 0; child = nodes_[at(child)].next) {
      queue_[tail++] = child;
    }
  }
  // Only sums f_i + g_j matter; equal means keep both small, which single precision needs. The
  // root's own potential matters here alone: pivots move whole subtrees below it.
  const double targets = static_cast<double>(nodes_.size() - 1 - sources_);
  const double shift = 0.5 * (target_sum / targets - source_sum / static_cast<double>(sources_));
  for (std::size_t x = 0; x < root(); ++x) {
    nodes_[x].potential += x < sources_ ? shift : -shift;
  }
}

std::int64_t SpanningTree::artificial_flow() const {
  std::int64_t total = 0;
  for_each_artificial([&](std::size_t, std::int64_t flow) { total += flow; });
  return total;
}

}  // namespace nw::ot
