// What columns are found to be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/table_test_support.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using test::column;
using test::encode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A table of one column and `rows` rows by a pattern of cells.
std::string one_column(const std::string& name, const std::vector<std::string>& cells,
                       std::size_t rows = 30) {
  std::string text = name + ",other\n";
  for (std::size_t i = 0; i < rows; ++i) {
    text += "\"" + cells[i % cells.size()] + "\"," + std::to_string(i * 7 % 11) + ".5\n";
  }
  return text;
}

Kind kind_of(const std::vector<std::string>& cells) {
  return column(encode(one_column("c", cells)), "c").kind;
}

TEST(InferColumn, KnowsTheKindsThatTablesHold) {
  EXPECT_EQ(kind_of({"1.5", "2", "7.25"}), Kind::numeric);
  EXPECT_EQ(kind_of({"1", "2", "7"}), Kind::integer);
  EXPECT_EQ(kind_of({"True", "False"}), Kind::boolean);
  EXPECT_EQ(kind_of({"yes", "no"}), Kind::boolean);
  EXPECT_EQ(kind_of({"0", "1"}), Kind::boolean);
  EXPECT_EQ(kind_of({"3", "8"}), Kind::categorical);
  EXPECT_EQ(kind_of({"red", "blue", "green"}), Kind::categorical);
  EXPECT_EQ(kind_of({"2024-01-05", "2024-03-01 12:30", "2023-12-31T23:59:59Z"}), Kind::datetime);
  EXPECT_EQ(kind_of({"31.01.2024", "1.2.2024", "15.3.24"}), Kind::datetime);
  EXPECT_EQ(kind_of({"7"}), Kind::constant);
  EXPECT_EQ(kind_of({"same"}), Kind::constant);
}

TEST(InferColumn, ReadsDatesWithMonthsInWordsAndQuarters) {
  EXPECT_EQ(kind_of({"Jan 1 2000", "Feb 28 2000", "Dec 31 1999"}), Kind::datetime);
  EXPECT_EQ(kind_of({"12-Jan-98", "1-Sept-2001", "3 March 2004"}), Kind::datetime);
  EXPECT_EQ(kind_of({"January 5, 2010", "May 6, 2011", "June 7, 2012"}), Kind::datetime);
  EXPECT_EQ(kind_of({"1974Q1", "1974-Q2", "Q3 1975"}), Kind::datetime);
  EXPECT_EQ(kind_of({"2000-01", "2001-12", "2002-07"}), Kind::datetime);
  EXPECT_EQ(kind_of({"Jan", "Feb", "Mar"}), Kind::categorical);
  EXPECT_EQ(kind_of({"May 5", "May 6", "May 7"}), Kind::categorical);
  EXPECT_EQ(kind_of({"2000-13", "2001-12", "2002-07"}), Kind::categorical);
  const auto read = [](const char* cell) { return read_dates({cell}).seconds; };
  EXPECT_EQ(read("Mar 1 2000"), read("2000-03-01"));
  EXPECT_EQ(read("1-Mar-00"), read("2000-03-01"));
  EXPECT_EQ(read("1974Q3"), read("1974-07-01"));
  EXPECT_THAT(read("Feb 30 2001"), IsEmpty());
  EXPECT_THAT(read("12 monkeys 1995"), IsEmpty());
}

TEST(InferColumn, ReadsDaysWrittenAsWholeNumbers) {
  std::vector<std::string> days, sizes;
  for (int i = 0; i < 28; ++i) {
    days.push_back(std::to_string(19580301 + i));
    sizes.push_back(std::to_string(19580301 + 7 * i));  // the 35th of March among them
  }
  const Inputs inputs = encode(one_column("c", days, 50));
  EXPECT_EQ(column(inputs, "c").kind, Kind::datetime);
  EXPECT_THAT(column(inputs, "c").notes, testing::Contains("read as year, month and day"));
  EXPECT_EQ(kind_of(sizes), Kind::integer);
  // Later rows are read alike.
  const Matrix again = inputs.encoding->encode(test::csv(one_column("c", days, 50)));
  ASSERT_EQ(again.rows(), inputs.x.values.rows());
  for (std::size_t i = 0; i < again.rows(); ++i) EXPECT_EQ(again(i, 0), inputs.x.values(i, 0));
}

