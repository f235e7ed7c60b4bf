// What solve_exact promises besides the optimum: the same answer for every thread count and every
// start, and a word on why it stopped.
#include <cmath>

#include <gtest/gtest.h>

#include "nw/ot/exact.hpp"
#include "nw/ot/many.hpp"

#include "oracle/certificate.hpp"
#include "oracle/random_clouds.hpp"
#include "oracle/random_problems.hpp"

namespace nw::ot {
namespace {

using oracle::Clouds;
using oracle::is_optimal;
using oracle::normal_points;

constexpr GroundCost kCosts[] = {GroundCost::euclidean, GroundCost::squared_euclidean};

TransportResult solve(const PointProblem& problem, const TransportResult* start = nullptr) {
  ExactOptions options;
  options.warm_start = start;
  return solve_exact(problem, options);
}

TEST(SolveExact, GivesTheSameBitsForOneToFourThreads) {
  Rng rng(1);
  std::vector<Clouds> inputs;
  inputs.push_back({normal_points(rng, 700, 2), normal_points(rng, 700, 2), {}, {}});
  inputs.push_back({normal_points(rng, 400, 10), normal_points(rng, 500, 10), {}, {}});
  inputs.push_back(
      {oracle::lattice_points(rng, 500, 2, 12), oracle::lattice_points(rng, 500, 2, 12), {}, {}});
  inputs.push_back({normal_points(rng, 500, 3), normal_points(rng, 600, 3),
                    oracle::random_weights(rng, 500), oracle::random_weights(rng, 600)});
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    for (const GroundCost cost : kCosts) {
      ExactOptions options;
      options.threads = 1;
      const auto reference = solve_exact(inputs[k].problem(cost), options);
      for (const int threads : {2, 3, 4}) {
        options.threads = threads;
        const auto result = solve_exact(inputs[k].problem(cost), options);
        EXPECT_EQ(result.cost, reference.cost) << k << ", " << threads << " threads";
        EXPECT_EQ(result.dual_objective, reference.dual_objective) << k;
        EXPECT_EQ(result.plan, reference.plan) << k;
        EXPECT_EQ(result.source_potential, reference.source_potential) << k;
        EXPECT_EQ(result.target_potential, reference.target_potential) << k;
      }
    }
  }
}

TEST(SolveExact, GivesTheSameBitsForAMatrixAtEveryThreadCount) {
  Rng rng(2);
  Matrix cost(180, 210);
  for (double& c : cost.values()) c = std::round(5.0 * rng.normal());
  ExactOptions options;
  options.threads = 1;
  const auto reference = solve_exact(MatrixProblem{cost, {}, {}}, options);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const auto result = solve_exact(MatrixProblem{cost, {}, {}}, options);
    EXPECT_EQ(result.plan, reference.plan);
    EXPECT_EQ(result.source_potential, reference.source_potential);
  }
}

TEST(SolveExact, AWarmStartAfterAnyChangeGivesTheCostOfAColdOne) {
  Rng rng(3);
  for (const std::size_t d : {2u, 8u}) {
    Clouds clouds{normal_points(rng, 200, d), normal_points(rng, 240, d), {}, {}};
    clouds.a = oracle::random_weights(rng, 200);
    for (const GroundCost cost : kCosts) {
      TransportResult last = solve(clouds.problem(cost));
      for (int change = 0; change < 6; ++change) {
        Clouds next = clouds;
        switch (change) {
          case 0:
            next.a = oracle::random_weights(rng, 200);
            break;
          case 1:
            next.b = oracle::random_weights(rng, 240);
            break;
          case 2:
            for (double& value : next.x.values()) value += 0.01 * rng.normal();
            break;
          case 3:
            next.y = normal_points(rng, 240, d);
            break;  // nothing in common
          case 4:
            next.a.clear(), next.b.clear();
            break;
          default:
            for (double& value : next.x.values()) value *= 1000.0;
        }
        const PointProblem problem = next.problem(cost);
        const auto cold = solve(problem), warm = solve(problem, &last);
        EXPECT_NEAR(warm.cost, cold.cost, 1e-12 * cold.cost) << "change " << change;
        EXPECT_TRUE(is_optimal(warm, problem)) << "change " << change;
        last = warm;
        clouds = next;
      }
    }
  }
}

TEST(SolveExact, AWarmStartFromTheSolutionNeedsFewPivots) {
  Rng rng(4);
  const Clouds clouds{normal_points(rng, 500, 2), normal_points(rng, 500, 2), {}, {}};
  for (const GroundCost cost : kCosts) {
    const auto cold = solve(clouds.problem(cost));
    const auto again = solve(clouds.problem(cost), &cold);
    EXPECT_LT(again.pivots, cold.pivots / 5);
    EXPECT_NEAR(again.cost, cold.cost, 1e-13 * cold.cost);
  }
}

