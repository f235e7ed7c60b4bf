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
      links_(supply.size() + demand.size() + 1),
      tour_(supply.size(), links_.size()),
      entered_(2 * links_.size()) {}

SpanningTree::SpanningTree(std::size_t sources, std::span<const Branch> branches)
    : sources_(sources),
      first_target_(static_cast<std::int32_t>(sources)),
      links_(branches.size() + 1),
      tour_(sources, links_.size()),
      entered_(2 * links_.size()) {
  for (std::size_t x = 0; x < branches.size(); ++x) set_branch(x, branches[x]);
  rebuild();
}

void SpanningTree::start(std::span<const Arc> arcs, std::span<const std::uint64_t> order,
                         std::span<const double> f, std::span<const double> g,
                         double artificial_cost) {
  std::vector<std::int64_t> left(supply_);
  left.insert(left.end(), demand_.begin(), demand_.end());
  for (const std::uint64_t key : order) {
    const auto k = static_cast<std::uint32_t>(key);
    const std::int32_t i = arcs[k].source, j = first_target_ + arcs[k].target;
    if (links_[at(i)].parent >= 0 || links_[at(j)].parent >= 0) continue;
    const std::int64_t flow = std::min(left[at(i)], left[at(j)]);
    left[at(i)] -= flow;
    left[at(j)] -= flow;
    // Whoever is used up becomes the child. On a tie it is the target: a source without mass may
    // still hang anywhere by an arc that points up, which keeps the tree strongly feasible.
    const bool target_done = left[at(j)] == 0;
    Link& child = links_[at(target_done ? j : i)];
    child.parent = target_done ? i : j;
    child.flow = flow;
    child.cost = arcs[k].cost;
  }
  const bool all_served =
      std::all_of(left.begin(), left.end(), [](std::int64_t mass) { return mass == 0; });
  if (all_served) join_components(arcs, order);
  const auto top = static_cast<std::int32_t>(root());
  for (std::int32_t x = 0; x < top; ++x) {
    Link& link = links_[at(x)];
    if (link.parent >= 0) continue;
    link.parent = top;
    link.flow = left[at(x)];
    link.cost = (x < first_target_ ? f[at(x)] : g[at(x) - sources_]) + artificial_cost;
  }
  rebuild();
}

void SpanningTree::join_components(std::span<const Arc> arcs,
                                   std::span<const std::uint64_t> order) {
  std::vector<std::int32_t> towards(root());  // the top of a node's component, in several steps
  for (std::size_t x = 0; x < root(); ++x) {
    towards[x] = links_[x].parent >= 0 ? links_[x].parent : static_cast<std::int32_t>(x);
  }
  const auto top_of = [&](std::int32_t x) {
    while (towards[at(x)] != x) x = towards[at(x)] = towards[at(towards[at(x)])];
    return x;
  };
  for (const std::uint64_t key : order) {
    const Arc& arc = arcs[static_cast<std::uint32_t>(key)];
    Link& link = links_[at(arc.source)];
    if (link.parent >= 0) continue;
    const std::int32_t parent = first_target_ + arc.target, other = top_of(parent);
    if (other == arc.source) continue;
    towards[at(arc.source)] = other;
    link.parent = parent;
    link.flow = 0;
    link.cost = arc.cost;
  }
}

void SpanningTree::rebuild() {
  const auto top = static_cast<std::int32_t>(root());
  std::vector<std::int32_t> parent(links_.size(), -1);
  for (std::int32_t x = 0; x < top; ++x) {
    Link& link = links_[at(x)];
    parent[at(x)] = link.parent;
    link.enter = 2 * x;
    entered_[at(2 * x)] = x;
    entered_[at(2 * x + 1)] = link.parent;
  }
  tour_.build(parent);
  refresh_potentials();
}

std::int32_t SpanningTree::find_join(std::int32_t a, std::int32_t b) {
  // Two marks a walk. Those of four billion walks ago are wiped out before they return.
  if (walk_ > std::numeric_limits<std::uint32_t>::max() - 4) {
    for (Link& link : links_) link.mark = 0;
    walk_ = 0;
  }
  walk_ += 2;
  const std::uint32_t mark_a = walk_, mark_b = walk_ + 1;
  links_[at(a)].mark = mark_a;
  links_[at(b)].mark = mark_b;
  const auto top = static_cast<std::int32_t>(root());
  for (;;) {
    if (a != top) {
      a = links_[at(a)].parent;
      if (links_[at(a)].mark == mark_b) return a;
      links_[at(a)].mark = mark_a;
    }
    if (b != top) {
      b = links_[at(b)].parent;
      if (links_[at(b)].mark == mark_a) return b;
      links_[at(b)].mark = mark_b;
    }
  }
}

