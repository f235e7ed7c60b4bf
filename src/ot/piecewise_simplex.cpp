#include "ot/piecewise_simplex.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <span>
#include <thread>

#include "nw/base/parallel.hpp"

namespace nw::ot {
namespace {

/// A piece has at least this many nodes: smaller ones hold too few of the arcs ...
constexpr std::size_t kSmallestPiece = 8000;
/// ... and with more pieces than this, several for each of many threads, nothing is won.
constexpr std::size_t kMostPieces = 64;
/// Trees of fewer pieces are left to the simplex of the whole.
constexpr std::size_t kFewestPieces = 3;
/// Sizes of pieces in the sweeps of a run, and of the first one below the root, which moves
/// borders.
struct Sizes {
  double piece, first;
};
constexpr Sizes kSweeps[] = {{1.0, 1.0}, {1.5, 0.75}};
/// A sweep follows another one that made this many pivots a node.
constexpr double kMuch = 0.05;
/// Arcs added for each node that make a run worth its copies.
constexpr double kManyArcs = 0.05;

std::size_t at(std::int32_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace

PiecewiseSimplex::PiecewiseSimplex(NetworkSimplex& simplex, int threads)
    : simplex_(simplex), threads_(threads) {}

void PiecewiseSimplex::index_new_arcs() {
  const std::span<const Arc> arcs = simplex_.arcs();
  const SpanningTree& tree = simplex_.tree();
  const std::size_t sources = tree.sources();
  const auto last = static_cast<std::uint32_t>(arcs.size());
  for (auto begin = static_cast<std::uint32_t>(indexed_); begin < last;) {
    // One run of sorted arcs for each search that found them.
    Addition added(sources + 1, last);
    std::uint32_t end = begin;
    for (std::size_t i = 0; i < sources; ++i) {
      added[i] = end;
      while (end < last && at(arcs[end].source) == i) ++end;
    }
    added[sources] = begin = end;
    additions_.push_back(std::move(added));
  }
  indexed_ = last;
  if (!place_.empty()) return;
  place_.resize(tree.nodes(), 0);
  std::iota(place_.begin(), place_.begin() + static_cast<std::ptrdiff_t>(sources), 0U);
  std::vector<double> least(tree.nodes(), std::numeric_limits<double>::infinity());
  for (const Arc& arc : arcs) {
    const std::size_t j = sources + at(arc.target);
    const double reduced = tree.reduced_cost(arc);
    if (reduced >= least[j]) continue;
    least[j] = reduced;
    place_[j] = static_cast<std::uint32_t>(arc.source);
  }
}

void PiecewiseSimplex::run(double tolerance, PivotBudget& budget) {
  SpanningTree& tree = simplex_.tree();
  const auto nodes = static_cast<double>(tree.nodes());
  const std::size_t size = std::max(kSmallestPiece, tree.nodes() / kMostPieces);
  if (tree.nodes() < kFewestPieces * size || budget.limited()) return;
  if (static_cast<double>(simplex_.arcs().size() - indexed_) < kManyArcs * nodes) return;
  index_new_arcs();
  for (const Sizes& sizes : kSweeps) {
    const auto times = [&](double factor) {
      return static_cast<std::size_t>(factor * static_cast<double>(size));
    };
    const TreePieces pieces(tree, place_, times(sizes.piece), times(sizes.first));
    const std::int64_t pivots = sweep(pieces, tolerance, budget);
    if (static_cast<double>(pivots) < kMuch * nodes || budget.interrupted()) break;
  }
  tree.rebuild();
}

std::int64_t PiecewiseSimplex::sweep(const TreePieces& pieces, double tolerance,
                                     PivotBudget& budget) {
  // Whether to go on is asked on the calling thread alone; the others hear of it.
  std::atomic<bool> stopped = false;
  const std::thread::id caller = std::this_thread::get_id();
  const auto keep_going = [&] {
    if (std::this_thread::get_id() == caller && budget.interrupted()) stopped = true;
    return !stopped;
  };
  std::vector<std::int64_t> pivots(pieces.count(), 0);
  parallel_for(threads_, pieces.count(), 1, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t piece = begin; piece < end; ++piece) {
      PivotBudget own(0, keep_going);
      solve(pieces, piece, tolerance, own);
      pivots[piece] = own.pivots();
    }
  });
  const std::int64_t all = std::accumulate(pivots.begin(), pivots.end(), std::int64_t{0});
  budget.spend(all);
  return all;
}

void PiecewiseSimplex::solve(const TreePieces& pieces, std::size_t piece, double tolerance,
                             PivotBudget& budget) {
  SpanningTree& tree = simplex_.tree();
  const std::span<const std::uint32_t> nodes = pieces.nodes(piece);
  const auto sources = static_cast<std::size_t>(
      std::lower_bound(nodes.begin(), nodes.end(), tree.sources()) - nodes.begin());
  const auto root = static_cast<std::int32_t>(nodes.size());
  const auto top = static_cast<std::int32_t>(pieces.top(piece));
  std::vector<SpanningTree::Branch> branches(nodes.size());
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    branches[k] = tree.branch(nodes[k]);
    std::int32_t& parent = branches[k].parent;
    parent = parent == top ? root : static_cast<std::int32_t>(pieces.position(at(parent)));
  }
  NetworkSimplex part(SpanningTree(sources, branches), arcs_within(pieces, piece, sources));
  // A piece that was stopped halfway is a feasible part of the tree, too.
  (void)part.run(tolerance, budget);
  if (budget.pivots() == 0) return;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    SpanningTree::Branch branch = part.tree().branch(k);
    branch.parent =
        branch.parent == root ? top : static_cast<std::int32_t>(nodes[at(branch.parent)]);
    tree.set_branch(nodes[k], branch);
  }
}

std::vector<Arc> PiecewiseSimplex::arcs_within(const TreePieces& pieces, std::size_t piece,
                                               std::size_t sources) const {
  const std::span<const std::uint32_t> nodes = pieces.nodes(piece);
  const std::span<const Arc> all = simplex_.arcs();
  const std::size_t first_target = simplex_.tree().sources(), top = pieces.top(piece);
  std::size_t most = 0;
  for (const Addition& added : additions_) {
    for (std::size_t k = 0; k < sources; ++k) most += added[nodes[k] + 1] - added[nodes[k]];
  }
  std::vector<Arc> arcs;
  arcs.reserve(most);
  for (const Addition& added : additions_) {
    for (std::size_t k = 0; k < sources; ++k) {
      for (std::uint32_t a = added[nodes[k]]; a < added[nodes[k] + 1]; ++a) {
        const Arc& arc = all[a];
        const std::size_t j = first_target + at(arc.target);
        if (j != top && !pieces.holds(piece, j)) continue;
        const std::size_t target = (j == top ? nodes.size() : pieces.position(j)) - sources;
        arcs.push_back({static_cast<std::int32_t>(k), static_cast<std::int32_t>(target), arc.cost});
      }
    }
  }
  return arcs;
}

}  // namespace nw::ot
