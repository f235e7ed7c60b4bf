#include "adapt/augment.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "nw/nn/random_tensor.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

constexpr std::int64_t kImages = 400, kSide = 16;

train::Draws draws(std::uint64_t seed) {
  return {Rng(seed), torch::kCPU};
}

/// A bright square on a dark ground, to the left of the middle.
Tensor squares(std::int64_t channels = 3) {
  auto images = torch::full({kImages, channels, kSide, kSide}, -1.0F);
  images.slice(2, 5, 11).slice(3, 3, 9).fill_(1.0);
  return images;
}

TEST(Augment, MovesNothingByAMotionOfNothing) {
  const auto images = nn::normal_tensor(Rng(1), {3, 2, 9, 12});
  auto random = draws(2);
  EXPECT_TRUE(torch::allclose(moved(images, {}, random), images, 1e-5, 1e-5));
}

TEST(Augment, MovesImagesByUpToTheShareThatIsAskedFor) {
  const auto images = squares(1);
  auto random = draws(3);
  const auto shifted = moved(images, {.shift = 0.25}, random);
  // The centre of what is bright, in half sides.
  const auto weight = shifted + 1.0;
  const auto place = torch::linspace(-1, 1, kSide);
  const auto centre = (weight.sum({1, 2}) * place).sum(1) / weight.sum({1, 2, 3});
  const auto range = (centre.max() - centre.min()).item<double>();
  EXPECT_GT(range, 0.4);
  EXPECT_LT(range, 0.6);
}

TEST(Augment, KeepsWhatStandsOutWhenItRecolours) {
  const auto images = squares();
  auto random = draws(4);
  const auto changed = recoloured(images, random);
  // Without clouds each channel takes two values: the ground's and the square's.
  const auto ground = changed.select(2, 0).select(2, 0), square = changed.select(2, 7).select(2, 5);
  const auto spread =
      (changed.slice(2, 0, 4) - ground.unsqueeze(2).unsqueeze(3)).abs().amax({1, 2, 3});
  const auto plain = spread.lt(1e-4);
  EXPECT_NEAR(plain.to(torch::kFloat32).mean().item<double>(), 0.5, 0.1);
  const auto contrast = ((square - ground) / 2.0).index({plain});
  EXPECT_GT(contrast.abs().min().item<double>(), 0.39);
  EXPECT_LT(contrast.abs().max().item<double>(), 1.41);
  const auto signs = contrast.sign();
  EXPECT_NEAR(signs.mean().item<double>(), 0.0, 0.15);
  // In about half of the images and a quarter of the others all channels have one sign.
  const auto alike = signs.sum(1).abs().eq(3.0).to(torch::kFloat32).mean().item<double>();
  EXPECT_NEAR(alike, 0.625, 0.1);
}

TEST(Augment, MakesCloudsThatAreSmoothAndOfUnitSize) {
  auto random = draws(5);
  const auto field = clouds(torch::zeros({kImages, 3, 32, 32}), random);
  EXPECT_EQ(field.sizes(), (std::vector<std::int64_t>{kImages, 3, 32, 32}));
  EXPECT_NEAR(field.mean().item<double>(), 0.0, 0.1);
  EXPECT_NEAR(field.std().item<double>(), 1.0, 0.25);
  const auto steps = (field.slice(3, 1) - field.slice(3, 0, 31)).square().mean().sqrt();
  EXPECT_LT(steps.item<double>(), 0.4);
}

TEST(Augment, CutsASquareOutOfHalfOfTheImages) {
  const auto images = torch::full({kImages, 2, kSide, kSide}, 5.0F);  // no grey that is drawn
  auto random = draws(6);
  const auto gaps = with_gaps(images, random).ne(5.0).to(torch::kFloat32).sum({1, 2, 3});
  const auto cut = gaps.gt(0.0);
  EXPECT_NEAR(cut.to(torch::kFloat32).mean().item<double>(), 0.5, 0.1);
  EXPECT_EQ(gaps.index({cut}).min().item<double>(), 2.0 * 16.0);
  EXPECT_EQ(gaps.index({cut}).max().item<double>(), 2.0 * 16.0);
}

TEST(Augment, LeavesRowsOfATableNearlyAloneOrTakesUpToHalfOfTheirColumns) {
  constexpr double kMean = -2.0, kDeviation = 4.0;
  const auto rows = torch::full({kImages, 100}, 3.0F);
  const auto columns = torch::stack({torch::full({100}, kMean), torch::full({100}, kDeviation)});
  auto random = draws(9);
  const auto slight = weak_rows(rows, columns, random) - rows;
  EXPECT_NEAR(slight.mean().item<double>(), 0.0, 0.01 * kDeviation);
  EXPECT_NEAR(slight.std().item<double>(), 0.1 * kDeviation, 0.01 * kDeviation);
  const auto strong = strong_rows(rows, columns, random);
  const auto masked = strong.eq(kMean).to(torch::kFloat32).mean(1);
  EXPECT_NEAR(masked.mean().item<double>(), 0.25, 0.03);
  EXPECT_LT(masked.max().item<double>(), 0.68);
  EXPECT_LT(masked.min().item<double>(), 0.05);
  const auto left = strong.index({strong.ne(kMean)}) - 3.0;
  // Deviations are uniform in [0, 0.5]: their root mean square is 0.5 / sqrt(3).
  EXPECT_NEAR(left.std().item<double>(), 0.289 * kDeviation, 0.03 * kDeviation);
}

TEST(Augment, MovesRowsTowardsOthersByLessThanAsked) {
  // Row i holds i: what a row takes of row j shows as (x - i) / (j - i).
  auto random = draws(4);
  const auto own = torch::arange(200, torch::kFloat32).unsqueeze(1).expand({200, 3});
  const auto mixed = mixed_rows(own, 0.4, random);
  const auto moved = (mixed - own).abs().select(1, 0);
  EXPECT_LE(moved.max().item<double>(), 0.4 * 199.0);
  EXPECT_GT(moved.gt(0.0).sum().item<std::int64_t>(), 190);
  // Partners and shares are uniform: the mean of |i - j| is 200 / 3, that of the share 0.2.
  EXPECT_NEAR(moved.mean().item<double>(), 0.2 * 200.0 / 3.0, 3.0);
  EXPECT_TRUE(torch::allclose(mixed.select(1, 0), mixed.select(1, 2)));
  EXPECT_TRUE(mixed_rows(own, 0.0, random).equal(own));
}

TEST(Augment, FindsTheMomentsOfColumns) {
  const auto columns = column_moments(torch::tensor({{1.0F, 5.0F}, {3.0F, 5.0F}}));
  EXPECT_TRUE(columns.equal(torch::tensor({{2.0F, 5.0F}, {1.0F, 0.0F}})));
}

TEST(Augment, DependsOnItsDrawsAlone) {
  const auto images = squares();
  const auto view = [&](std::uint64_t seed) {
    auto random = draws(seed);
    return strong_view(images, random);
  };
  EXPECT_TRUE(torch::equal(view(7), view(7)));
  EXPECT_FALSE(torch::equal(view(7), view(8)));
  EXPECT_TRUE(view(7).isfinite().all().item<bool>());
  auto random = draws(7);
  // A slight change leaves most of an image where it was.
  EXPECT_LT((weak_view(images, random) - images).abs().mean().item<double>(), 0.15);
}

}  // namespace
}  // namespace nw::adapt