SpanningTree::Exit SpanningTree::find_exit(std::int32_t i, std::int32_t j) {
  // Pushing flow along i -> j lowers the flow of sources on i's side and of targets on j's side. Of
  // the blocking arcs the last one met on the way from the join along i -> j leaves (Cunningham).
  //
  // Only arcs that point up may be without flow. So if there is a source without flow on i's side,
  // the one nearest to i leaves, and no flow changes anywhere. Where masses are equal nearly all
  // pivots are of this kind: the source is i or near it, and its subtree is so small that a look
  // through it tells whether j hangs there too. The way to the join has hundreds of nodes.
  constexpr int kStepsUp = 8;
  std::int32_t near = i;
  for (int step = 0; step < kStepsUp && at(near) != root(); ++step) {
    const Link& link = links_[at(near)];
    if (near < first_target_ && link.flow == 0) {
      const TreeTour::Run below = tour_.run(link.enter, j);
      if (below.entries > 0 && !below.holds) return {near, false, 0, -1, below};
      break;
    }
    near = link.parent;
  }

  const std::int32_t join = find_join(i, j);
  std::int64_t i_limit = kNoLimit, j_limit = kNoLimit;
  std::int32_t i_leaves = -1, j_leaves = -1;
  for (std::int32_t x = i; x != join; x = links_[at(x)].parent) {
    const std::int64_t flow = links_[at(x)].flow;
    if (x < first_target_ && flow < i_limit) i_limit = flow, i_leaves = x;
  }
  for (std::int32_t x = j; x != join; x = links_[at(x)].parent) {
    const std::int64_t flow = links_[at(x)].flow;
    if (x >= first_target_ && flow <= j_limit) j_limit = flow, j_leaves = x;
  }
  const bool on_j_side = j_limit <= i_limit;
  const std::int32_t leaving = on_j_side ? j_leaves : i_leaves;
  return {leaving, on_j_side, std::min(i_limit, j_limit), join,
          tour_.run(links_[at(leaving)].enter, leaving)};
}

void SpanningTree::push(std::int32_t x, std::int32_t join, std::int64_t change) {
  while (x != join) {
    Link& link = links_[at(x)];
    link.flow += x < first_target_ ? change : -change;
    x = link.parent;
  }
}

void SpanningTree::pivot(std::int32_t source, std::int32_t target, double cost, double reduced) {
  const std::int32_t i = source, j = first_target_ + target;
  const Exit exit = find_exit(i, j);
  const std::int32_t leaving = exit.node;
  const std::int32_t top = exit.on_target_side ? j : i, new_parent = exit.on_target_side ? i : j;
  // The subtree below the leaving arc moves from one side of the join to the other. Flow falls on
  // sources of i's side and on targets of j's, and rises on the others.
  const std::int64_t source_change = exit.on_target_side ? exit.pushed : -exit.pushed;
  if (exit.pushed > 0) {
    push(links_[at(leaving)].parent, exit.join, source_change);
    push(new_parent, exit.join, -source_change);
  }
  // Turn around the path from the entering arc to the leaving one.
  const std::int32_t enter = links_[at(leaving)].enter;
  Link above{.parent = new_parent, .flow = exit.pushed, .cost = cost, .enter = enter};
  for (std::int32_t x = top;;) {
    Link& link = links_[at(x)];
    const Link old = link;
    link = above;
    if (x == leaving) break;
    above = {.parent = x,
             .flow = old.flow + (x < first_target_ ? source_change : -source_change),
             .cost = old.cost,
             .enter = old.enter ^ 1};
    x = old.parent;
  }
  entered_[at(enter)] = top;
  entered_[at(enter ^ 1)] = new_parent;
  tour_.move(exit.below, top, new_parent, top < first_target_ ? reduced : -reduced);
}

void SpanningTree::raise_artificial_cost(double increase) {
  for (std::size_t x = 0; x < root(); ++x) {
    if (at(links_[x].parent) == root()) links_[x].cost += increase;
  }
  refresh_potentials();
}

void SpanningTree::refresh_potentials() {
  tour_.clear_shifts();
  tour_.set_potential(root(), 0.0);
  double source_sum = 0.0, target_sum = 0.0;
  tour_.for_each_pass([&](std::int32_t pass) {
    const std::int32_t x = entered_[at(pass)];
    const Link& link = links_[at(x)];
    if (link.enter != pass) return;  // on the way back from below
    // Shifts are zero, so a node's own potential is what either call returns.
    const double potential = link.cost - tour_.source_potential(at(link.parent));
    tour_.set_potential(at(x), potential);
    (x < first_target_ ? source_sum : target_sum) += potential;
  });
  // Only sums f_i + g_j matter; equal means keep both small, which single precision needs. The
  // root's own potential matters here alone: pivots move whole subtrees below it.
  // Part of a larger tree may have nodes of one side alone, whose mean is then 0.
  const double sources = static_cast<double>(std::max<std::size_t>(sources_, 1));
  const double targets = static_cast<double>(std::max<std::size_t>(root() - sources_, 1));
  const double shift = 0.5 * (target_sum / targets - source_sum / sources);
  for (std::size_t x = 0; x < root(); ++x) {
    tour_.set_potential(x, tour_.source_potential(x) + (x < sources_ ? shift : -shift));
  }
  tour_.set_potential(root(), -shift);
}

std::int64_t SpanningTree::artificial_flow() const {
  std::int64_t total = 0;
  for_each_artificial([&](std::size_t, std::int64_t flow) { total += flow; });
  return total;
}

}  // namespace nw::ot
