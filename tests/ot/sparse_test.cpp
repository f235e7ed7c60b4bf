// Transport over the entries of a sparse matrix, against a plain min-cost flow on the full one.
#include "nw/ot/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

/// Costs of some pairs, as compressed rows and as a matrix in which all others cost `missing`.
struct Entries {
  std::size_t rows, columns;
  std::vector<std::int64_t> row_begin{0}, column;
  std::vector<double> cost;
  Matrix full;

  Entries(std::size_t n, std::size_t m, double missing) : rows(n), columns(m), full(n, m) {
    for (double& value : full.values()) value = missing;
  }
  void add(std::size_t j, double value) {
    column.push_back(static_cast<std::int64_t>(j));
    cost.push_back(value);
    full(row_begin.size() - 1, j) = value;
  }
  void end_row() { row_begin.push_back(static_cast<std::int64_t>(column.size())); }
  [[nodiscard]] SparseProblem problem(const std::vector<double>& a = {},
                                      const std::vector<double>& b = {}) const {
    return {{rows, columns, row_begin, column, cost}, a, b};
  }
};

constexpr double kForbidden = 1e4;

/// Each pair is an entry with probability `share`; of one target in two also the diagonal's.
Entries random_entries(Rng& rng, std::size_t n, std::size_t m, double share) {
  Entries entries(n, m, kForbidden);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      if (rng.uniform() < share || i % m == j) entries.add(j, rng.normal());
    }
    entries.end_row();
  }
  return entries;
}