TEST(SolveExact, AWarmStartForAMatrixGivesTheCostOfAColdOne) {
  Rng rng(5);
  Matrix cost(90, 110);
  for (double& c : cost.values()) c = rng.normal();
  const auto first = solve_exact(MatrixProblem{cost, {}, {}});
  for (double& c : cost.values()) c += 0.1 * rng.normal();
  const auto weights = oracle::random_weights(rng, 90);
  const MatrixProblem changed{cost, weights, {}};
  ExactOptions options;
  options.warm_start = &first;
  const auto cold = solve_exact(changed), warm = solve_exact(changed, options);
  EXPECT_NEAR(warm.cost, cold.cost, 1e-12 * std::abs(cold.cost));
}

TEST(SolveExact, ReportsThePivotLimitAndBoundsThatStillHold) {
  Rng rng(6);
  const Clouds clouds{normal_points(rng, 400, 2), normal_points(rng, 400, 2), {}, {}};
  for (const GroundCost cost : kCosts) {
    const double optimum = solve(clouds.problem(cost)).cost;
    ExactOptions options;
    options.max_pivots = 50;
    const auto result = solve_exact(clouds.problem(cost), options);
    EXPECT_EQ(result.termination, Termination::pivot_limit);
    EXPECT_FALSE(result.optimal());
    EXPECT_LE(result.pivots, 50 + 10) << "every level may finish the pivot it is at";
    EXPECT_GE(result.cost, optimum * (1 - 1e-12)) << "the plan of an early stop is still a plan";
    EXPECT_LE(result.dual_objective, optimum * (1 + 1e-12));
  }
}

TEST(SolveExact, StopsWhenTheObserverSaysSo) {
  Rng rng(7);
  const Clouds clouds{normal_points(rng, 2000, 2), normal_points(rng, 2000, 2), {}, {}};
  const PointProblem problem = clouds.problem(GroundCost::euclidean);
  ExactOptions options;
  int calls = 0;
  options.observer = [&](const ExactProgress& progress) {
    EXPECT_GE(progress.level, 0);
    EXPECT_LT(progress.level, progress.levels);
    return ++calls < 2;
  };
  const auto result = solve_exact(problem, options);
  EXPECT_EQ(result.termination, Termination::interrupted);
  EXPECT_LT(calls, 10);
  const double optimum = solve(problem).cost;
  EXPECT_GE(result.cost, optimum * (1 - 1e-12));
  EXPECT_LE(result.dual_objective, optimum * (1 + 1e-12));
}

TEST(SolveExact, RejectsAWarmStartOfAnotherShape) {
  Rng rng(8);
  const Clouds clouds{normal_points(rng, 20, 2), normal_points(rng, 20, 2), {}, {}};
  const Clouds other{normal_points(rng, 10, 2), normal_points(rng, 20, 2), {}, {}};
  const auto start = solve(clouds.problem(GroundCost::euclidean));
  EXPECT_THROW((void)solve(other.problem(GroundCost::euclidean), &start), InvalidArgument);
}

TEST(SolveExact, SwappingTheCloudsTransposesTheProblem) {
  Rng rng(9);
  const Clouds clouds{
      normal_points(rng, 150, 3), normal_points(rng, 210, 3), {}, oracle::random_weights(rng, 210)};
  for (const GroundCost cost : kCosts) {
    const PointProblem forward = clouds.problem(cost);
    const PointProblem backward{forward.target, forward.source, cost};
    const double there = solve(forward).cost, back = solve(backward).cost;
    EXPECT_NEAR(there, back, 1e-13 * there);
  }
}

TEST(SolveExact, StopsAtTheGapAskedForWithBoundsThatHold) {
  Rng rng(10);
  const Clouds clouds{normal_points(rng, 3000, 2), normal_points(rng, 3000, 2), {}, {}};
  for (const GroundCost cost : kCosts) {
    const PointProblem problem = clouds.problem(cost);
    const TransportResult best = solve(problem);
    for (const double gap : {1e-1, 1e-2, 1e-4}) {
      ExactOptions options;
      options.gap = gap;
      const auto result = solve_exact(problem, options);
      EXPECT_TRUE(result.optimal() || result.termination == Termination::gap_reached);
      EXPECT_LE(result.gap(), gap * result.cost * (1 + 1e-12));
      EXPECT_LE(result.pivots, best.pivots);
      if (gap > 0.05) {
        EXPECT_LT(result.pivots, best.pivots);
      }
      EXPECT_GE(result.cost, best.cost * (1 - 1e-12));
      EXPECT_LE(result.dual_objective, best.cost * (1 + 1e-12));
    }
  }
}

