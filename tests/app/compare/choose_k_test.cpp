#include "nw/app/compare/choose_k.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "table/table_test_support.hpp"

namespace nw::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Groups far apart along `age`, of which there are `groups`, as a table of two columns.
std::string groups_of_people(std::size_t groups, std::size_t rows, std::uint64_t seed) {
  Rng rng(seed);
  std::string text = "age,income\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const double group = static_cast<double>(i % groups);
    text += concat(20.0 + 25.0 * group + rng.normal(), ',',
                   20000.0 + 30000.0 * group + 1000.0 * rng.normal(), '\n');
  }
  return text;
}

/// Normal rows around 0 and around `far`, in turn.
Matrix two_groups(std::size_t rows, double far, std::uint64_t seed) {
  Rng rng(seed);
  Matrix values(rows, 1);
  for (std::size_t i = 0; i < rows; ++i) values(i, 0) = rng.normal() + (i % 2 == 0 ? 0.0 : far);
  return values;
}

ModeCountOptions up_to(std::size_t k) {
  return {.search = {.max_k = k}, .seed = 3};
}

TEST(ChooseK, CountsTheGroupsOfATableAndRecordsItsColumns) {
  const auto data = table::test::encode(groups_of_people(3, 240, 1));
  const ModeCount found = choose_k(data, up_to(5));
  EXPECT_EQ(found.result.k, 3U);
  EXPECT_TRUE(found.finished);
  const record::RunRecord& record = found.record;
  EXPECT_NO_THROW(record.validate());
  EXPECT_EQ(record.mode_choice.value().k, 3U);
  EXPECT_THAT(record.sentence, HasSubstr("3"));
  EXPECT_THAT(record.data.at(0).column_names, ElementsAre("age", "income"));
  EXPECT_EQ(record.columns.size(), 2U);
  EXPECT_THAT(record.seeds, ElementsAre(3U));
}

TEST(ChooseK, SearchesAsTheMeasureDoesWithTheSameSeed) {
  table::Inputs data;
  data.x.values = two_groups(120, 9.0, 1);
  data.y.values = two_groups(90, 9.0, 2);
  const ModeCount found = choose_k(data, up_to(3));
  Rng rng(3);
  const auto expected =
      measure::choose_k({.points = data.x.values, .weights = {}},
                        {.points = data.y.values, .weights = {}}, {.max_k = 3}, rng);
  ASSERT_EQ(found.result.curve.size(), expected.curve.size());
  for (std::size_t i = 0; i < expected.curve.size(); ++i) {
    EXPECT_EQ(found.result.curve[i].nw, expected.curve[i].nw) << i;
  }
  EXPECT_EQ(found.record.data.at(1).name, "y");
  EXPECT_EQ(found.record.data.at(1).rows, 90U);
}

TEST(ChooseK, DrawsTheMixtureThatItChoseUnlessItIsToldNotTo) {
  table::Inputs data;
  data.x.values = two_groups(120, 9.0, 1);
  ModeCountOptions options = up_to(3);
  EXPECT_EQ(choose_k(data, options).record.figure.value().ellipses.size(), 2U);
  options.figure = false;
  EXPECT_FALSE(choose_k(data, options).record.figure.has_value());
}

TEST(ChooseK, SaysThatItDidNotFinishWhenTheObserverStopsIt) {
  table::Inputs data;
  data.x.values = two_groups(120, 9.0, 1);
  const ModeCount found = choose_k(data, up_to(6), [](const Progress&) { return false; });
  EXPECT_FALSE(found.finished);
  EXPECT_FALSE(found.record.converged);
}

TEST(ChooseK, RefusesAnEmptyRangeOfK) {
  ModeCountOptions options = up_to(2);
  options.search.min_k = 3;
  EXPECT_THROW(options.validate(), InvalidArgument);
}

}  // namespace
}  // namespace nw::app
