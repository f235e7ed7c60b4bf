#include "adapt/class_confusion.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "nw/nn/random_tensor.hpp"

namespace nw::adapt {
namespace {

/// The authors' formulas, number by number.
double by_loops(const torch::Tensor& log_odds) {
  const auto n = log_odds.size(0), k = log_odds.size(1);
  const auto p = torch::softmax(log_odds.to(torch::kFloat64) / 2.5, 1);
  const auto at = [&](std::int64_t i, std::int64_t j) { return p[i][j].item<double>(); };
  std::vector<double> weight;
  double all = 0.0;
  for (std::int64_t i = 0; i < n; ++i) {
    double entropy = 0.0;
    for (std::int64_t j = 0; j < k; ++j) entropy -= at(i, j) * std::log(at(i, j));
    weight.push_back(1.0 + std::exp(-entropy));
    all += weight.back();
  }
  double others = 0.0;
  for (std::int64_t a = 0; a < k; ++a) {
    double same = 0.0, row = 0.0;
    for (std::int64_t b = 0; b < k; ++b) {
      double sum = 0.0;
      for (std::int64_t i = 0; i < n; ++i) {
        sum += static_cast<double>(n) * weight[static_cast<std::size_t>(i)] / all * at(i, a) *
               at(i, b);
      }
      row += sum;
      if (a == b) same = sum;
    }
    others += 1.0 - same / row;
  }
  return others / static_cast<double>(k);
}

TEST(ClassConfusion, IsTheAuthorsFormula) {
  const auto log_odds = nn::normal_tensor(Rng(1), {9, 4}) * 3.0;
  EXPECT_NEAR(class_confusion(log_odds).item<double>(), by_loops(log_odds), 1e-5);
}

TEST(ClassConfusion, IsNothingForSureAnswersAndMostForNone) {
  EXPECT_NEAR(class_confusion(torch::eye(5) * 200.0).item<double>(), 0.0, 1e-6);
  EXPECT_NEAR(class_confusion(torch::zeros({7, 5})).item<double>(), 0.8, 1e-6);
}

}  // namespace
}  // namespace nw::adapt
