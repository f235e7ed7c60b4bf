// Clouds in which many points coincide: merged before the solve, told apart in the answer.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "nw/ot/exact.hpp"

#include "oracle/certificate.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

// `n` points drawn from `places` different ones, so that most have copies.
Matrix crowded(Rng& rng, std::size_t n, std::size_t places, std::size_t dim) {
  Matrix place(places, dim);
  for (double& value : place.values()) value = rng.normal();
  Matrix points(n, dim);
  for (std::size_t i = 0; i < n; ++i) {
    std::ranges::copy(place.row(rng.below(places)), points.row(i).begin());
  }
  return points;
}

Matrix costs_between(const Matrix& x, const Matrix& y, GroundCost cost) {
  Matrix costs(x.rows(), y.rows());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < y.rows(); ++j) {
      double square = 0.0;
      for (std::size_t k = 0; k < x.cols(); ++k) {
        square += (x(i, k) - y(j, k)) * (x(i, k) - y(j, k));
      }
      costs(i, j) = cost == GroundCost::euclidean ? std::sqrt(square) : square;
    }
  }
  return costs;
}

TEST(Copies, give_the_cost_of_the_full_matrix_with_a_plan_of_the_right_marginals) {
  Rng rng(3);
  for (int trial = 0; trial < 60; ++trial) {
    const std::size_t n = 1 + rng.below(80), m = 1 + rng.below(80), dim = 2 + rng.below(3);
    const Matrix x = crowded(rng, n, 1 + rng.below(12), dim);
    const Matrix y = crowded(rng, m, 1 + rng.below(12), dim);
    const bool weighted = trial % 2 == 1;
    const auto a = weighted ? oracle::random_weights(rng, n) : std::vector<double>();
    const auto b = weighted ? oracle::random_weights(rng, m) : std::vector<double>();
    const auto cost = trial % 4 < 2 ? GroundCost::euclidean : GroundCost::squared_euclidean;
    const PointProblem problem{.source = {x, a}, .target = {y, b}, .cost = cost};
    const TransportResult result = solve_exact(problem);
    EXPECT_TRUE(oracle::is_optimal(result, problem)) << "trial " << trial;
    const Matrix matrix = costs_between(x, y, cost);
    const TransportResult full =
        solve_exact(MatrixProblem{.cost = matrix, .source_weights = a, .target_weights = b});
    EXPECT_NEAR(result.cost, full.cost, 1e-12 * (1.0 + full.cost)) << "trial " << trial;
  }
}

TEST(Copies, of_one_point_need_no_pivots) {
  const Matrix x(1000, 2, 1.0), y(700, 2, 3.0);
  const TransportResult result = solve_exact(PointProblem{.source = {x, {}}, .target = {y, {}}});
  EXPECT_EQ(result.pivots, 0);
  EXPECT_NEAR(result.cost, std::sqrt(8.0), 1e-14);
  EXPECT_LE(result.plan.size(), 1699U);
}

TEST(Copies, take_a_warm_start_and_refuse_one_of_another_size) {
  Rng rng(5);
  const Matrix x = crowded(rng, 120, 30, 2), y = crowded(rng, 90, 30, 2);
  const PointProblem problem{.source = {x, {}}, .target = {y, {}}};
  const TransportResult cold = solve_exact(problem);
  ExactOptions options;
  options.warm_start = &cold;
  const TransportResult warm = solve_exact(problem, options);
  EXPECT_NEAR(warm.cost, cold.cost, 1e-14);
  EXPECT_TRUE(oracle::is_optimal(warm, problem));

  TransportResult other = cold;
  other.source_potential.pop_back();
  options.warm_start = &other;
  EXPECT_THROW((void)solve_exact(problem, options), InvalidArgument);
  other = cold;
  other.plan[0].target = 90;
  EXPECT_THROW((void)solve_exact(problem, options), InvalidArgument);
}

}  // namespace
}  // namespace nw::ot
