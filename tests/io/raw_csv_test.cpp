// Tables of text as the world writes them.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/io/load_input.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

RawTable read(std::string_view text, const LoadOptions& options = {},
              std::string_view name = "data.csv") {
  return parse_input(std::as_bytes(std::span(text)), name, options).table.value();
}

std::string error_of(std::string_view text) {
  return test::io_error([&] { static_cast<void>(read(text)); });
}

std::vector<std::string> texts(const RawColumn& column) {
  std::vector<std::string> cells;
  for (const auto code : column.codes) {
    cells.push_back(code == RawColumn::kMissing ? "(missing)" : column.levels[code]);
  }
  return cells;
}

TEST(RawCsv, HoldsNumbersAndTextByColumn) {
  const RawTable table = read("age,sex\n40.5,male\n16,female\n38,male\n");
  ASSERT_EQ(table.rows, 3u);
  ASSERT_EQ(table.columns.size(), 2u);
  EXPECT_TRUE(table.has_names);
  EXPECT_EQ(table.columns[0].kind, CellKind::number);
  EXPECT_THAT(table.columns[0].numbers, ElementsAre(40.5, 16.0, 38.0));
  EXPECT_EQ(table.columns[1].kind, CellKind::text);
  EXPECT_THAT(texts(table.columns[1]), ElementsAre("male", "female", "male"));
}

TEST(RawCsv, CountsEveryUsualWordForAMissingValue) {
  const RawTable table = read("a,b\n1,x\nNA,y\nN/A,?\n,z\nnan,\nnull,-\nNone,x\n?,x\n-,x\n2,x\n");
  EXPECT_EQ(table.rows, 10u);
  EXPECT_EQ(table.columns[0].kind, CellKind::number);
  EXPECT_EQ(table.columns[0].missing, 8u);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_EQ(table.columns[1].missing, 3u);
}

TEST(RawCsv, AColumnThatTurnsOutToBeTextKeepsItsNumbersAsText) {
  const RawTable table = read("a\n1\n2.50\nabc\n2.5\n");
  EXPECT_EQ(table.columns[0].kind, CellKind::text);
  // Known from the start: as written.
  EXPECT_THAT(texts(table.columns[0]), ElementsAre("1", "2.50", "abc", "2.5"));
  std::string late = "a\n";
  for (int i = 0; i < 2000; ++i) late += "2.50\n";
  late += "abc\n2.500\n";
  // Known late: in the shortest form, before and after.
  EXPECT_THAT(read(late).columns[0].levels, ElementsAre("2.5", "abc"));
}

TEST(RawCsv, ReadsADecimalComma) {
  const RawTable table = read("age;income\n40,16;26,87\n16,95;1.004,78\n");
  EXPECT_THAT(table.columns[0].numbers, ElementsAre(40.16, 16.95));
  EXPECT_THAT(table.columns[1].numbers, ElementsAre(26.87, 1004.78));
  EXPECT_THAT(table.notes, ElementsAre("decimal comma"));
  EXPECT_THAT(read("40,16;26,87\n16,95;4,78\n").columns[1].numbers, ElementsAre(26.87, 4.78));
}

TEST(RawCsv, HeedsTheSeparatorLineOfSpreadsheets) {
  const RawTable table = read("sep=;\r\nage;income\r\n40.16;26.87\r\n16.95;4.78\r\n");
  EXPECT_EQ(table.columns[1].name, "income");
  EXPECT_THAT(table.columns[0].numbers, ElementsAre(40.16, 16.95));
}

TEST(RawCsv, ReadsLatin1AndUtf16WithANote) {
  const RawTable latin = read("\xe2ge,revenu\n40,26\n16,4\n");
  EXPECT_EQ(latin.columns[0].name, "\u00e2ge");
  EXPECT_THAT(latin.notes, ElementsAre("read as Latin-1"));
  const std::string_view ascii = "age,name\n40,x\n16,y\n";
  for (const bool mark : {true, false}) {
    std::string little = mark ? "\xff\xfe" : "", big = mark ? "\xfe\xff" : "";
    for (const char c : ascii) {
      little += c;
      little += '\0';
      big += '\0';
      big += c;
    }
    for (const std::string& text : {little, big}) {
      const RawTable table = read(text);
      EXPECT_EQ(table.columns[0].name, "age");
      EXPECT_THAT(table.columns[0].numbers, ElementsAre(40.0, 16.0));
      EXPECT_THAT(table.notes, ElementsAre("read as UTF-16"));
    }
  }
}

TEST(RawCsv, PassesOverCommentsAndNotesBehindTheTableAndSaysSo) {
  const RawTable table = read("a,b\n1,2\n# half way\n3,4\nTotal rows: 2\n");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_THAT(table.notes, ElementsAre("1 comment line passed over",
                                       "line 5 behind the table passed over: \"Total rows: 2\""));
  // The same line between rows is a row that lacks cells.
  EXPECT_EQ(error_of("a,b\n1,2\nTotal rows: 2\n3,4\n"),
            "data.csv: line 3 has 1 cell where the first line has 2; give every row the same "
            "number of cells");
  // So is a number that is alone on the last line: the file was cut off.
  EXPECT_THAT(error_of("a,b\n1,2\n3\n"), HasSubstr("line 3 has 1 cell"));
}

TEST(RawCsv, MarksIntegersBeyondTheDigitsOfADouble) {
  const RawTable table = read("id,age\n12345678901234567890,4\n12345678901234567891,5\n");
  EXPECT_TRUE(table.columns[0].inexact);
  EXPECT_FALSE(table.columns[1].inexact);
}

TEST(RawCsv, FindsTheHeaderOfATableOfTextAlone) {
  const std::string rows = "red,s\nblue,m\nred,m\nred,l\nblue,s\n";
  EXPECT_TRUE(read("colour,size\n" + rows).has_names);
  EXPECT_FALSE(read("red,m\n" + rows).has_names);
  EXPECT_TRUE(read("day,price\n2024-01-01,$4\n2024-01-02,$5\n").has_names);
  EXPECT_FALSE(read("2024-01-01,x\n2024-01-02,y\n").has_names);
}

TEST(RawCsv, DoesNotDependOnTheNumberOfThreads) {
  std::string text = "n,word,late\n";
  for (int i = 0; i < 60000; ++i) {
    text += std::to_string(i * 7 % 1000) + ",w" + std::to_string(i % 13) + "," +
            (i % 977 == 976 ? "odd" : std::to_string(i % 50)) + "\n";
  }
  const RawTable one = read(text, {.threads = 1}), two = read(text, {.threads = 2});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(one.columns[i].numbers, two.columns[i].numbers);
    EXPECT_EQ(texts(one.columns[i]), texts(two.columns[i]));
  }
}

}  // namespace
}  // namespace nw::io