TEST(InferColumn, LeavesOutNumbersOfRowsWhoseNamesSaySo) {
  const auto reason = [](const std::string& name) {
    std::string text = name + ",value\n";
    for (int i = 0; i < 30; ++i) {
      text += std::to_string(i * i + 3) + "," + std::to_string(i * 7 % 11) + ".5\n";
    }
    return encode(text).description.columns.at(0).reason;
  };
  EXPECT_EQ(reason(""), "identifier, all different");
  EXPECT_EQ(reason("Unnamed: 0"), "identifier, all different");
  EXPECT_EQ(reason("size"), "");
}

TEST(InferColumn, ReadsNumbersAsPeopleWriteThem) {
  for (const auto& [cells, note] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"$40.16", "$16.95", "$1,300.5"}, "read as amounts of money"},
           {{"40.2%", "16.9 %", "3%"}, "read as percentages"},
           {{"1,000", "1,001", "12,345,678"}, "marks between thousands"},
           {{"12,5", "1.000,25", "3,125"}, "decimal comma"}}) {
    const Inputs inputs = encode(one_column("c", cells));
    EXPECT_THAT(column(inputs, "c").kind, testing::AnyOf(Kind::numeric, Kind::integer)) << note;
    EXPECT_THAT(column(inputs, "c").notes, testing::Contains(note));
  }
  NumberStyle seen;
  EXPECT_EQ(written_number("(1,234.5)", '.', seen), -1234.5);
  EXPECT_EQ(written_number("EUR 12", '.', seen), 12.0);
  EXPECT_EQ(written_number("1.234,5 \u20ac", ',', seen), 1234.5);
  EXPECT_EQ(written_number("1 234", '.', seen), 1234.0);
  EXPECT_FALSE(written_number("12,34", '.', seen));
  EXPECT_FALSE(written_number("abc", '.', seen));
  EXPECT_FALSE(written_number("", '.', seen));
  EXPECT_FALSE(written_number("-", '.', seen));
}

TEST(InferColumn, DatesAreTheSecondsThatTheCalendarSays) {
  EXPECT_THAT(read_dates({"1970-01-01", "2000-02-29", "1969-12-31"}).seconds,
              ElementsAre(0.0, 951782400.0, -86400.0));
  EXPECT_THAT(read_dates({"2024-01-01T01:00:00+01:00"}).seconds, ElementsAre(1704067200.0));
  EXPECT_THAT(read_dates({"2023-02-29"}).seconds, IsEmpty());
  EXPECT_THAT(read_dates({"12/31/2023", "01/02/2024"}).seconds,
              ElementsAre(1703980800.0, 1704153600.0));
  EXPECT_EQ(read_dates({"01/02/2024"}).note, "read as month/day/year");
  EXPECT_EQ(date_text(951782400.0), "2000-02-29");
  EXPECT_EQ(date_text(951782400.0 + 3 * 3600 + 240), "2000-02-29 03:04");
  EXPECT_EQ(time_span("2023")->end - time_span("2023")->begin, 365 * 86400.0);
  EXPECT_EQ(time_span("2024-02")->end - time_span("2024-02")->begin, 29 * 86400.0);
}

TEST(InferColumn, LeavesOutWhatNamesRowsRatherThanDescribesThem) {
  std::string text = "id,row,name,comment,uuid,value\n";
  for (int i = 0; i < 60; ++i) {
    text += std::to_string(i * 7919 % 1000 + 5000) + "," + std::to_string(i) + ",person " +
            std::to_string(i) + ",said " + std::to_string(i % 40) + ",1234567890123456" +
            std::to_string(7000 + i * 13 % 60) + "," + std::to_string(i * 31 % 17) + ".25\n";
  }
  const Inputs inputs = encode(text);
  EXPECT_EQ(column(inputs, "id").reason, "identifier, all different");
  EXPECT_EQ(column(inputs, "row").reason, "row numbers");
  EXPECT_EQ(column(inputs, "name").reason, "all different");
  EXPECT_EQ(column(inputs, "comment").reason, "free text");
  EXPECT_EQ(column(inputs, "uuid").reason, "identifier of more than 15 digits");
  EXPECT_TRUE(column(inputs, "value").used);
  EXPECT_EQ(inputs.x.dimension(), 1u);
}

