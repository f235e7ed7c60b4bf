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

TEST(RawCsv, PassesOverLinesAboveTheTableAndSaysSo) {
  // How many rows and columns there are, and the names of classes, in as many cells as a row has.
  const RawTable counted = read("3,2,red,blue\n1.5,2,0,4\n2.5,3,1,4\n3.5,4,1,4\n");
  EXPECT_EQ(counted.rows, 4u) << "3 columns are neither 2 nor 3";
  const RawTable right = read("3,3,red,blue\n1.5,2,0,4\n2.5,3,1,4\n3.5,4,1,4\n");
  EXPECT_EQ(right.rows, 3u);
  EXPECT_FALSE(right.has_names);
  EXPECT_THAT(right.columns[0].numbers, ElementsAre(1.5, 2.5, 3.5));
  EXPECT_THAT(right.notes, ElementsAre(HasSubstr("above the table passed over: \"3,3,red,blue\"")));
  // In fewer cells, above a header.
  const RawTable short_line = read("3,2,,\n\"a\",\"b\",\"c\",\"d\"\n1,2,0,1\n2,3,1,1\n3,4,1,1\n");
  EXPECT_EQ(short_line.rows, 3u);
  EXPECT_EQ(short_line.columns[0].name, "a");
  const RawTable titled =
      read("Sales by month\n\nSource: books, 2024\nmonth;sum;tax\n1;2;3\n2;3;4\n");
  EXPECT_EQ(titled.rows, 2u);
  EXPECT_EQ(titled.columns[1].name, "sum");
  EXPECT_EQ(titled.notes.size(), 2u);
  EXPECT_THAT(error_of("Sales by month\nmonth;sum\n1;2\n2;3;4\n"), HasSubstr(": line "));
}

TEST(RawCsv, RefusesAHeaderThatIsTooShort) {
  EXPECT_THAT(error_of("a,b\n1,2,3,4\n2,3,4,5\n3,4,5,6\n"),
              HasSubstr("line 2 has 4 cells where the first line has 2"));
  EXPECT_THAT(error_of("1,2\n3,4,5\n6,7\n8,9,10\n"), HasSubstr("line 2 has 3 cells"));
  EXPECT_THAT(error_of("1,2\n3,4,5\n6,7,8\n9,10,11\n"), HasSubstr("line 2 has 3 cells"));
}

TEST(RawCsv, ReadsTablesWhoseRowsHaveNamesAndTheirColumnHasNone) {
  for (const char* text : {"  Expt Run Speed\n001 1 1 850\n002 1 2 740\n003 2 1 900\n",
                           "Expt,Run,Speed\n001,1,1,850\n002,1,2,740\n003,2,1,900\n"}) {
    const RawTable table = read(text);
    ASSERT_EQ(table.columns.size(), 4u);
    EXPECT_EQ(table.columns[0].name, "");
    EXPECT_EQ(table.columns[3].name, "Speed");
    EXPECT_THAT(table.columns[3].numbers, ElementsAre(850.0, 740.0, 900.0));
    EXPECT_THAT(table.notes, ElementsAre("the header has no name for the first column"));
  }
}

TEST(RawCsv, KnowsYearsAndSingleQuotesAsNamesOfColumns) {
  const RawTable years = read("Country,Code,2001,2002,2003\nAruba,ABW,1,2,3\nChad,TCD,4,5,6\n");
  EXPECT_TRUE(years.has_names);
  EXPECT_EQ(years.rows, 2u);
  EXPECT_EQ(years.columns[2].name, "2001");
  EXPECT_FALSE(read("x,y,2001,2002,2004\nx,z,1,2,3\nx,z,4,5,6\n").has_names);
  const RawTable quoted = read("'age'\t'vote'\n36\t1\n20\t0\n");
  EXPECT_EQ(quoted.columns[1].name, "vote");
  EXPECT_EQ(read("'age'\tvote\n36\t1\n20\t0\n").columns[0].name, "'age'");
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