TEST(SolveExact, ShowsBoundsThatCloseInOnTheOptimum) {
  Rng rng(11);
  const Clouds clouds{normal_points(rng, 2000, 2), normal_points(rng, 2000, 2), {}, {}};
  for (const GroundCost cost : kCosts) {
    double last_seen = HUGE_VAL;
    ExactOptions options;
    options.observer = [&](const ExactProgress& progress) {
      last_seen = progress.gap;
      return true;
    };
    const auto result = solve_exact(clouds.problem(cost), options);
    ASSERT_FALSE(result.history.empty());
    BoundsInTime before{.seconds = 0.0, .pivots = 0, .cost = HUGE_VAL, .dual_objective = -HUGE_VAL};
    for (const BoundsInTime& now : result.history) {
      EXPECT_GE(now.seconds, before.seconds);
      EXPECT_GE(now.pivots, before.pivots);
      EXPECT_GE(now.cost, result.cost * (1 - 1e-12));
      EXPECT_LE(now.dual_objective, result.cost * (1 + 1e-12));
      EXPECT_GE(now.dual_objective, before.dual_objective) << "the best bound so far is kept";
      before = now;
    }
    EXPECT_LE(last_seen, 1.0) << "the observer sees the gap once there is a plan";
  }
}

TEST(SolveMany, SolvesEveryKindOfSmallProblemToTheCertificate) {
  std::vector<oracle::RandomProblem> problems;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    problems.push_back(oracle::random_problem(trial));
  }
  std::vector<PointProblem> points;
  std::vector<MatrixProblem> matrices;
  for (const auto& problem : problems) {
    if (problem.is_matrix) {
      matrices.push_back(problem.matrices());
    } else {
      points.push_back(problem.points());
    }
  }
  ASSERT_GT(matrices.size(), 20u);
  const auto of_points = solve_many(points);
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_TRUE(is_optimal(of_points[k], points[k])) << k;
    const double alone = solve(points[k]).cost;
    EXPECT_NEAR(of_points[k].cost, alone, 1e-11 * std::abs(alone) + 1e-15) << k;
  }
  const auto of_matrices = solve_many(matrices);
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const double alone = solve_exact(matrices[k]).cost;
    EXPECT_NEAR(of_matrices[k].cost, alone, 1e-11 * std::abs(alone) + 1e-12) << k;
    EXPECT_LE(of_matrices[k].gap(), 1e-9 * std::abs(alone) + 1e-12) << k;
  }
}

TEST(SolveMany, GivesTheSameBitsForOneToFourThreads) {
  Rng rng(12);
  std::vector<Clouds> clouds;
  for (std::size_t k = 0; k < 60; ++k) {
    clouds.push_back({normal_points(rng, 5 + k, 3), normal_points(rng, 65 - k, 3), {}, {}});
  }
  std::vector<PointProblem> problems;
  for (const Clouds& pair : clouds) problems.push_back(pair.problem(GroundCost::euclidean));
  ExactOptions options;
  options.threads = 1;
  const auto reference = solve_many(problems, options);
  for (const int threads : {2, 4}) {
    options.threads = threads;
    const auto results = solve_many(problems, options);
    for (std::size_t k = 0; k < results.size(); ++k) {
      EXPECT_EQ(results[k].plan, reference[k].plan);
      EXPECT_EQ(results[k].source_potential, reference[k].source_potential);
      EXPECT_EQ(results[k].cost, reference[k].cost);
    }
  }
}

TEST(SolveMany, NamesTheProblemThatIsWrongAndStopsWhenTold) {
  Rng rng(13);
  const Matrix x = normal_points(rng, 4, 2), y = normal_points(rng, 4, 3);
  std::vector<PointProblem> problems(40, PointProblem{.source = {x, {}}, .target = {x, {}}});
  ExactOptions options;
  options.observer = [](const ExactProgress&) { return false; };
  for (const auto& result : solve_many(problems, options)) {
    EXPECT_EQ(result.termination, Termination::interrupted);
    EXPECT_TRUE(result.plan.empty());
  }
  problems[17].target = {y, {}};
  try {
    (void)solve_many(problems);
    FAIL() << "points of different dimensions were accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "problem 17: source points have 2 coordinates, target points 3");
  }
}

}  // namespace
}  // namespace nw::ot
