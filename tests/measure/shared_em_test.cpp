#include "measure/shared_em.hpp"

#include <gtest/gtest.h>

#include "measure/mixtures.hpp"
#include "measure/seeding.hpp"

namespace nw::measure {
namespace {

std::vector<Sample> two_samples(std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Sample> samples;
  for (const bool second : {false, true}) {
    samples.push_back(
        {testing::draw_ring({.rows = rows, .pi = testing::ring_proportions(second)}, rng),
         std::vector<double>(rows, 1.0 / static_cast<double>(rows))});
  }
  return samples;
}

TEST(RunEm, NeverLowersTheLikelihood) {
  // Diagonal, because full covariances of few members are shrunk away from the maximum.
  const auto samples = two_samples(200, 3);
  Rng rng(1);
  SharedModel model = cluster_start(samples, 5, Shape::diagonal, rng);
  double last = -1e300;
  for (int step = 0; step < 12; ++step) {
    const EmResult result =
        run_em(samples, model,
               {.shape = Shape::diagonal, .max_iterations = 1, .tolerance = 0.0, .ridge = 1e-12});
    EXPECT_GE(result.log_likelihood, last - 1e-9);
    last = result.log_likelihood;
    model = result.model;
  }
}

TEST(RunEm, KeepsComponentsSharedAndProportionsApart) {
  const auto samples = two_samples(400, 4);
  Rng rng(1);
  const EmResult result = run_em(samples, cluster_start(samples, 8, Shape::full, rng), {});
  for (std::size_t s = 0; s < 2; ++s) {
    double total = 0.0;
    for (const double p : result.model.pi[s]) total += p;
    EXPECT_NEAR(total, 1.0, 1e-9);
  }
  double apart = 0.0;
  for (std::size_t j = 0; j < 8; ++j) {
    apart += std::abs(result.model.pi[0][j] - result.model.pi[1][j]);
  }
  EXPECT_GT(apart, 0.4);
}

TEST(LogDensity, IsTheLogarithmOfTheNormalDensity) {
  const double centre[] = {1.0, 2.0};
  const Mixture mixture{{gaussian_component(centre, Matrix({2.0, 0.5, 0.5, 1.0}, 2, 2))}};
  const Matrix at({1.5, 1.0}, 1, 2);
  const double value = ComponentDensity(mixture, 0.0).log_density(at)(0, 0);
  // -(1/2) delta^T Sigma^-1 delta - (1/2) log det Sigma with det = 1.75, delta = (0.5, -1).
  const double quadratic = (0.25 * 1.0 + 2.0 * 0.5 * 0.5 + 1.0 * 2.0) / 1.75;
  EXPECT_NEAR(value, -0.5 * quadratic - 0.5 * std::log(1.75), 1e-12);
}

TEST(SplitComponent, KeepsTheMomentsOfTheComponentItSplits) {
  const double centre[] = {1.0, 2.0};
  const SharedModel model{
      .mixture = {{gaussian_component(centre, Matrix({4.0, 1.0, 1.0, 2.0}, 2, 2))}},
      .pi = {{1.0}, {1.0}}};
  const SharedModel halves = split_component(model, 0);
  ASSERT_EQ(halves.mixture.size(), 2u);
  const auto& a = halves.mixture.components[0];
  const auto& b = halves.mixture.components[1];
  for (std::size_t c = 0; c < 2; ++c)
    EXPECT_NEAR(0.5 * (a.centre[c] + b.centre[c]), centre[c], 1e-12);
  const double between = 0.25 * (a.centre[0] - b.centre[0]) * (a.centre[0] - b.centre[0]);
  EXPECT_NEAR(covariance(a)(0, 0) + between, 4.0, 1e-9);
  EXPECT_DOUBLE_EQ(halves.pi[1][0], 0.5);
}

TEST(ConstrainedCovariance, ShrinksOnlyComponentsWithFewMembers) {
  RowMatrix sigma(2, 2);
  sigma << 4.0, 1.0, 1.0, 2.0;
  EXPECT_TRUE(constrained_covariance(sigma, Shape::full, 200.0).isApprox(sigma));
  const RowMatrix few = constrained_covariance(sigma, Shape::full, 6.0);
  EXPECT_LT(std::abs(few(0, 1)), 0.9);
  EXPECT_NEAR(few.trace(), sigma.trace(), 1e-12);
}

}  // namespace
}  // namespace nw::measure
