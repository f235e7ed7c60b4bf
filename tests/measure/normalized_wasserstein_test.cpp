#include "nw/measure/normalized_wasserstein.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/ot/exact.hpp"

#include "measure/mixtures.hpp"

namespace nw::measure {
namespace {

using testing::draw_gaussian;
using testing::draw_ring;
using ::testing::HasSubstr;
using testing::ring_proportions;

struct Pair {
  Matrix x, y;
};

Pair setting(int number, std::size_t rows, double deviation, std::uint64_t seed = 1) {
  Rng rng(seed);
  Matrix x = draw_ring({.rows = rows, .deviation = deviation}, rng);
  Matrix y = draw_ring({.rows = rows,
                        .deviation = deviation,
                        .turn = number == 2 ? 0.5 : 0.0,
                        .pi = ring_proportions(true)},
                       rng);
  return {std::move(x), std::move(y)};
}

NwResult measure(const Pair& pair, NwOptions options, std::uint64_t seed = 1) {
  Rng rng(seed);
  return normalized_wasserstein({pair.x, {}}, {pair.y, {}}, options, rng);
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no exception";
}

TEST(NormalizedWasserstein, IsNearItsNoiseFloorWhenOnlyTheProportionsDiffer) {
  const Pair pair = setting(1, 400, 0.1);
  const NwResult result = measure(pair, {.components = 8});
  const double w = ot::solve_exact(ot::PointProblem{{pair.x, {}}, {pair.y, {}}}).cost;
  EXPECT_LT(result.value, 0.08 * w);
  EXPECT_NEAR(result.value, result.floor.mean, 0.15 * result.floor.mean);
  EXPECT_TRUE(result.converged());
}

TEST(NormalizedWasserstein, IsFarAboveItsFloorWhenTheComponentsDiffer) {
  const NwResult result = measure(setting(2, 400, 0.1), {.components = 8});
  EXPECT_GT(result.value, 3.0 * result.floor.mean);
}

TEST(NormalizedWasserstein, RecoversTheSharesOfTheModesExactlyWhenTheyAreSeparated) {
  const Pair pair = setting(1, 500, 0.1);
  const NwResult result = measure(pair, {.components = 8, .floor_replicates = 0});
  for (int mode = 1; mode <= 8; ++mode) {
    const auto centre = testing::ring_centre(mode);
    const auto share = [&](const Matrix& points) {
      double count = 0.0;
      for (std::size_t i = 0; i < points.rows(); ++i) {
        count += std::hypot(points(i, 0) - centre[0], points(i, 1) - centre[1]) < 1.5;
      }
      return count / static_cast<double>(points.rows());
    };
    bool found = false;
    for (std::size_t j = 0; j < 8; ++j) {
      const auto& c = result.mixture.components[j].centre;
      if (std::hypot(c[0] - centre[0], c[1] - centre[1]) > 0.1) continue;
      found = true;
      EXPECT_NEAR(result.x.pi[j], share(pair.x), 1e-3);
      EXPECT_NEAR(result.y.pi[j], share(pair.y), 1e-3);
    }
    EXPECT_TRUE(found) << "mode " << mode;
  }
}

TEST(NormalizedWasserstein, NumbersComponentsByTheirShareOfTheFirstSample) {
  const Pair pair = setting(1, 400, 0.05);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const NwResult result = measure(pair, {.components = 8}, seed);
    EXPECT_TRUE(std::ranges::is_sorted(result.x.pi, std::greater<>())) << seed;
    // Everything that belongs to a component went along: each share is that of the rows around.
    for (std::size_t j = 0; j < 8; ++j) {
      const auto& centre = result.mixture.components[j].centre;
      for (const auto& [points, side] : {std::pair(&pair.x, &result.x), {&pair.y, &result.y}}) {
        double near = 0.0;
        for (std::size_t i = 0; i < points->rows(); ++i) {
          const double apart = std::hypot((*points)(i, 0) - centre[0], (*points)(i, 1) - centre[1]);
          near += apart < 0.3 ? 1.0 / static_cast<double>(points->rows()) : 0.0;
        }
        EXPECT_NEAR(side->pi[j], near, 0.02);
        EXPECT_LT(side->component_cost[j], 0.2 * side->pi[j] + 1e-3);
      }
    }
  }
}

TEST(NormalizedWasserstein, ValueNeverRisesFromRoundToRound) {
  const NwResult result = measure(setting(2, 200, 0.3), {.components = 7, .floor_replicates = 0});
  ASSERT_GT(result.history.size(), 2u);
  for (std::size_t i = 1; i < result.history.size(); ++i) {
    EXPECT_LE(result.history[i].value, result.history[i - 1].value + 1e-12);
  }
  EXPECT_NEAR(result.history.back().value, result.value, 1e-12);
  EXPECT_LE(result.lower_for_components, result.value + 1e-12);
}

TEST(NormalizedWasserstein, IsSymmetric) {
  const Pair pair = setting(1, 300, 0.1);
  const NwOptions options{.components = 8, .floor_replicates = 0};
  const double forward = measure(pair, options).value;
  const double backward = measure({pair.y, pair.x}, options).value;
  EXPECT_NEAR(forward, backward, 0.02 * forward);
}

TEST(NormalizedWasserstein, ScalesWithTheDataAndIgnoresTranslation) {
  const Pair pair = setting(1, 200, 0.3);
  Pair moved = pair;
  for (auto* m : {&moved.x, &moved.y}) {
    for (auto& value : m->values()) value = 10.0 * value + 500.0;
  }
  const NwOptions options{.components = 8, .floor_replicates = 0};
  const double value = measure(pair, options).value;
  EXPECT_NEAR(measure(moved, options).value, 10.0 * value, 0.05 * value);
}

TEST(NormalizedWasserstein, GivesTheSameNumbersForEveryThreadCount) {
  const Pair pair = setting(1, 200, 0.3);
  const NwResult one = measure(pair, {.components = 8, .threads = 1});
  const NwResult two = measure(pair, {.components = 8, .threads = 2});
  EXPECT_EQ(one.value, two.value);
  EXPECT_EQ(one.floor.mean, two.floor.mean);
  EXPECT_EQ(one.x.pi, two.x.pi);
}

TEST(NormalizedWasserstein, CountsAWeightOfTwoLikeARepeatedRow) {
  const Pair pair = setting(1, 120, 0.2);
  std::vector<double> weights(120, 1.0);
  Matrix repeated(160, 2);
  for (std::size_t i = 0; i < 160; ++i) {
    const std::size_t row = i < 120 ? i : i - 120;
    if (i >= 120) weights[row] = 2.0;
    std::ranges::copy(pair.x.row(row), repeated.row(i).begin());
  }
  Mixture given;
  for (int j = 1; j <= 8; ++j) {
    const auto centre = testing::ring_centre(j);
    given.components.push_back(gaussian_component(centre, Matrix({0.04, 0.0, 0.0, 0.04}, 2, 2)));
  }
  const NwOptions options{
      .given = &given, .proportion_gap = 1e-8, .atoms_per_component = 40, .floor_replicates = 0};
  Rng a(1), b(1);
  const double by_weight = fit_mixture({pair.x, weights}, options, a).value;
  const double by_row = fit_mixture({repeated, {}}, options, b).value;
  EXPECT_NEAR(by_weight, by_row, 1e-6);
}

TEST(NormalizedWasserstein, UsesGivenSamplesAsComponentsAndIsZeroOnThem) {
  Rng rng(2);
  const Matrix a = draw_gaussian(30, 2, rng);
  Matrix b = draw_gaussian(50, 2, rng);
  for (std::size_t i = 0; i < b.rows(); ++i) b(i, 0) += 20.0;
  Matrix both(80, 2);
  std::ranges::copy(a.values(), both.values().begin());
  std::ranges::copy(b.values(), both.values().begin() + 60);
  const Mixture given{{sample_component(a), sample_component(b)}};
  const NwResult result =
      normalized_wasserstein({a, {}}, {both, {}}, {.given = &given, .floor_replicates = 0}, rng);
  EXPECT_NEAR(result.value, 0.0, 1e-9);
  EXPECT_NEAR(result.x.pi[0], 1.0, 1e-9);
  EXPECT_NEAR(result.y.pi[1], 50.0 / 80.0, 1e-9);
}

TEST(NormalizedWasserstein, OrderTwoReportsSquaresAndTheirRoots) {
  const NwResult result = measure(setting(1, 200, 0.3), {.components = 8, .order = 2});
  EXPECT_NEAR(result.value, result.x.cost + result.y.cost, 1e-12);
  EXPECT_NEAR(result.x.distance * result.x.distance, result.x.cost, 1e-12);
  EXPECT_LT(result.value, 0.1);
}

TEST(FitMixture, MatchesTheClosedFormOnALongNormalSample) {
  // One Gaussian, order 2: the best affine map of exact quasi-normal atoms onto themselves costs 0.
  const Matrix z = quasi_normal_points(200, 2);
  Rng rng(1);
  const NwResult result = fit_mixture(
      {z, {}}, {.components = 1, .order = 2, .atoms_per_component = 200, .floor_replicates = 0},
      rng);
  EXPECT_NEAR(result.value, 0.0, 1e-6);
}

TEST(FitMixture, KeepsTheShapeItWasAskedFor) {
  Rng rng(4);
  Matrix x = draw_gaussian(300, 2, rng);
  for (std::size_t i = 0; i < x.rows(); ++i) x(i, 1) = 0.3 * x(i, 1) + x(i, 0);
  const auto factor = [&](Shape shape) {
    Rng own(1);
    return fit_mixture({x, {}}, {.components = 1, .shape = shape, .floor_replicates = 0}, own)
        .mixture.components[0]
        .factor;
  };
  const Matrix diagonal = factor(Shape::diagonal), spherical = factor(Shape::spherical);
  EXPECT_NEAR(diagonal(0, 1), 0.0, 1e-9);
  EXPECT_NEAR(spherical(0, 1), 0.0, 1e-9);
  EXPECT_NEAR(spherical(0, 0), spherical(1, 1), 1e-9);
  EXPECT_GT(std::abs(factor(Shape::full)(1, 0)), 0.3);
}

TEST(Reduction, LeavesTheMeasureUnchangedForDataInASubspace) {
  const Pair plane = setting(1, 200, 0.2);
  // An isometry into 40 dimensions: two orthogonal directions without zero entries.
  const auto embed = [](const Matrix& points) {
    Matrix out(points.rows(), 40);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      for (std::size_t c = 0; c < 40; ++c) {
        const double sign = c % 2 == 0 ? 1.0 : -1.0;
        out(i, c) = (points(i, 0) + sign * points(i, 1)) / std::sqrt(40.0) + 3.0;
      }
    }
    return out;
  };
  const Pair space{embed(plane.x), embed(plane.y)};
  const NwOptions options{.components = 8, .floor_replicates = 0};
  const NwResult small = measure(plane, options), large = measure(space, options);
  EXPECT_TRUE(large.reduction.applied);
  EXPECT_EQ(large.reduction.dim, 2u);
  EXPECT_NEAR(large.reduction.kept_variance, 1.0, 1e-9);
  EXPECT_NEAR(large.value, small.value, 0.03 * small.value);
  EXPECT_EQ(large.mixture_original.dim(), 40u);
  EXPECT_NEAR(large.mixture_original.components[0].centre[0], 3.0, 1.0);
}

