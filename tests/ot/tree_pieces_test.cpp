// Pieces in which pivots do not disturb each other, and the simplex that works in them.
#include "ot/tree_pieces.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

#include "nw/ot/exact.hpp"

#include "oracle/certificate.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

/// A random tree in which sources hang below targets or the root and targets below sources or the
/// root.
SpanningTree random_tree(Rng& rng, std::size_t sources, std::size_t targets, double on_root) {
  const std::size_t root = sources + targets;
  std::vector<std::size_t> order(root), placed_sources, placed_targets;
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return (a * 7919) % 10007 < (b * 7919) % 10007; });
  std::vector<SpanningTree::Branch> branches(root);
  for (const std::size_t x : order) {
    auto& above = x < sources ? placed_targets : placed_sources;
    const bool alone = above.empty() || rng.uniform() < on_root;
    const auto pick = static_cast<std::size_t>(rng.uniform() * static_cast<double>(above.size()));
    branches[x] = {static_cast<std::int32_t>(alone ? root : above[pick]), 1, 1.0};
    (x < sources ? placed_sources : placed_targets).push_back(x);
  }
  return {sources, branches};
}

TEST(TreePieces, HoldEveryNodeOnceAndHangTogetherBelowTheirTops) {
  Rng rng(5);
  for (const double on_root : {0.0, 0.01, 0.5}) {
    const std::size_t sources = 2500, nodes = 5400, root = nodes, size = 300;
    const SpanningTree tree = random_tree(rng, sources, nodes - sources, on_root);
    std::vector<std::uint32_t> place(nodes + 1);
    std::iota(place.begin(), place.end(), 0U);
    const TreePieces pieces(tree, place, size, size / 2);
    EXPECT_GT(pieces.count(), 4u);
    std::vector<int> seen(nodes, 0);
    for (std::size_t p = 0; p < pieces.count(); ++p) {
      const auto members = pieces.nodes(p);
      EXPECT_TRUE(std::ranges::is_sorted(members));
      const std::size_t top = pieces.top(p);
      EXPECT_TRUE(top == root || top >= sources) << "a source is no top";
      if (top != root) {
        EXPECT_GE(members.size(), size);
        EXPECT_FALSE(pieces.holds(p, top));
      }
      for (std::size_t k = 0; k < members.size(); ++k) {
        ++seen[members[k]];
        EXPECT_TRUE(pieces.holds(p, members[k]));
        EXPECT_EQ(pieces.position(members[k]), k);
        const auto above = static_cast<std::size_t>(tree.branch(members[k]).parent);
        EXPECT_TRUE(above == top || pieces.holds(p, above));
      }
    }
    EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
  }
}

/// Enough points for the finest level to be cut into pieces.
constexpr std::size_t kManyPoints = 14000;

oracle::Clouds many_points(bool weighted) {
  Rng rng(6);
  oracle::Clouds clouds{oracle::normal_points(rng, kManyPoints, 2),
                        oracle::normal_points(rng, kManyPoints + 500, 2),
                        {},
                        {}};
  for (std::size_t j = 0; j < clouds.y.rows(); ++j) clouds.y(j, 0) = 1.0 + 0.5 * clouds.y(j, 0);
  if (weighted) {
    clouds.a = oracle::random_weights(rng, kManyPoints);
    clouds.b = oracle::random_weights(rng, kManyPoints + 500);
    // Points without mass would be left out, and too few remain.
    for (auto* weights : {&clouds.a, &clouds.b}) {
      for (double& weight : *weights) weight += 0.01;
    }
  }
  return clouds;
}

/// What the solver gives with its own number of threads, solved once for all tests.
const TransportResult& solved(bool weighted, GroundCost cost) {
  static std::map<std::pair<bool, GroundCost>, TransportResult> results;
  const auto [entry, is_new] = results.try_emplace({weighted, cost});
  if (is_new) entry->second = solve_exact(many_points(weighted).problem(cost));
  return entry->second;
}

TEST(PiecewiseSimplex, GivesTheOptimumThatTheWholeTreeGives) {
  for (const bool weighted : {false, true}) {
    const oracle::Clouds clouds = many_points(weighted);
    for (const GroundCost cost : {GroundCost::euclidean, GroundCost::squared_euclidean}) {
      const TransportResult& result = solved(weighted, cost);
      ExactOptions whole;
      whole.max_pivots = std::numeric_limits<std::int64_t>::max();  // a limit forbids pieces
      const TransportResult reference = solve_exact(clouds.problem(cost), whole);
      EXPECT_NE(result.pivots, reference.pivots) << "the test needs more points";
      ASSERT_TRUE(result.optimal());
      EXPECT_NEAR(result.cost, reference.cost, 1e-12 * reference.cost);
      EXPECT_NEAR(result.dual_objective, result.cost, 1e-12 * reference.cost);
    }
  }
}

TEST(PiecewiseSimplex, GivesTheSameBitsForOneToFourThreads) {
  const oracle::Clouds clouds = many_points(true);
  for (const GroundCost cost : {GroundCost::euclidean, GroundCost::squared_euclidean}) {
    ExactOptions options;
    options.threads = 2;
    const TransportResult reference = solve_exact(clouds.problem(cost), options);
    const TransportResult& automatic = solved(true, cost);
    EXPECT_EQ(automatic.plan, reference.plan);
    EXPECT_EQ(automatic.source_potential, reference.source_potential);
    for (const int threads : {1, 4}) {
      options.threads = threads;
      const TransportResult result = solve_exact(clouds.problem(cost), options);
      EXPECT_EQ(result.pivots, reference.pivots);
      EXPECT_EQ(result.plan, reference.plan);
      EXPECT_EQ(result.source_potential, reference.source_potential);
      EXPECT_EQ(result.target_potential, reference.target_potential);
    }
  }
}

TEST(PiecewiseSimplex, StopsInThePiecesWhenAskedTo) {
  const oracle::Clouds clouds = many_points(false);
  ExactOptions options;
  options.threads = 2;
  options.observer = [](const ExactProgress& progress) {
    return progress.level + 1 < progress.levels;
  };
  const TransportResult result = solve_exact(clouds.problem(GroundCost::euclidean), options);
  EXPECT_EQ(result.termination, Termination::interrupted);
  const TransportResult& optimum = solved(false, GroundCost::euclidean);
  EXPECT_LE(result.dual_objective, optimum.cost * (1 + 1e-12));
  EXPECT_GE(result.cost, optimum.cost * (1 - 1e-12));
}

}  // namespace
}  // namespace nw::ot
