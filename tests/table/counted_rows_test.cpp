// Tables of frequencies, and columns by which a table can be parted.
#include "table/counted_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/table/split_choices.hpp"

#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kFrequencies =
    "sex,class,survived,Freq\n"
    "male,first,no,3\nmale,first,yes,2\nmale,crew,no,4\nmale,crew,yes,0\n"
    "female,first,no,1\nfemale,first,yes,5\nfemale,crew,no,2\nfemale,crew,yes,2\n";

TEST(CountedRows, AreAsManyAsTheirCountsSay) {
  io::RawTable table = test::csv(kFrequencies);
  repeat_counted_rows(table, "freq");
  EXPECT_EQ(table.rows, 19u);
  const auto& sex = table.columns[0];
  EXPECT_EQ(std::ranges::count(sex.codes, sex.codes.front()), 9);
  // The whole way: the column of counts is no coordinate, and nobody is advised to use it.
  const Inputs inputs = test::encode(kFrequencies, {.count_column = "Freq"});
  EXPECT_EQ(inputs.x.size(), 19u);
  EXPECT_EQ(test::column(inputs, "Freq").reason, "counts the rows");
  EXPECT_THAT(inputs.description.advice, IsEmpty());
}

TEST(CountedRows, KeepTheirSharesWhereTheyAreTooMany) {
  io::RawTable table = test::csv("who,n\na,3000000000\nb,1000000000\nc,0\n");
  repeat_counted_rows(table, "n");
  EXPECT_EQ(table.rows, 5'000'000u);
  const auto& who = table.columns[0];
  EXPECT_EQ(std::ranges::count(who.codes, who.codes.front()), 3'750'000);
  EXPECT_THAT(table.notes.back(), HasSubstr("5000000 rows stand for 4000000000 counted ones"));
}

TEST(CountedRows, RefuseWhatIsNoCount) {
  const auto error = [](const std::string& cell) {
    io::RawTable table = test::csv("who,n\na,3\nb," + cell + "\n");
    return io::test::io_error([&] { repeat_counted_rows(table, "n"); });
  };
  EXPECT_THAT(error("-1"), HasSubstr("row 2, column \"n\": -1 is not a number of rows"));
  EXPECT_THAT(error("1.5"), HasSubstr("1.5 is not a number of rows"));
  EXPECT_THAT(error("NA"), HasSubstr("a missing value is not a number of rows"));
  io::RawTable none = test::csv("who,n\na,0\nb,0\n");
  EXPECT_THAT(io::test::io_error([&] { repeat_counted_rows(none, "n"); }), HasSubstr("all counts"));
}

TEST(CountedRows, AreOfferedWhereRowsDifferInAllButTheirCount) {
  EXPECT_THAT(test::encode(kFrequencies).description.advice,
              HasSubstr("give `count_column` Freq."));
  // Where one column is left, its levels are all different on either side, and the same.
  EXPECT_THAT(test::encode("kind,n\na,3\nb,5\nc,9\nd,4\ne,6\nf,1\n",
                           "kind,n\na,2\nb,7\nc,1\nd,4\ne,8\nf,5\n")
                  .description.advice,
              HasSubstr("give `count_column` n."));
  EXPECT_THAT(test::encode("kind,n\na,3\nb,5\nc,9\nd,4\ne,6\nf,1\n",
                           "kind,n\ng,2\nh,7\ni,1\nj,4\nk,8\nl,5\n")
                  .description.advice,
              IsEmpty());
  std::string repeated = kFrequencies;
  repeated += "male,first,no,7\n";
  EXPECT_THAT(test::encode(repeated).description.advice, IsEmpty());
  // A count of something else than rows.
  std::string amounts = kFrequencies;
  amounts.replace(amounts.find("Freq"), 4, "cars");
  EXPECT_THAT(test::encode(amounts).description.advice, IsEmpty());
}

TEST(SplitChoices, NameColumnsOfFewValuesAndHowToUseThem) {
  std::string text = "name,island,sex,size,rare\n";
  const char* islands[] = {"Biscoe", "Dream Land", "Torgersen"};
  for (int i = 0; i < 60; ++i) {
    text += "n" + std::to_string(i) + "," + islands[i % 3] + "," + (i % 2 == 0 ? "f" : "m") + "," +
            std::to_string(i * 7 % 41) + ".5," + (i == 5 ? "yes" : "no") + "\n";
  }
  const auto choices = split_choices(test::csv(text));
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_EQ(choices[0].column, "sex");
  EXPECT_EQ(advice_on_splits(choices),
            "split its rows with `by` COLUMN, such as `by` sex or `by` island `from` Biscoe `to` "
            "\"Dream Land\"");
  EXPECT_THAT(advice_on_splits({}), HasSubstr("`by` COLUMN"));
}

}  // namespace
}  // namespace nw::table
