#include "adapt/critic_objective.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "nw/nn/random_tensor.hpp"

namespace nw::adapt {
namespace {

TEST(CriticObjective, SlopesAreTheDerivativesOfTheObjective) {
  const auto values = nn::normal_tensor(Rng(1), {12}).mul_(2.0).requires_grad_(true);
  const auto mass = at::softmax(nn::normal_tensor(Rng(2), {5}), 0);
  for (const auto method :
       {AdaptMethod::wasserstein, AdaptMethod::nw, AdaptMethod::dann, AdaptMethod::sdann}) {
    AdaptOptions options;
    options.method = method;
    options.relaxation = 2.0;
    const CriticObjective ascended(options);
    const auto truth = torch::autograd::grad({ascended.objective(values, mass)}, {values})[0];
    EXPECT_TRUE(torch::allclose(ascended.slopes(values.detach(), mass), truth, 1e-5, 1e-7))
        << to_string(method);
  }
}

TEST(CriticObjective, DannIsTheLogLikelihoodOfTheDomains) {
  AdaptOptions options;
  options.method = AdaptMethod::dann;
  const auto values = torch::tensor({0.3F, -1.0F, 2.0F});
  const auto mass = torch::tensor({0.25F, 0.75F});
  // One target row with log-odds 2 of being one, two source rows.
  const auto p = torch::sigmoid(values);
  const double expected = std::log(p[2].item<double>()) +
                          0.25 * std::log(1.0 - p[0].item<double>()) +
                          0.75 * std::log(1.0 - p[1].item<double>());
  EXPECT_NEAR(CriticObjective(options).objective(values, mass).item<double>(), expected, 1e-6);
}

TEST(CriticObjective, RelaxationLeavesATargetAloneThatIsOnlySomewhatDenser) {
  // At the best critic of two densities p_s and p_t the target's slope vanishes where p_t is at
  // most 1 + beta times p_s: the best g is then 1, the end of its range.
  AdaptOptions options;
  options.method = AdaptMethod::sdann;
  options.relaxation = 3.0;
  const CriticObjective ascended(options);
  // A place where the target is twice as dense: mass 1/3 against 2/3 of a row each; ascend.
  auto value = torch::zeros({1});
  for (int i = 0; i < 4000; ++i) {
    const auto both = torch::cat({value, value});
    const auto slopes = ascended.slopes(both, torch::full({1}, 0.5F));
    value = value + 0.5 * (slopes[0] + slopes[1]);
  }
  EXPECT_LT(value.item<double>(), -3.0);  // g = sigmoid(-D) towards 1
}

}  // namespace
}  // namespace nw::adapt
