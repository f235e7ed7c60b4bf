// Stratified batches must not change what is estimated, only how noisy the estimate is.
#include "nw/train/allocation.hpp"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "nw/nn/critic.hpp"
#include "nw/nn/mixture_generator.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::train {
namespace {

using torch::Tensor;

const std::vector<double> kPi{0.05, 0.7, 0.25};

/// Three components and a function of the plane to integrate over them.
struct Problem {
  std::unique_ptr<nn::MixtureGenerator> generator;
  std::unique_ptr<nn::Critic> critic;
  std::vector<double> mean;  // E[D(G_j(Z))], from many rows
};

Problem make_problem() {
  Problem problem{.generator = nn::make_mixture_generator({.components = 3}, Rng(1)),
                  .critic = nn::make_critic({.hidden = {16, 16}}, Rng(2)),
                  .mean = {}};
  problem.generator->place(torch::tensor({{0.0F, 0.0F}, {3.0F, 1.0F}, {-2.0F, 4.0F}}), 0.7);
  const torch::NoGradGuard no_grad;
  constexpr std::int64_t kRows = 400000;
  const auto z = nn::normal_tensor(Rng(3), {3 * kRows, 2});
  const auto rows = problem.generator->forward_rows(z, {kRows, kRows, kRows}, nn::Mode::sampling);
  const auto values = problem.critic->forward(rows).view({3, kRows}).to(torch::kFloat64);
  for (std::int64_t j = 0; j < 3; ++j) problem.mean.push_back(values[j].mean().item<double>());
  return problem;
}

/// Mean and standard error of what batches of one allocation estimate.
struct Simulation {
  double value = 0.0, value_error = 0.0;
  std::vector<double> gradient, gradient_error;
};

Simulation simulate(const Problem& problem, Allocation allocation) {
  const torch::NoGradGuard no_grad;
  constexpr int kRuns = 3000;
  constexpr std::int64_t kBatch = 24, kFloor = 3;
  const auto counts = allocate(allocation, kPi, kBatch, kFloor);
  const auto rows = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  const auto weights =
      row_weights(torch::tensor(std::vector<float>(kPi.begin(), kPi.end())), counts);
  std::vector<double> sum(4, 0.0), squares(4, 0.0);
  for (int run = 0; run < kRuns; ++run) {
    const auto z = nn::normal_tensor(Rng(100).split(static_cast<std::uint64_t>(run)), {rows, 2});
    const auto values =
        problem.critic->forward(problem.generator->forward_rows(z, counts, nn::Mode::sampling));
    const auto means = component_means(values, counts);
    const double estimates[4] = {values.dot(weights).item<double>(), means[0].item<double>(),
                                 means[1].item<double>(), means[2].item<double>()};
    for (std::size_t i = 0; i < 4; ++i) {
      sum[i] += estimates[i];
      squares[i] += estimates[i] * estimates[i];
    }
  }
  Simulation result;
  for (std::size_t i = 0; i < 4; ++i) {
    const double mean = sum[i] / kRuns;
    const double error = std::sqrt((squares[i] / kRuns - mean * mean) / kRuns);
    if (i == 0) {
      result.value = mean;
      result.value_error = error;
    } else {
      result.gradient.push_back(mean);
      result.gradient_error.push_back(error);
    }
  }
  return result;
}

TEST(Allocation, LeavesExpectationAndProportionGradientUnbiased) {
  const Problem problem = make_problem();
  const double truth = std::inner_product(kPi.begin(), kPi.end(), problem.mean.begin(), 0.0);
  for (const auto allocation : {Allocation::full, Allocation::equal, Allocation::proportional}) {
    const auto found = simulate(problem, allocation);
    EXPECT_NEAR(found.value, truth, 4.0 * found.value_error) << to_string(allocation);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(found.gradient[j], problem.mean[j], 4.0 * found.gradient_error[j])
          << to_string(allocation) << " component " << j;
    }
  }
}

TEST(Allocation, ByProportionIsLessNoisyThanEqualSharesOfTheSameBatch) {
  const Problem problem = make_problem();
  EXPECT_LT(simulate(problem, Allocation::proportional).value_error,
            simulate(problem, Allocation::equal).value_error);
}

TEST(Allocation, SharesTheBatchAndKeepsTheFloor) {
  const auto counts = allocate(Allocation::proportional, kPi, 1000, 16);
  EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}), 1000);
  EXPECT_NEAR(static_cast<double>(counts[1]), 16 + 0.7 * (1000 - 48), 1.0);
  const std::vector<double> vertex{1.0, 0.0, 0.0};
  EXPECT_EQ(allocate(Allocation::proportional, vertex, 1000, 16),
            (std::vector<std::int64_t>{968, 16, 16}));
  EXPECT_EQ(allocate(Allocation::proportional, vertex, 4, 16),
            (std::vector<std::int64_t>{2, 1, 1}));
  EXPECT_EQ(allocate(Allocation::full, kPi, 10, 1), (std::vector<std::int64_t>{10, 10, 10}));
  EXPECT_EQ(allocate(Allocation::equal, kPi, 10, 1), (std::vector<std::int64_t>{3, 3, 3}));
}

TEST(RowWeights, SumToOneWhateverTheCounts) {
  const auto pi = torch::tensor(std::vector<float>(kPi.begin(), kPi.end()));
  for (const auto& counts : {std::vector<std::int64_t>{1, 5, 2}, {4, 4, 4}}) {
    EXPECT_NEAR(row_weights(pi, counts).sum().item<double>(), 1.0, 1e-6);
  }
}

}  // namespace
}  // namespace nw::train
