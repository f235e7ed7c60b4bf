#include "nw/measure/mixture.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "measure/normal_quantile.hpp"

namespace nw::measure {
namespace {

using ::testing::HasSubstr;

Component tilted() {
  const double centre[] = {1.0, -2.0};
  return gaussian_component(centre, Matrix({2.0, 0.6, 0.6, 1.0}, 2, 2));
}

TEST(NormalQuantile, InvertsTheDistributionFunctionOverItsWholeRange) {
  for (const double p : {1e-300, 1e-20, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999999}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(p)) / p, 1.0, 1e-10) << p;
  }
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
}

TEST(QuasiNormalPoints, HaveMeanZeroAndUnitCovariance) {
  const Matrix z = quasi_normal_points(300, 3);
  for (std::size_t a = 0; a < 3; ++a) {
    double mean = 0.0;
    for (std::size_t i = 0; i < z.rows(); ++i) mean += z(i, a) / 300.0;
    EXPECT_NEAR(mean, 0.0, 1e-12);
    for (std::size_t b = 0; b < 3; ++b) {
      double second = 0.0;
      for (std::size_t i = 0; i < z.rows(); ++i) second += z(i, a) * z(i, b) / 300.0;
      EXPECT_NEAR(second, a == b ? 1.0 : 0.0, 1e-10);
    }
  }
}

TEST(QuasiNormalPoints, FollowTheNormalLawInEveryCoordinateCloserThanRandomPointsWould) {
  const Matrix z = quasi_normal_points(400, 2);
  for (std::size_t c = 0; c < 2; ++c) {
    std::vector<double> column;
    for (std::size_t i = 0; i < z.rows(); ++i) column.push_back(z(i, c));
    std::sort(column.begin(), column.end());
    double worst = 0.0;
    for (std::size_t i = 0; i < column.size(); ++i) {
      worst =
          std::max(worst, std::abs(normal_cdf(column[i]) - (static_cast<double>(i) + 0.5) / 400.0));
    }
    // Kolmogorov's distance of 400 random points is about 0.04.
    EXPECT_LT(worst, 0.012);
  }
}

TEST(GaussianComponent, HasTheCovarianceItWasGiven) {
  const Matrix sigma = covariance(tilted());
  EXPECT_NEAR(sigma(0, 0), 2.0, 1e-12);
  EXPECT_NEAR(sigma(0, 1), 0.6, 1e-12);
  EXPECT_NEAR(sigma(1, 1), 1.0, 1e-12);
}

TEST(GaussianComponent, RejectsACovarianceThatIsNotOne) {
  const double centre[] = {0.0, 0.0};
  EXPECT_THROW((void)gaussian_component(centre, Matrix({1.0, 2.0, 2.0, 1.0}, 2, 2)),
               InvalidArgument);
  EXPECT_THROW((void)gaussian_component(centre, Matrix({1.0, 0.5, 0.0, 1.0}, 2, 2)),
               InvalidArgument);
  EXPECT_THROW((void)gaussian_component(centre, Matrix(3, 3)), InvalidArgument);
}

TEST(StratifiedAtoms, HaveTheMomentsOfTheirComponentWhateverTheProportions) {
  const Mixture mixture{{tilted(), tilted()}};
  const Atoms atoms = stratified_atoms(mixture, 128);
  ASSERT_EQ(atoms.count(1), 128u);
  double mean = 0.0, cross = 0.0;
  for (std::size_t i = atoms.begin[1]; i < atoms.begin[2]; ++i) mean += atoms.points(i, 1) / 128.0;
  for (std::size_t i = atoms.begin[1]; i < atoms.begin[2]; ++i) {
    cross += (atoms.points(i, 0) - 1.0) * (atoms.points(i, 1) + 2.0) / 128.0;
  }
  EXPECT_NEAR(mean, -2.0, 1e-12);
  EXPECT_NEAR(cross, 0.6, 1e-10);
  const std::vector<double> pi{0.25, 0.75};
  const auto weights = atoms.weights(pi);
  EXPECT_DOUBLE_EQ(weights[0], 0.25 / 128.0);
  EXPECT_DOUBLE_EQ(weights[255], 0.75 / 128.0);
}

TEST(StratifiedAtoms, UseEverySampleOfAComponentGivenBySamples) {
  const Matrix samples({0.0, 1.0, 5.0}, 3, 1);
  const Mixture mixture{{sample_component(samples)}};
  const Atoms atoms = stratified_atoms(mixture, 100);
  ASSERT_EQ(atoms.points.rows(), 3u);
  EXPECT_DOUBLE_EQ(atoms.points(2, 0), 5.0);
  EXPECT_DOUBLE_EQ(mixture.components[0].centre[0], 2.0);
}

TEST(Draw, FollowsProportionsAndComponents) {
  const Matrix samples({7.0, 7.0}, 1, 2);
  const Mixture mixture{{tilted(), sample_component(samples)}};
  const std::vector<double> pi{0.3, 0.7};
  Rng rng(3);
  const MixtureSample sample = draw(mixture, pi, 20000, rng);
  double second = 0.0, mean = 0.0, count = 0.0;
  for (std::size_t i = 0; i < 20000; ++i) {
    if (sample.component_of[i] == 1) {
      second += 1.0;
      EXPECT_DOUBLE_EQ(sample.points(i, 0), 7.0);
    } else {
      mean += sample.points(i, 0);
      count += 1.0;
    }
  }
  EXPECT_NEAR(second / 20000.0, 0.7, 0.015);
  EXPECT_NEAR(mean / count, 1.0, 0.08);
}

TEST(ValidateProportions, NamesTheBadEntryAndTheBadSum) {
  const std::vector<double> negative{1.2, -0.2}, short_sum{0.5, 0.4};
  try {
    validate_proportions(negative, 2);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("entry 1"));
  }
  try {
    validate_proportions(short_sum, 2);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("sum to one, got 0.9"));
  }
}

}  // namespace
}  // namespace nw::measure
