#include "nw/app/compare/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"

#include "table/table_test_support.hpp"

namespace nw::app {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two groups of people as a table: `young` of them are around 25 years, the others around 60.
std::string people(std::size_t rows, std::size_t young, std::uint64_t seed, bool groups = false) {
  Rng rng(seed);
  std::string text = groups ? "age,income,group\n" : "age,income\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const bool is_young = i < young;
    text += concat((is_young ? 25.0 : 60.0) + 3.0 * rng.normal(), ',',
                   (is_young ? 20000.0 : 45000.0) + 2000.0 * rng.normal(),
                   groups ? (is_young ? ",student" : ",worker") : "", '\n');
  }
  return text;
}

ComparisonOptions quick(std::size_t k) {
  return {.test = {.components = k, .resamplings = 99}, .seed = 3};
}

TEST(Compare, AnswersInTheUnitsAndNamesOfTheColumns) {
  const auto data = table::test::encode(people(200, 140, 1), people(200, 60, 2));
  const Comparison comparison = compare(data, quick(2));
  const auto& result = comparison.result;
  EXPECT_EQ(result.verdict, Verdict::proportions);
  EXPECT_TRUE(comparison.finished);
  ASSERT_EQ(result.components.size(), 2U);
  const std::size_t young = result.components[0].centre[0] < 40.0 ? 0 : 1;
  EXPECT_NEAR(result.components[young].centre[0], 25.0, 1.5);
  EXPECT_NEAR(result.components[young].centre[1], 20000.0, 1500.0);
  EXPECT_NEAR(result.components[young].mass_x, 0.7, 0.05);
  EXPECT_NEAR(result.components[young].mass_y, 0.3, 0.05);
  EXPECT_THAT(comparison.record.compare->components.at(young).name.text(),
              AllOf(HasSubstr("age"), HasSubstr("25")));
}

TEST(Compare, LeavesARecordWithDataColumnsAnswerAndFigure) {
  const auto data = table::test::encode(people(120, 60, 1), people(120, 60, 2));
  const record::RunRecord record = compare(data, quick(2)).record;
  EXPECT_NO_THROW(record.validate());
  ASSERT_TRUE(record.compare.has_value());
  EXPECT_EQ(record.compare->components.size(), 2U);
  EXPECT_EQ(record.data.at(0).name, "x");
  EXPECT_EQ(record.data.at(1).rows, 120U);
  EXPECT_EQ(record.columns.size(), 2U);
  EXPECT_THAT(record.seeds, ElementsAre(3U));
  EXPECT_TRUE(record.figure.has_value());
  ComparisonOptions plain = quick(2);
  plain.figure = false;
  EXPECT_FALSE(compare(data, plain).record.figure.has_value());
}

TEST(Compare, TakesPointsThatHaveNoColumns) {
  Rng rng(5);
  table::Inputs data;
  data.x.values = Matrix(150, 1);
  data.y.values = Matrix(150, 1);
  for (double& value : data.x.values.values()) value = rng.normal();
  for (double& value : data.y.values.values()) value = rng.normal() + 4.0;
  const Comparison comparison = compare(data, quick(1));
  EXPECT_EQ(comparison.result.verdict, Verdict::components);
  EXPECT_THAT(comparison.record.compare->components.at(0).name.text(), IsEmpty());
}

TEST(Compare, TakesTheLabelsOfXForItsMembers) {
  table::TableOptions options;
  options.label_column = "group";
  const auto data = table::test::encode(people(200, 140, 1, true), people(200, 60, 2), options);
  ASSERT_TRUE(data.x.labels.has_value());
  const Comparison comparison = compare(data, quick(0));
  EXPECT_THAT(comparison.class_names, ElementsAre("student", "worker"));
  ASSERT_EQ(comparison.record.compare->components.size(), 2U);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(comparison.record.compare->components[j].name.text(), comparison.class_names[j]);
  }
  ASSERT_EQ(comparison.result.classes.size(), 2U);
  EXPECT_NEAR(comparison.result.classes[0].share_y, 0.3, 0.1);
}

TEST(Compare, StopsWhenTheObserverSaysSoAndIsThenUndecided) {
  const auto data = table::test::encode(people(200, 140, 1), people(200, 60, 2));
  int calls = 0;
  const Comparison comparison = compare(data, quick(2), [&](const Progress& at) {
    EXPECT_GE(at.share, 0.0);
    EXPECT_LE(at.share, 1.0);
    return ++calls < 3;
  });
  EXPECT_FALSE(comparison.finished);
  EXPECT_FALSE(comparison.record.converged);
  EXPECT_EQ(comparison.result.verdict, Verdict::undecided);
  EXPECT_FALSE(comparison.record.figure.has_value());
}

TEST(Compare, RefusesALevelThatIsNone) {
  ComparisonOptions options;
  options.test.alpha = 1.5;
  EXPECT_THROW(options.validate(), InvalidArgument);
}

}  // namespace
}  // namespace nw::app