TEST(InferColumn, TheSameNamesOnBothSidesAreStillNames) {
  std::string text = "customer,value\n";
  for (int i = 0; i < 60; ++i) {
    text += "c" + std::to_string(i) + "," + std::to_string(i * 31 % 17) + ".25\n";
  }
  EXPECT_EQ(column(encode(text, text), "customer").reason, "all different");
}

TEST(InferColumn, AUserMayChooseWhatWouldBeLeftOut) {
  std::string text = "id,value\n";
  for (int i = 0; i < 60; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  EXPECT_TRUE(column(encode(text, {.columns = {"id"}}), "id").used);
  EXPECT_TRUE(column(encode(text, {.types = {{"ID", Kind::numeric}}}), "id").used);
  const Inputs levels = encode(text, {.types = {{"value", Kind::categorical}}});
  EXPECT_EQ(column(levels, "value").levels, 7u);
}

TEST(InferColumn, AWordAmongNumbersCountsAsMissingAndIsNamed) {
  std::string text = "age,b\n";
  for (int i = 0; i < 40; ++i)
    text += (i == 7 ? "unknown" : std::to_string(i % 23 + 20)) + "," + std::to_string(i % 5) + "\n";
  const Inputs inputs = encode(text);
  EXPECT_EQ(column(inputs, "age").kind, Kind::integer);
  EXPECT_THAT(column(inputs, "age").notes, ElementsAre("\"unknown\" (1 cell) counted as missing"));
  EXPECT_NEAR(column(inputs, "age").missing_x, 1.0 / 40.0, 1e-12);
}

TEST(InferColumn, AWantedKindThatCannotBeIsAnErrorWithTheValue) {
  const std::string text = one_column("c", {"red", "blue", "green"});
  EXPECT_THAT(io::test::io_error([&] {
                static_cast<void>(encode(text, {.types = {{"c", Kind::numeric}}}));
              }),
              HasSubstr("column \"c\" cannot be numeric: \"red\" is not a number"));
}

TEST(InferColumn, TimesThatDoNotOverlapAreLeftOut) {
  std::string x = "day,v\n", y = "day,v\n";
  for (int i = 1; i <= 20; ++i) {
    const std::string day =
        (i < 10 ? "0" : "") + std::to_string(i * 7 % 20 + 1 > 9 ? 10 + i % 9 : i);
    x += "2024-01-" + std::to_string(10 + i * 7 % 19) + "," + std::to_string(i % 4) + "\n";
    y += "2024-06-" + std::to_string(10 + i * 5 % 19) + "," + std::to_string(i % 3) + "\n";
  }
  EXPECT_EQ(column(encode(x, y), "day").reason, "X and Y cover different times");
}

TEST(Repeats, OfTwoColumnsThatSayTheSameOneIsLeftOut) {
  std::string text = "class,pclass,cm,inch,free\n";
  const char* names[] = {"First", "Second", "Third"};
  for (int i = 0; i < 40; ++i) {
    const int c = i * 7 % 3;
    text += std::string(names[c]) + "," + std::to_string(c + 1) + "," +
            std::to_string((i * 13 % 29) * 2.54) + "," + std::to_string(i * 13 % 29) + "," +
            std::to_string(i * 17 % 23) + "\n";
  }
  const Inputs inputs = encode(text);
  EXPECT_EQ(column(inputs, "class").reason, "repeats pclass");
  EXPECT_EQ(column(inputs, "inch").reason, "repeats cm");
  EXPECT_TRUE(column(inputs, "free").used);
}

}  // namespace
}  // namespace nw::table
