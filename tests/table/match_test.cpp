// Which columns of two tables belong together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

using test::column;
using test::encode;
using testing::ElementsAre;
using testing::HasSubstr;

std::string rows(const std::string& header, const std::vector<int>& order, int from = 0) {
  std::string text = header + "\n";
  for (int i = from; i < from + 30; ++i) {
    const std::vector<std::string> cells = {std::to_string(i * 7 % 11) + ".5",
                                            std::to_string(i * 5 % 13), i % 3 == 0 ? "a" : "b"};
    for (std::size_t j = 0; j < order.size(); ++j) {
      text += (j == 0 ? "" : ",") + cells[static_cast<std::size_t>(order[j])];
    }
    text += "\n";
  }
  return text;
}

std::string error_of(const std::string& x, const std::string& y, const TableOptions& options = {}) {
  return io::test::io_error([&] { static_cast<void>(encode(x, y, options)); });
}

TEST(MatchColumns, ByNameWhateverTheirOrderAndCase) {
  const Inputs straight =
      encode(rows("age,income,sex", {0, 1, 2}), rows("age,income,sex", {0, 1, 2}, 9));
  const Inputs mixed =
      encode(rows("age,income,sex", {0, 1, 2}), rows(" Sex ,AGE,Income", {2, 0, 1}, 9));
  const Inputs both =
      encode(rows("sex,income,age", {2, 1, 0}), rows(" Sex ,AGE,Income", {2, 0, 1}, 9));
  ASSERT_EQ(straight.x.column_names, mixed.x.column_names);
  EXPECT_EQ(
      std::vector<double>(straight.y.values.values().begin(), straight.y.values.values().end()),
      std::vector<double>(mixed.y.values.values().begin(), mixed.y.values.values().end()));
  // The order in the files is no part of the result, not even bit by bit.
  EXPECT_EQ(
      std::vector<double>(straight.x.values.values().begin(), straight.x.values.values().end()),
      std::vector<double>(both.x.values.values().begin(), both.x.values.values().end()));
}

TEST(MatchColumns, ThoseOfOneSideAreNamedAndLeftOutOrRefused) {
  const std::string x = rows("age,income,sex", {0, 1, 2}), y = rows("age,flag", {0, 1});
  const Inputs inputs = encode(x, y);
  EXPECT_EQ(column(inputs, "income").reason, "only in X");
  EXPECT_EQ(column(inputs, "flag").reason, "only in Y");
  EXPECT_EQ(error_of(x, y, {.strict = true}),
            "y.csv: has no column \"income\", which x.csv has; `strict` asks for the same columns");
}

TEST(MatchColumns, NoCommonNameIsRefused) {
  EXPECT_THAT(error_of(rows("age,income", {0, 1}), rows("height,weight", {0, 1})),
              HasSubstr("have no column name in common"));
}

TEST(MatchColumns, ByPlaceOnlyWithoutNames) {
  const std::string bare = rows("", {0, 1}).substr(1);
  const Inputs neither = encode(bare, bare);
  EXPECT_EQ(neither.x.dimension(), 2u);
  EXPECT_THAT(neither.x.column_names, ElementsAre("column 1", "column 2"));
  const Inputs one = encode(rows("age,income", {0, 1}), bare);
  EXPECT_THAT(one.description.notes,
              testing::Contains("y.csv has no header: columns matched by their place"));
  EXPECT_THAT(error_of(rows("age,income,sex", {0, 1, 2}), bare),
              HasSubstr("x.csv: has 3 columns, y.csv has 2"));
}

TEST(MatchColumns, ALabelMayBeKnownOnOneSideOnly) {
  const Inputs inputs = encode(rows("age,income,sex", {0, 1, 2}), rows("age,income", {0, 1}),
                               {.label_column = "sex"});
  EXPECT_EQ(inputs.x.labels->names.size(), 2u);
  EXPECT_FALSE(inputs.y.labels);
  EXPECT_EQ(inputs.x.dimension(), 2u);
}

TEST(MatchColumns, TwoOfOneNameAreRefused) {
  EXPECT_EQ(error_of(rows("v,v", {0, 1}), rows("v,v", {0, 1})),
            "x.csv: has two columns called \"v\" (columns 1 and 2); rename one of them");
}

