#include "nw/adapt/prediction.hpp"

#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::adapt {
namespace {

Prediction of(const std::vector<std::vector<float>>& posterior) {
  Prediction one;
  std::vector<torch::Tensor> rows;
  for (const auto& row : posterior) rows.push_back(torch::tensor(row));
  one.posterior = torch::stack(rows);
  return mean_prediction(std::vector{one});  // names the likeliest classes
}

TEST(Predictions, OfSeveralAreTheMeanOfTheirPosteriors) {
  const std::vector several{of({{0.9F, 0.1F}, {0.4F, 0.6F}}), of({{0.2F, 0.8F}, {0.3F, 0.7F}})};
  const auto mean = mean_prediction(several);
  EXPECT_TRUE(torch::allclose(mean.posterior, torch::tensor({{0.55F, 0.45F}, {0.35F, 0.65F}})));
  EXPECT_EQ(mean.predicted, (std::vector<std::int64_t>{0, 1}));
  EXPECT_THROW((void)mean_prediction({}), InvalidArgument);
  EXPECT_THROW((void)mean_prediction(std::vector{several[0], of({{0.5F, 0.5F}})}), InvalidArgument);
}

TEST(Predictions, ShowWhichOfSeveralDiffersFromTheOthers) {
  const auto usual = of({{0.9F, 0.1F}, {0.1F, 0.9F}, {0.2F, 0.8F}, {0.8F, 0.2F}});
  const auto near = of({{0.8F, 0.2F}, {0.3F, 0.7F}, {0.6F, 0.4F}, {0.7F, 0.3F}});
  const auto crosswise = of({{0.1F, 0.9F}, {0.9F, 0.1F}, {0.8F, 0.2F}, {0.2F, 0.8F}});
  EXPECT_EQ(agreements(std::vector{usual}), (std::vector<double>{1.0}));
  // Pairs: 3/4, 0 and 1/4.
  EXPECT_EQ(agreements(std::vector{usual, near, crosswise}),
            (std::vector<double>{0.375, 0.5, 0.125}));
}

}  // namespace
}  // namespace nw::adapt
