// Plans between rows and classes: against POT, and gradients against finite differences.
#include "adapt/joint_transport.hpp"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

Tensor numbers(const std::vector<double>& values, at::IntArrayRef shape) {
  return torch::tensor(values, torch::kFloat64).view(shape);
}

/// Four rows of two classes, three of the target; with a mass that differs from row to row.
JointRows small_case() {
  return {.source = numbers({0.0, 1.0, 0.6, 0.8, 1.0, 0.0, 0.8, -0.6}, {4, 2}),
          .class_of = torch::tensor({0, 0, 1, 1}, torch::kInt64),
          .mass = numbers({0.3, 0.2, 0.1, 0.4}, {4}),
          .target = numbers({0.28, 0.96, 0.96, 0.28, 0.0, -1.0}, {3, 2}),
          .log_odds = numbers({1.0, -0.5, 0.2, 0.1, -1.0, 0.7}, {3, 2})};
}

constexpr double kAlpha = 0.5;

double distance(const JointRows& rows) {
  const auto cost = joint_cost(rows, kAlpha);
  return (cost * joint_plan(cost, rows.mass).plan.to(torch::kFloat64)).sum().item<double>();
}

TEST(JointTransport, FindsThePlanThatPOTFinds) {
  // Costs by NumPy and ot.emd of POT 0.8.2.
  const auto costs = numbers({0.241413, 1.364397, 3.867786, 0.265413, 0.844397, 3.667786, 2.421413,
                              0.784397, 1.167786, 3.053413, 1.144397, 0.567786},
                             {4, 3});
  const auto plan = numbers(
      {0.3, 0.0, 0.0, 0.033333333, 0.166666667, 0.0, 0.0, 0.1, 0.0, 0.0, 0.066666667, 0.333333333},
      {4, 3});
  const auto rows = small_case();
  const auto cost = joint_cost(rows, kAlpha);
  EXPECT_TRUE(torch::allclose(cost, costs, 0.0, 1e-6));
  EXPECT_TRUE(
      torch::allclose(joint_plan(cost, rows.mass).plan.to(torch::kFloat64), plan, 0.0, 1e-6));
  EXPECT_NEAR(distance(rows), 0.5659986558141964, 1e-6);
}

TEST(JointTransport, GradientThroughTheCostsIsThatOfTheDistance) {
  auto rows = small_case();
  for (auto* tensor : {&rows.source, &rows.target, &rows.log_odds}) {
    Tensor leaf = tensor->clone().set_requires_grad(true);
    auto seeing = rows;
    (tensor == &rows.source   ? seeing.source
     : tensor == &rows.target ? seeing.target
                              : seeing.log_odds) = leaf;
    const auto cost = joint_cost(seeing, kAlpha);
    const auto plan = joint_plan(cost, rows.mass).plan.to(torch::kFloat64);
    EXPECT_FALSE(plan.requires_grad());
    const auto slope = torch::autograd::grad({(cost * plan).sum()}, {leaf})[0];
    constexpr double kStep = 1e-4;
    const auto flat = tensor->view({-1});
    for (std::int64_t i = 0; i < flat.numel(); ++i) {
      const double before = flat[i].item<double>();
      flat[i].fill_(before + kStep);
      const double above = distance(rows);
      flat[i].fill_(before - kStep);
      const double below = distance(rows);
      flat[i].fill_(before);
      EXPECT_NEAR(slope.view({-1})[i].item<double>(), (above - below) / (2.0 * kStep), 1e-5) << i;
    }
  }
}

TEST(JointTransport, PotentialsAreTheDerivativeInTheMassesOfTheSource) {
  auto rows = small_case();
  const auto potential = joint_plan(joint_cost(rows, kAlpha), rows.mass).potential;
  constexpr double kStep = 1e-3;
  // Mass that goes from one row to another: a constant in the potentials cancels.
  for (std::int64_t i = 1; i < 4; ++i) {
    auto moved = rows;
    moved.mass = rows.mass.clone();
    moved.mass[i] += kStep;
    moved.mass[0] -= kStep;
    const double slope = (distance(moved) - distance(rows)) / kStep;
    EXPECT_NEAR((potential[i] - potential[0]).item<double>(), slope, 1e-3) << i;
  }
}

TEST(JointTransport, RefusesMassesOfOtherRows) {
  const auto rows = small_case();
  EXPECT_THROW((void)joint_plan(joint_cost(rows, kAlpha), numbers({0.5, 0.5}, {2})),
               InvalidArgument);
}

}  // namespace
}  // namespace nw::adapt