TEST(Reduction, KeepsAtMostTheDimensionsAllowedAndSaysHowMuchVarianceThatIs) {
  Rng rng(7);
  const Matrix x = draw_gaussian(300, 30, rng), y = draw_gaussian(300, 30, rng);
  const NwResult result = normalized_wasserstein(
      {x, {}}, {y, {}}, {.components = 1, .max_dim = 10, .floor_replicates = 0}, rng);
  EXPECT_EQ(result.reduction.dim, 10u);
  EXPECT_GT(result.reduction.kept_variance, 10.0 / 30.0);
  EXPECT_LT(result.reduction.kept_variance, 0.6);
}

TEST(NormalizedWasserstein, UsesAllRowsForProportionsWhenItSubsamples) {
  const Pair pair = setting(1, 6000, 0.2);
  const NwResult result =
      measure(pair, {.components = 8, .max_points = 300, .floor_replicates = 0});
  EXPECT_EQ(result.x.rows, 6000u);
  EXPECT_EQ(result.x.rows_used, 300u);
  double error = 0.0;
  for (std::size_t j = 0; j < 8; ++j) {
    const auto& c = result.mixture.components[j].centre;
    double count = 0.0;
    for (std::size_t i = 0; i < 6000; ++i) {
      count += std::hypot(pair.x(i, 0) - c[0], pair.x(i, 1) - c[1]) < 1.5;
    }
    error = std::max(error, std::abs(result.x.pi[j] - count / 6000.0));
  }
  // A subsample of 300 alone would be off by about 0.02.
  EXPECT_LT(error, 2e-3);
}