void expect_certified(const TransportResult& result, const Entries& entries,
                      std::span<const double> a, std::span<const double> b) {
  ASSERT_TRUE(result.optimal());
  EXPECT_NEAR(result.dual_objective, result.cost, 1e-10);
  std::vector<double> left(a.begin(), a.end()), room(b.begin(), b.end());
  for (const Flow& flow : result.plan) {
    EXPECT_LT(entries.full(flow.source, flow.target), kForbidden) << "a forbidden pair";
    left[flow.source] -= flow.mass;
    room[flow.target] -= flow.mass;
  }
  for (const auto* side : {&left, &room}) {
    for (const double value : *side) EXPECT_NEAR(value, 0.0, 1e-12);
  }
  for (std::size_t i = 0; i < entries.rows; ++i) {
    for (auto k = entries.row_begin[i]; k < entries.row_begin[i + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const auto j = static_cast<std::size_t>(entries.column[entry]);
      EXPECT_LE(result.source_potential[i] + result.target_potential[j],
                entries.cost[entry] + 1e-12);
    }
  }
}

std::string message_of(const SparseProblem& problem) {
  try {
    (void)solve_sparse(problem);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(SolveSparse, CostsWhatAMinimumCostFlowCostsOrSaysThatNothingFits) {
  Rng rng(21);
  int solved = 0, refused = 0;
  for (int round = 0; round < 150; ++round) {
    const std::size_t n = oracle::size_between(rng, 1, 12), m = oracle::size_between(rng, 1, 12);
    const Entries entries = random_entries(rng, n, m, 0.05 + 0.5 * rng.uniform());
    const bool weighted = round % 2 == 0;
    const auto a = weighted ? oracle::random_weights(rng, n) : std::vector<double>{};
    const auto b = weighted ? oracle::random_weights(rng, m) : std::vector<double>{};
    const auto left = oracle::masses(a, n), room = oracle::masses(b, m);
    const double reference = oracle::min_cost_flow(entries.full, left, room);
    const SparseProblem problem = entries.problem(a, b);
    if (reference > 50.0) {  // some mass has to take a forbidden pair
      EXPECT_NE(message_of(problem).find("no plan uses the given pairs alone"), std::string::npos);
      ++refused;
      continue;
    }
    const TransportResult result = solve_sparse(problem);
    EXPECT_NEAR(result.cost, reference, 1e-10);
    expect_certified(result, entries, left, room);
    ++solved;
  }
  EXPECT_GT(solved, 30);
  EXPECT_GT(refused, 30);
}

TEST(SolveSparse, AgreesWithTheFullMatrixWhereNothingIsForbidden) {
  Rng rng(22);
  Entries entries(60, 45, kForbidden);
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t j = 0; j < 45; ++j) entries.add(j, rng.uniform());
    entries.end_row();
  }
  const auto a = oracle::random_weights(rng, 60), b = oracle::random_weights(rng, 45);
  const TransportResult result = solve_sparse(entries.problem(a, b));
  const TransportResult full = solve_exact(MatrixProblem{entries.full, a, b});
  EXPECT_NEAR(result.cost, full.cost, 1e-12);
  expect_certified(result, entries, oracle::masses(a, 60), oracle::masses(b, 45));
}

TEST(SolveSparse, TakesTheOnlyPlanHoweverMuchItCosts) {
  // A path: each target but the last is shared, and the plan along it is forced.
  constexpr std::size_t kPoints = 400;
  Entries entries(kPoints, kPoints, kForbidden);
  for (std::size_t i = 0; i < kPoints; ++i) {
    if (i > 0) entries.add(i - 1, 0.0);
    entries.add(i, i == 0 ? 5.0 : 1.0);
    entries.end_row();
  }
  const TransportResult result = solve_sparse(entries.problem());
  EXPECT_NEAR(result.cost, (5.0 + static_cast<double>(kPoints - 1)) / kPoints, 1e-12);
  EXPECT_EQ(result.plan.size(), kPoints);
}

TEST(SolveSparse, SolvesBlocksWhoseWeightsAgreeOnlyUpToRounding) {
  Entries entries(3, 2, kForbidden);
  entries.add(0, 1.0);
  entries.end_row();
  entries.add(0, 2.0);
  entries.end_row();
  entries.add(1, 3.0);
  entries.end_row();
  // 0.1 + 0.2 is not 0.3 in binary.
  const TransportResult result = solve_sparse(entries.problem({0.1, 0.2, 0.7}, {0.3, 0.7}));
  EXPECT_TRUE(result.optimal());
  EXPECT_NEAR(result.cost, 0.1 + 0.4 + 2.1, 1e-12);
}

TEST(SolveSparse, SaysWhichSourcesReachTooLittle) {
  Entries entries(4, 4, kForbidden);
  for (std::size_t i = 0; i < 4; ++i) {
    entries.add(0, 1.0);  // three sources share the first target
    if (i == 3) {
      for (std::size_t j = 1; j < 4; ++j) entries.add(j, 1.0);
    }
    entries.end_row();
  }
  EXPECT_EQ(message_of(entries.problem()),
            "no plan uses the given pairs alone: 0.5 of the mass cannot be moved; sources 0, 1, 2 "
            "with 0.75 of it reach targets with 0.25 of it");
  Entries lonely(2, 1, kForbidden);
  lonely.add(0, 1.0);
  lonely.end_row();
  lonely.end_row();
  EXPECT_EQ(message_of(lonely.problem()),
            "no plan uses the given pairs alone: source 1 has mass and no entry");
  EXPECT_EQ(message_of(lonely.problem({1.0, 0.0}, {})), "") << "without mass it needs none";
}

TEST(SolveSparse, RefusesRowsThatAreNoMatrix) {
  const std::vector<std::int64_t> begin{0, 2}, twice{1, 1}, outside{0, 5};
  const std::vector<double> costs{1.0, 2.0}, infinite{1.0, HUGE_VAL};
  const std::vector<std::int64_t> good{0, 1};
  EXPECT_NE(message_of({{1, 2, begin, twice, costs}}).find("increasing order"), std::string::npos);
  EXPECT_NE(message_of({{1, 2, begin, outside, costs}}).find("column 5 in row 0"),
            std::string::npos);
  EXPECT_NE(message_of({{1, 2, begin, good, infinite}}).find("not finite"), std::string::npos);
  EXPECT_NE(message_of({{2, 2, begin, good, costs}}).find("row_begin"), std::string::npos);
}

}  // namespace
}  // namespace nw::ot
