#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using test::parse;
using testing::ElementsAre;

TEST(Csv, ReadsNumbersOfEveryNotation) {
  const PointSet points = parse("1,-2.5,+3\n1e3, .5 ,-4E-2\n");
  ASSERT_EQ(points.size(), 2u);
  ASSERT_EQ(points.dimension(), 3u);
  EXPECT_THAT(points.values.values(), ElementsAre(1.0, -2.5, 3.0, 1000.0, 0.5, -0.04));
  EXPECT_TRUE(points.column_names.empty());
  EXPECT_FALSE(points.labels);
  EXPECT_TRUE(points.weights.empty());
}

TEST(Csv, TakesAFirstLineOfTextAboveNumbersForAHeader) {
  const PointSet points = parse("x,y\n1,2\n3,4\n");
  EXPECT_THAT(points.column_names, ElementsAre("x", "y"));
  EXPECT_THAT(points.values.values(), ElementsAre(1, 2, 3, 4));
}

TEST(Csv, DoesNotTakeARowWithANumberForAHeader) {
  EXPECT_EQ(parse("1,2\n3,4\n").size(), 2u);
  EXPECT_EQ(parse("1,2,a\n3,4,b\n", {.label_column = "3"}).size(), 2u);
  // An empty or unusable cell in the first row must not make the row disappear.
  EXPECT_EQ(
      test::parse_error("1,NA\n3,4\n"),
      "data.csv: line 1, column 2: \"NA\" is not a number; choose the numeric columns, or say "
      "which one is the label");
}

TEST(Csv, HeaderCanBeForcedAndForbidden) {
  EXPECT_EQ(parse("2019,2020\n3,4\n", {.header = Header::present}).size(), 1u);
  EXPECT_THAT(test::parse_error("x,y\n3,4\n", {.header = Header::absent}),
              testing::HasSubstr("line 1, column 1: \"x\" is not a number"));
}

TEST(Csv, FindsTheDelimiter) {
  for (const char* text : {"1,2,3\n4,5,6\n", "1\t2\t3\n4\t5\t6\n", "1;2;3\n4;5;6\n",
                           "1|2|3\n4|5|6\n", "1 2 3\n4 5 6\n", "  1  2   3\n4 \t 5 6  \n"}) {
    const PointSet points = parse(text);
    ASSERT_EQ(points.dimension(), 3u) << text;
    EXPECT_THAT(points.values.values(), ElementsAre(1, 2, 3, 4, 5, 6)) << text;
  }
}

TEST(Csv, UsesTheTabInFilesNamedTsv) {
  const PointSet points = parse("a,b\tc\n1\t2\n", {}, "data.tsv");
  EXPECT_THAT(points.column_names, ElementsAre("a,b", "c"));
}

TEST(Csv, AcceptsQuotesByteOrderMarkCarriageReturnsAndNoFinalNewline) {
  const PointSet points = parse("\xef\xbb\xbf\"the \"\"x\"\", mm\",y\r\n\"1.5\",2\r\n\r\n3,\"-4\"");
  EXPECT_THAT(points.column_names, ElementsAre("the \"x\", mm", "y"));
  EXPECT_THAT(points.values.values(), ElementsAre(1.5, 2, 3, -4));
}

TEST(Csv, PassesOverBlankLinesAndLeadingComments) {
  const PointSet points = parse("# made by \"savetxt\n# x y\n\n1 2\n\n3 4\n\n");
  EXPECT_THAT(points.values.values(), ElementsAre(1, 2, 3, 4));
}