TEST(NormalizedWasserstein, ReportsASamplingErrorThatMatchesTheSpreadBetweenSamples) {
  // Far from the floor, where the value is nearly normal around its mean.
  double sum = 0.0, square = 0.0, reported = 0.0;
  constexpr int kRepeats = 24;
  for (int r = 0; r < kRepeats; ++r) {
    const NwResult result = measure(setting(1, 150, 0.3, static_cast<std::uint64_t>(r) + 50),
                                    {.components = 2, .restarts = 2, .floor_replicates = 0});
    sum += result.value;
    square += result.value * result.value;
    reported += result.standard_error / kRepeats;
  }
  const double spread = std::sqrt(square / kRepeats - sum / kRepeats * sum / kRepeats);
  EXPECT_GT(reported, 0.5 * spread);
  EXPECT_LT(reported, 2.0 * spread);
}

TEST(NormalizedWasserstein, AnswersForConstantColumnsAndCoincidingPoints) {
  Pair pair = setting(1, 100, 0.2);
  Matrix x(100, 3, 5.0), y(100, 3, 5.0);
  for (std::size_t i = 0; i < 100; ++i) {
    for (std::size_t c = 0; c < 2; ++c) {
      x(i, c) = pair.x(i, c);
      y(i, c) = pair.y(i, c);
    }
  }
  const NwResult flat = measure({x, y}, {.components = 8, .floor_replicates = 2});
  EXPECT_EQ(flat.reduction.constant_columns, 1u);
  EXPECT_LT(flat.value, 1.0);
  const NwResult point = measure({Matrix(20, 2, 3.0), Matrix(30, 2, 3.0)}, {.components = 3});
  EXPECT_NEAR(point.value, 0.0, 1e-9);
}

