#include "cluster/communities.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <gtest/gtest.h>

namespace nw::cluster {
namespace {

using Groups = std::vector<std::uint32_t>;
using Tie = std::array<std::uint32_t, 2>;

SparseSymmetric graph_of(std::size_t n, const std::vector<Tie>& ties) {
  std::vector<std::set<std::uint32_t>> rows(n);
  for (const auto& [a, b] : ties) {
    rows[a].insert(b);
    rows[b].insert(a);
  }
  SparseSymmetric graph{.begin = {0}, .column = {}, .value = {}};
  for (const auto& row : rows) {
    graph.column.insert(graph.column.end(), row.begin(), row.end());
    graph.begin.push_back(graph.column.size());
  }
  graph.value.assign(graph.column.size(), 1.0);
  return graph;
}

/// Groups of `size` points all of whom are tied; a tie from each group to the next one.
SparseSymmetric ring_of_cliques(std::uint32_t groups, std::uint32_t size) {
  std::vector<Tie> ties;
  for (std::uint32_t g = 0; g < groups; ++g) {
    for (std::uint32_t a = 0; a < size; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) ties.push_back({g * size + a, g * size + b});
    }
    ties.push_back({g * size, ((g + 1) % groups) * size + 1});
  }
  return graph_of(groups * size, ties);
}

/// The largest modularity of all partitions.
double best_of_all(const SparseSymmetric& graph, double resolution) {
  Groups group(graph.rows(), 0);
  double best = -1.0;
  const auto visit = [&](auto&& self, std::size_t i, std::uint32_t used) -> void {
    if (i == group.size()) {
      best = std::max(best, modularity(graph, group, resolution));
      return;
    }
    for (std::uint32_t g = 0; g <= used; ++g) {
      group[i] = g;
      self(self, i + 1, std::max(used, g + 1));
    }
  };
  visit(visit, 0, 0);
  return best;
}

TEST(Modularity, OfTwoTrianglesWithATieBetweenIsFiveFourteenths) {
  const auto graph = graph_of(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}});
  EXPECT_NEAR(modularity(graph, Groups{0, 0, 0, 1, 1, 1}, 1.0), 12.0 / 14.0 - 0.5, 1e-12);
  EXPECT_NEAR(modularity(graph, Groups(6, 0), 1.0), 0.0, 1e-12);
}

TEST(Communities, HaveNearlyTheLargestModularityOfAllPartitions) {
  double lost = 0.0;
  constexpr int kGraphs = 12;
  for (int t = 0; t < kGraphs; ++t) {
    Rng rng(static_cast<std::uint64_t>(t));
    std::vector<Tie> ties{{0, 1}};
    for (std::uint32_t a = 0; a < 9; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        if (rng.uniform() < (a / 3 == b / 3 ? 0.9 : 0.25)) ties.push_back({a, b});
      }
    }
    const auto graph = graph_of(9, ties);
    const double resolution = t % 2 == 0 ? 1.0 : 1.5;
    const double found = modularity(graph, communities(graph, resolution, Rng(7)), resolution);
    const double best = best_of_all(graph, resolution);
    EXPECT_LE(found, best + 1e-12);
    EXPECT_GE(found, best - 0.05);
    lost += (best - found) / kGraphs;
  }
  EXPECT_LT(lost, 0.01);
}

