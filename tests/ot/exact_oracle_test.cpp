// solve_exact against POT's network simplex on thousands of random problems, and against brute
// force where POT is not installed. Every answer must also carry its own proof.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "nw/base/stopwatch.hpp"
#include "nw/ot/exact.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/certificate.hpp"
#include "oracle/pot.hpp"
#include "oracle/random_problems.hpp"

namespace nw::ot {
namespace {

using oracle::Clouds;
using oracle::is_optimal;
using oracle::random_problem;
using oracle::RandomProblem;
using oracle::size_between;
using oracle::some_points;
using oracle::some_weights;

constexpr GroundCost kCosts[] = {GroundCost::euclidean, GroundCost::squared_euclidean};

double largest_cost(const RandomProblem& problem) {
  const Matrix cost = problem.is_matrix ? problem.matrix : oracle::cost_matrix(problem.points());
  double largest = 0.0;
  for (const double c : cost.values()) largest = std::max(largest, std::abs(c));
  return largest;
}

TEST(SolveExact, EqualsPotOnThousandsOfRandomProblemsAndProvesItsAnswers) {
  constexpr std::uint64_t kProblems = 2500;
  // So that cycling or stalling fails instead of hanging.
  Stopwatch watch;
  ExactOptions options;
  options.max_pivots = 1'000'000;
  options.observer = [&](const ExactProgress&) { return watch.seconds() < 10.0; };
  oracle::Pot pot;
  std::vector<double> ours, scales;
  for (std::uint64_t trial = 0; trial < kProblems; ++trial) {
    const RandomProblem problem = random_problem(trial);
    TransportResult result;
    watch = Stopwatch();
    if (problem.is_matrix) {
      result = solve_exact(problem.matrices(), options);
      pot.exact(problem.matrices());
      EXPECT_TRUE(is_optimal(result, problem.matrix,
                             oracle::masses(problem.clouds.a, problem.matrix.view().rows()),
                             oracle::masses(problem.clouds.b, problem.matrix.view().cols())))
          << "trial " << trial;
    } else {
      result = solve_exact(problem.points(), options);
      pot.exact(problem.points());
      EXPECT_TRUE(is_optimal(result, problem.points())) << "trial " << trial;
    }
    ours.push_back(result.cost);
    scales.push_back(largest_cost(problem));
  }
  const auto theirs = pot.answers();
  if (!theirs) GTEST_SKIP() << "python3-pot is not installed; the certificates were checked";
  for (std::size_t trial = 0; trial < kProblems; ++trial) {
    ASSERT_NEAR(ours[trial], (*theirs)[trial],
                1e-9 * std::abs((*theirs)[trial]) + 1e-13 * scales[trial])
        << "trial " << trial;
  }
}

TEST(SolveExact, EqualsTheBestOfAllPermutationsOfAFewPoints) {
  Rng rng(1);
  for (int trial = 0; trial < 150; ++trial) {
    const std::size_t n = size_between(rng, 1, 7), d = size_between(rng, 2, 6);
    const Clouds clouds{
        some_points(rng, n, d, trial % 5), some_points(rng, n, d, trial % 5), {}, {}};
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      const double best = oracle::best_assignment(oracle::cost_matrix(problem));
      ASSERT_NEAR(solve_exact(problem).cost, best, 1e-12 * (1.0 + best)) << "trial " << trial;
    }
  }
}

TEST(SolveExact, EqualsMinCostFlowOnSmallWeightedProblems) {
  Rng rng(2);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = size_between(rng, 1, 14), m = size_between(rng, 1, 14);
    const auto a = some_weights(rng, n, trial % 4), b = some_weights(rng, m, trial / 4 % 4);
    const auto source = oracle::masses(a, n), target = oracle::masses(b, m);
    const Clouds clouds{some_points(rng, n, 2, trial % 5), some_points(rng, m, 2, trial % 5), a, b};
    const PointProblem problem = clouds.problem(kCosts[trial % 2]);
    const double flow = oracle::min_cost_flow(oracle::cost_matrix(problem), source, target);
    ASSERT_NEAR(solve_exact(problem).cost, flow, 1e-11 * (1.0 + flow)) << "trial " << trial;

    Matrix cost(n, m);
    for (double& c : cost.values()) c = std::round(3.0 * rng.normal()) - 1.0;
    const MatrixProblem general{cost, a, b};
    const double best = oracle::min_cost_flow(cost, source, target);
    const auto result = solve_exact(general);
    ASSERT_NEAR(result.cost, best, 1e-11 * (1.0 + std::abs(best))) << "trial " << trial;
    EXPECT_TRUE(is_optimal(result, cost, source, target)) << "trial " << trial;
  }
}

}  // namespace
}  // namespace nw::ot