TEST(NormalizedWasserstein, DoesNotDependOnHowFarOutTheDataLie) {
  const double far = std::ldexp(1.0, 46);
  Pair near = setting(1, 300, 0.1);
  Pair moved = near;
  for (Matrix Pair::*set : {&Pair::x, &Pair::y}) {
    for (std::size_t i = 0; i < (near.*set).rows(); ++i) {
      for (std::size_t c = 0; c < 2; ++c) {
        // Multiples of 2^-6, which the moved data hold exactly.
        (near.*set)(i, c) = std::ldexp(std::round(std::ldexp((near.*set)(i, c), 6)), -6);
        (moved.*set)(i, c) = (near.*set)(i, c) + far;
      }
    }
  }
  const NwOptions options{.components = 8, .floor_replicates = 0};
  const NwResult here = measure(near, options), there = measure(moved, options);
  EXPECT_NEAR(there.value, here.value, 1e-3 * here.value);
  for (std::size_t j = 0; j < 8; ++j) EXPECT_NEAR(there.x.pi[j], here.x.pi[j], 1e-6);
}

TEST(NormalizedWasserstein, SaysWhatIsWrongWithBadInput) {
  Rng rng(1);
  const Matrix x(10, 2), three(10, 3), none(0, 2);
  const auto with = [&](MatrixView a, MatrixView b, NwOptions options) {
    return message_of([&] { (void)normalized_wasserstein({a, {}}, {b, {}}, options, rng); });
  };
  EXPECT_THAT(with(x, three, {}), HasSubstr("x has 2 columns but y has 3"));
  EXPECT_THAT(with(x, none, {}), HasSubstr("data set y is empty"));
  EXPECT_THAT(with(x, x, {.components = 11}), HasSubstr("10 rows, fewer than the 11 components"));
  EXPECT_THAT(with(x, x, {.order = 3}),
              HasSubstr("NwOptions.p must be at least 1 and at most 2, got 3"));
  EXPECT_THAT(with(x, x, {.components = 0}), HasSubstr("NwOptions.k must be at least 1"));
  Matrix bad = x;
  bad(4, 1) = std::nan("");
  EXPECT_THAT(with(bad, x, {}), HasSubstr("data set x, row 4, column 1: nan is not finite"));
  bad(4, 1) = 1e200;
  EXPECT_THAT(with(bad, x, {}), HasSubstr("row 4, column 1: 1e+200 is too large"));
  const std::vector<double> weights(10, 0.0);
  EXPECT_THAT(message_of([&] {
                (void)normalized_wasserstein({x, weights}, {x, {}}, {}, rng);
              }),
              HasSubstr("all weights are zero"));
}

TEST(NormalizedWasserstein, StopsWhenTheObserverSaysSo) {
  const NwResult result = measure(
      setting(1, 100, 0.3), {.components = 8, .observer = [](const Progress&) { return false; }});
  EXPECT_EQ(result.termination, NwTermination::interrupted);
  EXPECT_EQ(result.floor.replicates, 0);
}

}  // namespace
}  // namespace nw::measure
