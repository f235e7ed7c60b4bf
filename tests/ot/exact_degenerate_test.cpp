// Inputs that make simplex methods cycle, stall or lose digits. Each must be solved, with a proof,
// and agree with POT where that is installed.
#include <cmath>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "nw/ot/exact.hpp"

#include "oracle/brute_force.hpp"
#include "oracle/certificate.hpp"
#include "oracle/pot.hpp"
#include "oracle/random_clouds.hpp"

namespace nw::ot {
namespace {

using oracle::Clouds;
using oracle::is_optimal;
using oracle::normal_points;

constexpr GroundCost kCosts[] = {GroundCost::euclidean, GroundCost::squared_euclidean};

struct Case {
  std::string name;
  Clouds clouds;
  double rounding = 0.0;  // absolute, where the exact answer is zero and coordinates are not
};

Matrix shifted(Matrix points, double by) {
  for (double& value : points.values()) value += by;
  return points;
}

Matrix scaled(Matrix points, double by) {
  for (double& value : points.values()) value *= by;
  return points;
}

// The side x side grid, `copies` times over, in a scrambled order.
Matrix grid(Rng& rng, std::size_t side, std::size_t copies) {
  const std::size_t n = side * side * copies;
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i % (side * side);
  rng.shuffle(std::span(order));
  Matrix points(n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    points(i, 0) = static_cast<double>(order[i] / side);
    points(i, 1) = static_cast<double>(order[i] % side);
  }
  return points;
}

Matrix line(Rng& rng, std::size_t n, std::size_t d) {
  Matrix points(n, d);
  for (std::size_t i = 0; i < n; ++i) {
    const double t = rng.normal();
    for (std::size_t k = 0; k < d; ++k) points(i, k) = t * static_cast<double>(k + 1);
  }
  return points;
}

Matrix circle(std::size_t n, double phase) {
  Matrix points(n, 2);
  for (std::size_t i = 0; i < n; ++i) {
    const double angle =
        2.0 * std::numbers::pi * (static_cast<double>(i) + phase) / static_cast<double>(n);
    points(i, 0) = std::cos(angle), points(i, 1) = std::sin(angle);
  }
  return points;
}

Matrix cauchy(Rng& rng, std::size_t n, std::size_t d) {
  Matrix points(n, d);
  for (double& value : points.values()) {
    value = std::tan(std::numbers::pi * (rng.uniform() - 0.5));
  }
  return points;
}

std::vector<double> one_heavy(std::size_t n, std::size_t place, double weight) {
  std::vector<double> weights(n, 1.0);
  weights[place] = weight;
  return weights;
}

std::vector<Case> degenerate_cases() {
  Rng rng(77);
  const auto normal = [&](std::size_t n, std::size_t d) { return normal_points(rng, n, d); };
  std::vector<Case> cases;
  const auto add = [&](std::string name, Clouds clouds) {
    cases.push_back({std::move(name), std::move(clouds), 0.0});
  };
  add("one point each", {normal(1, 2), normal(1, 2), {}, {}});
  add("one point against many", {normal(1, 3), normal(200, 3), {}, {}});
  add("all points equal", {Matrix(150, 2, 1.25), Matrix(97, 2, 1.25), {}, {}});
  cases.back().rounding = 1e-30;  // of squares of coordinates near one
  add("two equal piles", {Matrix(120, 2, 0.0), Matrix(120, 2, 1.0), {}, {}});
  add("the same cloud twice", {normal(0, 2), normal(0, 2), {}, {}});
  cases.back().clouds.x = normal(200, 2);
  cases.back().clouds.y = cases.back().clouds.x;
  add("grid against itself, scrambled", {grid(rng, 15, 1), grid(rng, 15, 1), {}, {}});
  add("grid against a shifted grid", {grid(rng, 15, 1), shifted(grid(rng, 15, 1), 1.0), {}, {}});
  add("grid of duplicates, unequal sizes", {grid(rng, 7, 4), grid(rng, 9, 3), {}, {}});
  add("lattice with ties",
      {oracle::lattice_points(rng, 300, 3, 3), oracle::lattice_points(rng, 300, 3, 3), {}, {}});
  add("corners of a cube in ten dimensions",
      {oracle::lattice_points(rng, 200, 10, 2), oracle::lattice_points(rng, 250, 10, 2), {}, {}});
  add("colinear points", {line(rng, 200, 4), line(rng, 151, 4), {}, {}});
  add("odd sizes", {normal(201, 2), normal(201, 2), {}, {}});
  add("sizes without common divisor", {normal(199, 2), normal(211, 2), {}, {}});
  add("circle against a turned circle", {circle(180, 0.0), circle(180, 0.5), {}, {}});
  add("circle against its centre", {circle(100, 0.0), Matrix(30, 2, 0.0), {}, {}});
  add("one heavy weight", {normal(150, 2), normal(160, 2), one_heavy(150, 7, 1e9), {}});
  add("two heavy weights",
      {normal(150, 2), normal(160, 2), one_heavy(150, 7, 1e12), one_heavy(160, 3, 1e12)});
  add("all mass on one point", {normal(50, 2), normal(60, 2), {}, {}});
  cases.back().clouds.a.assign(50, 0.0);
  cases.back().clouds.a[13] = 1e-300;
  add("Cauchy tails", {cauchy(rng, 250, 2), cauchy(rng, 250, 2), {}, {}});
  add("a thousand standard deviations apart",
      {normal(200, 2), shifted(normal(200, 2), 1e3), {}, {}});
  add("a million standard deviations apart",
      {normal(200, 2), shifted(normal(200, 2), 1e6), {}, {}});
  add("both far from the origin",
      {shifted(normal(150, 3), 1e6), shifted(normal(150, 3), 1e6), {}, {}});
  add("scale 1e-150", {scaled(normal(120, 2), 1e-150), scaled(normal(130, 2), 1e-150), {}, {}});
  add("scale 1e150", {scaled(normal(120, 2), 1e150), scaled(normal(130, 2), 1e150), {}, {}});
  add("one coordinate a billion times wider", {normal(150, 3), normal(150, 3), {}, {}});
  for (Matrix* points : {&cases.back().clouds.x, &cases.back().clouds.y}) {
    for (std::size_t i = 0; i < 150; ++i) points->row(i)[1] *= 1e9;
  }
  add("dimension 2048", {normal(60, 2048), normal(50, 2048), {}, {}});
  add("dimension 784 with few levels",
      {oracle::lattice_points(rng, 80, 784, 2), oracle::lattice_points(rng, 80, 784, 2), {}, {}});
  return cases;
}

TEST(SolveExact, SolvesDegenerateProblemsWithAProofAndAgreesWithPot) {
  const auto cases = degenerate_cases();
  oracle::Pot pot;
  std::vector<std::pair<std::string, double>> ours;
  std::vector<double> accepted;
  for (const auto& [name, clouds, rounding] : cases) {
    for (const GroundCost cost : kCosts) {
      const PointProblem problem = clouds.problem(cost);
      const auto result = solve_exact(problem);
      EXPECT_TRUE(is_optimal(result, problem, {.absolute = rounding}))
          << name << ", " << to_string(cost);
      ours.emplace_back(name + ", " + to_string(cost), result.cost);
      double largest = 0.0;
      const Matrix costs = oracle::cost_matrix(problem);
      for (const double c : costs.values()) largest = std::max(largest, c);
      accepted.push_back(1e-13 * largest + rounding);
      pot.exact(problem);
    }
  }
  const auto theirs = pot.answers();
  if (!theirs) GTEST_SKIP() << "python3-pot is not installed; the certificates were checked";
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_NEAR(ours[i].second, (*theirs)[i], 1e-9 * (*theirs)[i] + accepted[i]) << ours[i].first;
  }
}

TEST(SolveExact, ATranslationCostsTheLengthOfTheShift) {
  Rng rng(5);
  for (const std::size_t d : {2u, 3u, 10u, 64u}) {
    Clouds clouds{normal_points(rng, 500, d), Matrix(500, d), {}, {}};
    for (std::size_t i = 0; i < 500; ++i) {
      for (std::size_t k = 0; k < d; ++k) {
        clouds.y((i * 7) % 500, k) = clouds.x(i, k) + 2.0 / std::sqrt(static_cast<double>(d));
      }
    }
    EXPECT_NEAR(solve_exact(clouds.problem(GroundCost::euclidean)).cost, 2.0, 1e-12) << d;
    EXPECT_NEAR(solve_exact(clouds.problem(GroundCost::squared_euclidean)).cost, 4.0, 1e-12) << d;
  }
}

TEST(SolveExact, TwoPointsOfUnequalMassSendTheExcessAcross) {
  const Matrix points({0, 0, 3, 4}, 2, 2);
  const std::vector<double> a{0.75, 0.25}, b{1.0, 3.0};
  const auto w1 = solve_exact(PointProblem{{points, a}, {points, b}, GroundCost::euclidean});
  EXPECT_NEAR(w1.cost, 0.5 * 5.0, 1e-15);
  ASSERT_EQ(w1.plan.size(), 3u);
  EXPECT_EQ(w1.plan[1].source, 0u);
  EXPECT_EQ(w1.plan[1].target, 1u);
  EXPECT_NEAR(w1.plan[1].mass, 0.5, 1e-15);
}

}  // namespace
}  // namespace nw::ot