TEST(ChooseColumns, ByNameNumberRangeAndPattern) {
  const std::string x = rows("bill_length,bill_depth,sex", {0, 1, 2});
  const auto used = [&](const TableOptions& options) {
    std::vector<std::string> names;
    for (const auto& report : encode(x, options).description.columns) {
      if (report.used) names.push_back(report.name);
    }
    return names;
  };
  EXPECT_THAT(used({.columns = {"Sex", " 1"}}), ElementsAre("bill_length", "sex"));
  EXPECT_THAT(used({.columns = {"BILL_*"}}), ElementsAre("bill_length", "bill_depth"));
  EXPECT_THAT(used({.columns = {"2-3"}}), ElementsAre("bill_depth", "sex"));
  EXPECT_THAT(used({.exclude = {"bill_?e*"}}), ElementsAre("sex"));
  EXPECT_EQ(io::test::io_error([&] { static_cast<void>(encode(x, {.columns = {"bill_lenght"}})); }),
            "x.csv: has no column \"bill_lenght\" (did you mean 'bill_length'?); its columns are "
            "bill_length, bill_depth, sex");
}

TEST(Description, SaysInThreeLinesWhatWasDone) {
  std::string text = "name,age,income,kind\n";
  for (int i = 0; i < 40; ++i) {
    text += "n" + std::to_string(i) + "," + (i % 4 == 0 ? "NA" : std::to_string(20 + i * 7 % 31)) +
            "," + std::to_string(i * 13 % 37) + ",x\n";
  }
  const auto lines = summary_lines(encode(text).description);
  EXPECT_THAT(lines, ElementsAre("used 2 of 4 columns: age, income",
                                 "left out: name (all different), kind (constant)",
                                 "missing, kept: age 25 %"));
  EXPECT_THAT(full_text(encode(text).description),
              HasSubstr("age     integer           used; missing 25 %"));
}

TEST(Description, NamesColumnsThatTellTheSidesApartAndGroupsEqualHoles) {
  std::string x = "who,width,a,b,c\n", y = x;
  for (int i = 0; i < 40; ++i) {
    const std::string hole = i < 4 ? "," : std::to_string(i % 7) + "," + std::to_string(i % 5);
    x += std::string(i == 0 ? "child" : "woman") + "," + std::to_string(i * 7 % 40) + ".5," + hole +
         "," + std::to_string(i * 7 % 11) + "\n";
    y += std::string(i == 0 ? "child" : "man") + "," +
         std::to_string(i * 7 % 40 + (i < 2 ? 0 : 60)) + ".5," + hole + "," +
         std::to_string(i * 5 % 11) + "\n";
  }
  const Inputs inputs = encode(x, y);
  EXPECT_THAT(column(inputs, "who").notes, testing::Contains("tells X from Y by itself"));
  EXPECT_THAT(column(inputs, "width").notes, testing::Contains("tells X from Y by itself"));
  EXPECT_THAT(column(inputs, "c").notes, testing::IsEmpty());
  const auto lines = summary_lines(inputs.description);
  EXPECT_EQ(lines.back(),
            "missing, kept: a, b 10 % of X, 10 % of Y; tells X from Y by itself: who, width");
}

TEST(Match, TheLabelOfYMayBeAnotherColumnOrNone) {
  const std::string x = "class,v,kind\na,1,r\nb,2,s\na,3,r\n", y = "kind,class,v\nr,b,1\ns,b,4\n";
  const Inputs same = test::encode(x, y, {.label_column = "class"});
  EXPECT_EQ(same.y.labels->name_of(0), "b");
  EXPECT_FALSE(
      test::encode(x, y, {.label_column = "class", .label_column_y = std::string()}).y.labels);
  const Inputs other = test::encode(x, y, {.label_column = "class", .label_column_y = "kind"});
  EXPECT_EQ(other.y.labels->name_of(1), "s");
  EXPECT_EQ(test::column(other, "kind").reason, "the label of Y");
  EXPECT_THAT(other.x.column_names, testing::ElementsAre("v"));
}

}  // namespace
}  // namespace nw::table
