#include "nw/cluster/split_merge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/ot/wasserstein.hpp"

namespace nw::cluster {
namespace {

using measure::gaussian_component;
using measure::Mixture;

const std::vector<std::vector<double>> kCentres = {{0.0, 0.0}, {-7.0, 5.0}, {-7.0, -5.0}};

Matrix diagonal(double first, double second) {
  return {{first, 0.0, 0.0, second}, 2, 2};
}

/// A wide cluster of `large` rows and two narrow ones of `small` rows each.
Matrix unequal(std::size_t large, std::size_t small, std::uint64_t seed) {
  Rng rng(seed);
  Matrix rows(large + 2 * small, 2);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const std::size_t j = i < large ? 0 : (i < large + small ? 1 : 2);
    for (std::size_t c = 0; c < 2; ++c) {
      rows(i, c) = kCentres[j][c] + (j == 0 ? 2.0 : 0.7) * rng.normal();
    }
  }
  return rows;
}

/// Where descent ends: the large cluster divided, the two small ones in one component.
Mixture trapped() {
  return {{gaussian_component(std::vector{-1.2, 0.0}, diagonal(2.5, 2.5)),
           gaussian_component(std::vector{1.2, 0.0}, diagonal(2.5, 2.5)),
           gaussian_component(std::vector{-7.0, 0.0}, diagonal(0.5, 25.5))}};
}

/// `trapped` with these shares.
std::vector<WeightedMixture> start(std::vector<double> pi = {0.4, 0.4, 0.2}) {
  return {{trapped(), std::move(pi)}};
}

/// Distance from a centre of a cluster to the nearest of a mixture.
double nearest(const Mixture& mixture, const std::vector<double>& centre) {
  double best = INFINITY;
  for (const auto& component : mixture.components) {
    best = std::min(best,
                    std::hypot(component.centre[0] - centre[0], component.centre[1] - centre[1]));
  }
  return best;
}

TEST(SplitMerge, LeavesTheTailOfALargeClusterToItWhereThereIsNoise) {
  // Nearly all of a cluster at one place, a twentieth on the way to a small cluster at 7.
  Rng rng(8);
  Matrix rows(1050, 1);
  for (std::size_t i = 0; i < 1050; ++i) {
    rows(i, 0) = i < 950    ? 0.05 * rng.normal()
                 : i < 1000 ? 2.5 * rng.uniform()
                            : 7.0 + 1.2 * rng.normal();
  }
  const Mixture mixture{{gaussian_component(std::vector{0.0}, Matrix(std::vector{0.1}, 1, 1)),
                         gaussian_component(std::vector{7.0}, Matrix(std::vector{1.0}, 1, 1))}};
  const auto small_share = [&](double noise) {
    const auto result = split_and_merge(rows, {{mixture, {0.95, 0.05}}}, {.noise = noise}, Rng(1));
    return std::min(result.model.pi[0], result.model.pi[1]);
  };
  EXPECT_NEAR(small_share(0.25), 50.0 / 1050.0, 0.005);
  EXPECT_GT(small_share(1e-6), 0.07);
}

TEST(SplitMerge, LeavesALocalOptimumInWhichSmallClustersShareAComponent) {
  for (const std::size_t small : {200, 20}) {
    const Matrix rows = unequal(1000, small, 1);
    const double share = static_cast<double>(small) / static_cast<double>(rows.rows());
    const auto found = split_and_merge(rows, start({0.5 - share, 0.5 - share, 2.0 * share}),
                                       {.diversity = 0.01}, Rng(2));
    EXPECT_GE(found.taken, 1);
    for (const auto& centre : kCentres)
      EXPECT_LT(nearest(found.model.mixture, centre), 0.6) << small;
    for (std::size_t j = 0; j < 3; ++j) {
      const bool large = nearest({{found.model.mixture.components[j]}}, kCentres[0]) < 1.0;
      EXPECT_NEAR(found.model.pi[j], large ? 1.0 - 2.0 * share : share, 0.01) << small;
    }
  }
}

TEST(SplitMerge, ReportsTheDistanceThatSamplesOfTheMixtureShow) {
  const Matrix rows = unequal(600, 100, 3);
  const auto found = split_and_merge(rows, start(), {.diversity = 0.5}, Rng(4));
  EXPECT_NEAR(found.objective, found.distance - 0.5 * found.diversity, 1e-12);
  Rng rng(5);
  const auto sample = measure::draw(found.model.mixture, found.model.pi, 4000, rng);
  const double distance =
      ot::wasserstein({.points = rows}, {.points = sample.points}, ot::WassersteinOptions{})
          .distance;
  EXPECT_NEAR(found.distance, distance, 0.05);
}

TEST(SplitMerge, KeepsWhatNoMoveImproves) {
  const Matrix rows = unequal(800, 150, 6);
  const auto once = split_and_merge(rows, start(), {.diversity = 0.01}, Rng(7));
  const auto twice = split_and_merge(rows, {once.model}, {.diversity = 0.01}, Rng(8));
  EXPECT_EQ(twice.taken, 0);
  EXPECT_GE(twice.log_likelihood, once.log_likelihood - 1e-3);
  const auto untouched = split_and_merge(rows, start(), {.max_moves = 0}, Rng(9));
  EXPECT_EQ(untouched.visited, 1);
  EXPECT_EQ(untouched.model.pi, (std::vector{0.4, 0.4, 0.2}));
}

TEST(SplitMerge, TakesTheLikeliestStartOfThoseThatTransportCannotTellApart) {
  // Twelve dimensions of noise hide from W that the first two coordinates have the wrong centre.
  Rng rng(20);
  Matrix rows(400, 12);
  for (double& value : rows.values()) value = rng.normal();
  Matrix unit(12, 12);
  for (std::size_t c = 0; c < 12; ++c) unit(c, c) = 1.0;
  std::vector<double> off(12, 0.0);
  off[0] = off[1] = 0.2;
  const WeightedMixture wrong{{{gaussian_component(off, unit)}}, {1.0}};
  const WeightedMixture right{{{gaussian_component(std::vector<double>(12, 0.0), unit)}}, {1.0}};
  const auto alone = split_and_merge(rows, {wrong}, {.max_moves = 0}, Rng(21));
  const auto both = split_and_merge(rows, {wrong, right}, {.max_moves = 0}, Rng(21));
  EXPECT_GT(both.log_likelihood, alone.log_likelihood);
  EXPECT_EQ(both.model.mixture.components[0].centre[0], 0.0);
  EXPECT_LE(both.objective, both.least_objective + both.standard_error);
}

TEST(SplitMerge, GivesTheSameAtEveryNumberOfThreads) {
  const Matrix rows = unequal(400, 60, 10);
  const auto run = [&](int threads) {
    return split_and_merge(rows, start(), {.threads = threads}, Rng(11));
  };
  const auto one = run(1), two = run(2);
  EXPECT_EQ(one.model.pi, two.model.pi);
  EXPECT_EQ(one.objective, two.objective);
  EXPECT_EQ(one.model.mixture.components[0].centre, two.model.mixture.components[0].centre);
}

TEST(SplitMerge, StopsWhenAsked) {
  const Matrix rows = unequal(300, 50, 12);
  int calls = 0;
  const auto found =
      split_and_merge(rows, start(), {.observer = [&] { return ++calls < 3; }}, Rng(13));
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(found.model.mixture.size(), 3U);
}

TEST(SplitMerge, RefusesWhatMakesNoSense) {
  const Matrix rows = unequal(50, 10, 14);
  EXPECT_THROW(split_and_merge(rows, start({0.5, 0.5}), {}, Rng(1)), InvalidArgument);
  EXPECT_THROW(split_and_merge(Matrix(5, 3), start(), {}, Rng(1)), InvalidArgument);
  EXPECT_THROW(split_and_merge(rows, start(), {.candidates = 0}, Rng(1)), InvalidArgument);
  const Mixture samples{{measure::sample_component(rows)}};
  EXPECT_THROW(split_and_merge(rows, {{samples, {1.0}}}, {}, Rng(1)), InvalidArgument);
}

}  // namespace
}  // namespace nw::cluster
