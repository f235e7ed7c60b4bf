// Rows of different answers, by predictions that are known.
#include "app/adaptation/disagreements.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::app {
namespace {

using testing::HasSubstr;

/// The class of each row and its probability, of three classes.
adapt::Prediction made(const std::vector<std::pair<std::int64_t, double>>& answers) {
  adapt::Prediction result;
  const auto rows = static_cast<std::int64_t>(answers.size());
  result.posterior = torch::zeros({rows, 3});
  for (std::int64_t i = 0; i < rows; ++i) {
    const auto [best, sure] = answers[static_cast<std::size_t>(i)];
    result.predicted.push_back(best);
    result.posterior[i].fill_((1.0 - sure) / 2.0);
    result.posterior[i][best] = sure;
  }
  return result;
}

const std::vector<std::string> kNames{"a", "b", "c"};

std::vector<Disagreement> four_of_five() {
  return disagreements(made({{0, 0.9}, {1, 0.6}, {2, 0.8}, {0, 0.7}, {0, 0.99}}),
                       made({{1, 0.7}, {1, 0.9}, {0, 0.9}, {1, 0.8}, {1, 0.5}}));
}

TEST(Disagreements, ComeWithTheSurestFirst) {
  const auto found = four_of_five();
  ASSERT_EQ(found.size(), 4U);
  // By the smaller probability: 0.8; 0.7 twice, in the order of the rows; 0.5.
  EXPECT_EQ(found[0].row, 2U);
  EXPECT_EQ(found[1].row, 0U);
  EXPECT_EQ(found[2].row, 3U);
  EXPECT_EQ(found[3].row, 4U);
  EXPECT_EQ(found[0].unadapted, 2);
  EXPECT_EQ(found[0].adapted, 0);
  EXPECT_NEAR(found[0].sure, 0.8, 1e-6);
}

TEST(Disagreements, AreNamedByRowsFromOne) {
  EXPECT_EQ(describe(four_of_five(), 5, kNames),
            "With and without adaptation, 4 of 5 rows are given different classes, most surely "
            "row 3 (a with it, c without), row 1 (b with it, a without), row 4 (b with it, a "
            "without) and row 5 (b with it, a without).");
  EXPECT_EQ(describe({}, 5, kNames), "");
  EXPECT_THROW((void)disagreements(made({{0, 0.9}}), made({})), InvalidArgument);
}

/// Five grey images of one value each.
io::PointSet images(std::size_t side) {
  io::PointSet points;
  points.values = Matrix(5, side * side);
  for (std::size_t i = 0; i < 5; ++i) {
    for (double& value : points.values.row(i)) value = static_cast<double>(i) / 4.0;
  }
  points.image = io::ImageShape{side, side, 1};
  return points;
}

TEST(Thumbnails, AreMeansOfLargerImages) {
  const auto kept = thumbnails_of(images(200));
  EXPECT_EQ(kept.shape, (io::ImageShape{50, 50, 1}));
  EXPECT_EQ(kept.every, 1U);
  ASSERT_EQ(kept.pixels.size(), 5U * 2500U);
  EXPECT_EQ(kept.pixels[0], 0);
  EXPECT_EQ(kept.pixels[2 * 2500], 128);
  EXPECT_EQ(kept.pixels.back(), 255);
}

TEST(Thumbnails, AreFewerWhereMemoryIsShortAndNoneForTables) {
  const auto kept = thumbnails_of(images(8), 3 * 64);
  EXPECT_EQ(kept.every, 2U);
  EXPECT_EQ(kept.pixels.size(), 3U * 64U);
  EXPECT_TRUE(kept.holds(2));
  EXPECT_FALSE(kept.holds(3));
  auto table = images(8);
  table.image.reset();
  EXPECT_FALSE(has_pictures(four_of_five(), thumbnails_of(table)));
}

TEST(DrawDisagreements, HasALineForEachPairOfAnswersTheMostFrequentFirst) {
  const auto kept = thumbnails_of(images(8));
  ASSERT_TRUE(has_pictures(four_of_five(), kept));
  const auto picture = draw_disagreements(four_of_five(), kept, kNames);
  EXPECT_THAT(picture.caption, HasSubstr("From above: a → b (3 rows); c → a (1 row)."));
  // Twelve places of 8 pixels and two lines of them, six times as large.
  EXPECT_EQ(picture.width, 6U * (12 * 9 - 1));
  EXPECT_EQ(picture.height, 6U * (2 * 9 - 1));
}

}  // namespace
}  // namespace nw::app