TEST(Communities, OfTheKarateClubReachTheModularityThatIsKnownToBeBest) {
  // Zachary (1977); the best modularity is 0.4198 (Brandes et al. 2008).
  const std::vector<Tie> ties{
      {1, 2},   {1, 3},   {2, 3},   {1, 4},   {2, 4},   {3, 4},   {1, 5},   {1, 6},   {1, 7},
      {5, 7},   {6, 7},   {1, 8},   {2, 8},   {3, 8},   {4, 8},   {1, 9},   {3, 9},   {3, 10},
      {1, 11},  {5, 11},  {6, 11},  {1, 12},  {1, 13},  {4, 13},  {1, 14},  {2, 14},  {3, 14},
      {4, 14},  {6, 17},  {7, 17},  {1, 18},  {2, 18},  {1, 20},  {2, 20},  {1, 22},  {2, 22},
      {24, 26}, {25, 26}, {3, 28},  {24, 28}, {25, 28}, {3, 29},  {24, 30}, {27, 30}, {2, 31},
      {9, 31},  {1, 32},  {25, 32}, {26, 32}, {29, 32}, {3, 33},  {9, 33},  {15, 33}, {16, 33},
      {19, 33}, {21, 33}, {23, 33}, {24, 33}, {30, 33}, {31, 33}, {32, 33}, {9, 34},  {10, 34},
      {14, 34}, {15, 34}, {16, 34}, {19, 34}, {20, 34}, {21, 34}, {23, 34}, {24, 34}, {27, 34},
      {28, 34}, {29, 34}, {30, 34}, {31, 34}, {32, 34}, {33, 34}};
  ASSERT_EQ(ties.size(), 78u);
  std::vector<Tie> from_zero = ties;
  for (auto& tie : from_zero) tie = {tie[0] - 1, tie[1] - 1};
  const auto graph = graph_of(34, from_zero);
  double best = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const double found = modularity(graph, communities(graph, 1.0, Rng(seed)), 1.0);
    EXPECT_GE(found, 0.38) << seed;
    best = std::max(best, found);
  }
  EXPECT_NEAR(best, 0.4198, 0.003);
  EXPECT_LE(best, 0.4199);
}

TEST(Communities, AreTheCliquesOfARing) {
  const auto found = communities(ring_of_cliques(6, 5), 1.0, Rng(1));
  for (std::uint32_t i = 0; i < 30; ++i) EXPECT_EQ(found[i], found[i / 5 * 5]) << i;
  EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()).size(), 6u);
}

TEST(Communities, AreSmallerAtAHigherResolution) {
  const auto graph = ring_of_cliques(30, 5);
  const auto count = [&](double resolution) {
    const auto found = communities(graph, resolution, Rng(2));
    return *std::ranges::max_element(found) + 1;
  };
  EXPECT_LT(count(0.1), count(1.0));
  // At resolution 1 pairs of cliques become one (Fortunato and Barthelemy 2007).
  EXPECT_LT(count(1.0), 30u);
  EXPECT_EQ(count(4.0), 30u);
}

TEST(Communities, OfPointsWithoutTiesAreThePoints) {
  const auto found = communities(graph_of(4, {}), 1.0, Rng(3));
  EXPECT_EQ(found, (Groups{0, 1, 2, 3}));
}

TEST(JoinGroups, JoinsThoseThatShareTheLargestPartOfTheSmallerOnesTies) {
  // A large clique, and two small ones of which the second hangs on the first by more ties.
  std::vector<Tie> ties{{0, 10}, {10, 15}, {11, 15}, {12, 16}};
  for (std::uint32_t a = 0; a < 10; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) ties.push_back({a, b});
  }
  for (std::uint32_t a = 0; a < 5; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      ties.push_back({10 + a, 10 + b});
      ties.push_back({15 + a, 15 + b});
    }
  }
  Groups group(20, 0);
  std::fill(group.begin() + 10, group.begin() + 15, 1);
  std::fill(group.begin() + 15, group.end(), 2);
  const auto graph = graph_of(20, ties);
  const auto joined = join_groups(graph, group, 2, Joining::smaller);
  Groups expected(20, 0);
  std::fill(expected.begin() + 10, expected.end(), 1);
  EXPECT_EQ(joined, expected);
  EXPECT_EQ(join_groups(graph, group, 3, Joining::smaller), group);
  EXPECT_TRUE(join_groups(graph, group, 4, Joining::chance).empty());
}

}  // namespace
}  // namespace nw::cluster