TEST(Csv, IgnoresOneDelimiterTooManyAtTheEndOfLines) {
  EXPECT_THAT(parse("1,2,\n3,4,\n").values.values(), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(parse("x,y\n1,2,\n3,4\n").values.values(), ElementsAre(1, 2, 3, 4));
}

TEST(Csv, ChoosesColumnsByNameNumberAndRangeInTheOrderAsked) {
  const std::string text = "a,b,c,d,e\n1,2,3,4,5\n6,7,8,9,10\n";
  const PointSet points = parse(text, {.columns = {"e", "1", "3-4"}});
  EXPECT_THAT(points.column_names, ElementsAre("e", "a", "c", "d"));
  EXPECT_THAT(points.values.values(), ElementsAre(5, 1, 3, 4, 10, 6, 8, 9));
}

TEST(Csv, UnchosenColumnsMayHoldAnything) {
  const PointSet points = parse("id,x\n\"a\nb\",1\nnan,2\n,3\n", {.columns = {"x"}});
  EXPECT_THAT(points.values.values(), ElementsAre(1, 2, 3));
}

TEST(Csv, SeparatesLabelsAndWeightsFromCoordinates) {
  const PointSet points = parse("x,kind,w,y\n1,dog,0.5,2\n3,cat,2,4\n5,dog,0,6\n",
                                {.label_column = "kind", .weight_column = "w"});
  EXPECT_THAT(points.values.values(), ElementsAre(1, 2, 3, 4, 5, 6));
  ASSERT_TRUE(points.labels);
  EXPECT_THAT(points.labels->names, ElementsAre("cat", "dog"));
  EXPECT_THAT(points.labels->values, ElementsAre(1, 0, 1));
  EXPECT_THAT(points.weights, ElementsAre(0.5, 2.0, 0.0));
}

TEST(Csv, IntegerLabelsKeepTheirValue) {
  const PointSet points = parse("1,7\n2,-3\n3,7.0\n", {.label_column = "2"});
  EXPECT_THAT(points.labels->values, ElementsAre(7, -3, 7));
  EXPECT_TRUE(points.labels->names.empty());
  EXPECT_EQ(points.labels->name_of(1), "-3");
}

TEST(Csv, TinyNumbersBecomeZeroOrSubnormalRatherThanAnError) {
  const PointSet points = parse("1e-400,4.9e-324,2.2250738585072011e-308\n");
  EXPECT_EQ(points.values(0, 0), 0.0);
  EXPECT_EQ(points.values(0, 1), 4.9e-324);
  EXPECT_EQ(points.values(0, 2), 2.2250738585072011e-308);
}

TEST(Csv, DecimalsOfEveryLengthAreRoundedAsTheCompilerRoundsThem) {
  Rng rng(3);
  std::string text;
  std::vector<double> expected;
  for (int i = 0; i < 20000; ++i) {
    std::string number = rng.below(2) == 0 ? "-" : "";
    const std::uint64_t length = 1 + rng.below(20), point = rng.below(length + 1);
    for (std::uint64_t k = 0; k < length; ++k) {
      if (k == point) number += '.';
      number += static_cast<char>('0' + rng.below(10));
    }
    expected.push_back(std::strtod(number.c_str(), nullptr));
    text += number + "\n";
  }
  EXPECT_THAT(parse(text).values.values(), testing::ElementsAreArray(expected));
  EXPECT_TRUE(std::signbit(parse("-0\n-0.0\n").values(1, 0)));
}

TEST(Csv, ResultDoesNotDependOnThreads) {
  std::string text = "x,label,y\n";
  for (int i = 0; i < 200000; ++i) {
    text +=
        std::to_string(i * 0.37) + (i % 3 == 0 ? ",red," : ",blue,") + std::to_string(-i) + "\n";
  }
  const PointSet one = parse(text, {.label_column = "label", .threads = 1});
  const PointSet four = parse(text, {.label_column = "label", .threads = 4});
  ASSERT_EQ(one.size(), 200000u);
  EXPECT_TRUE(std::ranges::equal(one.values.values(), four.values.values()));
  EXPECT_EQ(one.labels->values, four.labels->values);
  EXPECT_EQ(one.labels->names, four.labels->names);
  EXPECT_EQ(one.values(199999, 1), -199999.0);
}

TEST(Csv, ProblemsFarInsideALargeFileAreReportedAtTheirLineForEveryThreadCount) {
  std::string text;
  for (int i = 0; i < 600000; ++i) text += i == 480000 || i == 599999 ? "1,oops\n" : "1,2\n";
  for (const int threads : {1, 2, 5}) {
    EXPECT_THAT(test::parse_error(text, {.threads = threads}),
                testing::HasSubstr("data.csv: line 480001, column 2: \"oops\""));
  }
}

TEST(Csv, QuotedCellsMayCrossTheBlocksInWhichAFileIsRead) {
  std::string text = "name,x\n";
  std::size_t rows = 0;
  while (text.size() < (5u << 20)) {
    text += "\"line one\nline \"\"two\"\", " + std::string(rows % 97, 'q') + "\"," +
            std::to_string(rows) + "\n";
    ++rows;
  }
  const PointSet points = parse(text, {.columns = {"x"}});
  ASSERT_EQ(points.size(), rows);
  for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(points.values(i, 0), static_cast<double>(i));
}

TEST(Csv, OneColumnWithoutDelimiterIsATableOfDimensionOne) {
  const PointSet points = parse("3\n1\n2\n");
  EXPECT_EQ(points.dimension(), 1u);
  EXPECT_THAT(points.values.values(), ElementsAre(3, 1, 2));
}

}  // namespace
}  // namespace nw::io
