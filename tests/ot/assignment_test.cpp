// Matchings of equal masses, with every instruction set, against all permutations, a plain flow
// solver, and the definition of an optimum.
#include "ot/assignment.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/ot/exact.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/certificate.hpp"
#include "oracle/random_clouds.hpp"
#include "oracle/random_problems.hpp"

namespace nw::ot {
namespace {

using oracle::Clouds;
using oracle::is_optimal;
using oracle::normal_points;

constexpr GroundCost kCosts[] = {GroundCost::euclidean, GroundCost::squared_euclidean};
constexpr double kTolerance = 1e-12;

/// Calls visit(kernels) for every set this processor runs.
template <typename Visit>
void for_each_set(Visit&& visit) {
  for (const char* name : {"baseline", "avx2", "avx512"}) {
    const AssignmentKernels* const kernels = find_assignment_kernels(name);
    if (kernels == nullptr) continue;
    SCOPED_TRACE(name);
    EXPECT_STREQ(kernels->name, name);
    visit(*kernels);
  }
}

/// Integers of which many are equal, zero and negative.
Matrix tied_costs(Rng& rng, std::size_t n, std::uint64_t levels) {
  Matrix cost(n, n);
  for (double& value : cost.values()) {
    value = static_cast<double>(rng.below(levels)) - 0.5 * static_cast<double>(levels / 2);
  }
  return cost;
}

TEST(Assignment, FindsTheBestOfAllPermutations) {
  for_each_set([](const AssignmentKernels& kernels) {
    Rng rng(1);
    Assignment solver(kernels);
    for (std::size_t n = 1; n <= 7; ++n) {
      for (std::uint64_t trial = 0; trial < 40; ++trial) {
        const Matrix cost = tied_costs(rng, n, trial % 2 == 0 ? 3 + trial / 4 : 1000000);
        TransportResult found;
        ASSERT_TRUE(solver.solve(MatrixProblem{.cost = cost}, kTolerance, found));
        EXPECT_NEAR(found.cost, oracle::best_assignment(cost), 1e-12) << n << ", " << trial;
      }
    }
  });
}

TEST(Assignment, ProvesItsCostForEverySizeAroundAVector) {
  for_each_set([](const AssignmentKernels& kernels) {
    Rng rng(2);
    Assignment solver(kernels);
    for (std::size_t n = 1; n <= 80; ++n) {
      for (const GroundCost cost : kCosts) {
        const std::size_t d = 1 + n % 9;
        const Clouds clouds{normal_points(rng, n, d), normal_points(rng, n, d), {}, {}};
        TransportResult found;
        ASSERT_TRUE(solver.solve(clouds.problem(cost), kTolerance, found)) << n;
        EXPECT_EQ(found.plan.size(), n);
        EXPECT_TRUE(is_optimal(found, clouds.problem(cost))) << n;
      }
    }
  });
}

TEST(Assignment, KeepsItsCertificateWhereCostsTieEverywhere) {
  for_each_set([](const AssignmentKernels& kernels) {
    Rng rng(3);
    Assignment solver(kernels);
    const auto expect_optimal = [&](const PointProblem& problem, const std::string& what) {
      TransportResult found;
      ASSERT_TRUE(solver.solve(problem, kTolerance, found)) << what;
      EXPECT_TRUE(is_optimal(found, problem, {.absolute = 1e-15})) << what;
    };
    for (const std::size_t n : std::initializer_list<std::size_t>{2, 9, 33, 64, 65, 130}) {
      for (const GroundCost cost : kCosts) {
        const Clouds grid{
            oracle::lattice_points(rng, n, 2, 4), oracle::lattice_points(rng, n, 2, 4), {}, {}};
        expect_optimal(grid.problem(cost), concat("a grid, ", n));
        const Clouds one{Matrix(n, 3, 1.0), Matrix(n, 3, 1.0), {}, {}};
        expect_optimal(one.problem(cost), concat("one point, ", n));
        const Clouds same{grid.x, grid.x, {}, {}};
        expect_optimal(same.problem(cost), concat("the same cloud, ", n));
        Clouds scaled{normal_points(rng, n, 4), normal_points(rng, n, 4), {}, {}};
        oracle::scale_by_power_of_two(scaled.x, 400);
        oracle::scale_by_power_of_two(scaled.y, 400);
        expect_optimal(scaled.problem(cost), concat("large numbers, ", n));
      }
    }
  });
}

TEST(Assignment, AgreesWithAPlainFlowSolverOnTiedMatrices) {
  for_each_set([](const AssignmentKernels& kernels) {
    Rng rng(4);
    Assignment solver(kernels);
    for (const std::size_t n : std::initializer_list<std::size_t>{10, 17, 24}) {
      for (const std::uint64_t levels : {2, 4, 50}) {
        const Matrix cost = tied_costs(rng, n, levels);
        TransportResult found;
        ASSERT_TRUE(solver.solve(MatrixProblem{.cost = cost}, kTolerance, found));
        const std::vector<double> masses = oracle::masses({}, n);
        EXPECT_NEAR(found.cost, oracle::min_cost_flow(cost, masses, masses), 1e-12);
        EXPECT_TRUE(is_optimal(found, cost, masses, masses));
      }
    }
  });
}

TEST(Assignment, AgreesWithTheOtherSolverAtItsLargestSize) {
  Rng rng(5);
  Assignment solver;
  const Clouds clouds{
      normal_points(rng, kLargestAssignment, 2), normal_points(rng, kLargestAssignment, 2), {}, {}};
  for (const GroundCost cost : kCosts) {
    const PointProblem problem = clouds.problem(cost);
    ASSERT_TRUE(Assignment::fits(problem));
    TransportResult found;
    ASSERT_TRUE(solver.solve(problem, kTolerance, found));
    const double expected = solve_exact(problem).cost;
    EXPECT_NEAR(found.cost, expected, 1e-12 * expected);
  }
}

TEST(Assignment, LeavesOtherMassesAndHugeCostsToOthers) {
  Rng rng(6);
  const Matrix x = normal_points(rng, 5, 2), y = normal_points(rng, 6, 2);
  const std::vector<double> weights{1, 1, 1, 1, 2}, equal(5, 3.0);
  EXPECT_FALSE(Assignment::fits(PointProblem{{x, {}}, {y, {}}}));
  EXPECT_FALSE(Assignment::fits(PointProblem{{x, weights}, {x, {}}}));
  EXPECT_TRUE(Assignment::fits(PointProblem{{x, equal}, {x, {}}}));
  Assignment solver;
  TransportResult found;
  const Matrix huge(3, 3, 1e305);
  EXPECT_FALSE(solver.solve(MatrixProblem{.cost = huge}, kTolerance, found));
  const Matrix far(4, 2, 1e150);
  EXPECT_FALSE(solver.solve(PointProblem{{far, {}}, {far, {}}}, kTolerance, found));
}

}  // namespace
}  // namespace nw::ot
