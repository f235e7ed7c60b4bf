// One table as two data sets, and several files as one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kTable =
    "island,year,day,mass\n"
    "Biscoe,2007,2024-01-05,1\nDream,2007,2024-01-20,2\nBiscoe,2008,2024-02-11,3\n"
    "Torgersen,2009,2024-03-02,4\nDream,2009,2024-05-01,5\n,2008,2024-05-09,6\n";

class ByColumn : public testing::Test {
 protected:
  Inputs split(const BySplit& by, const TableOptions& more = {}) {
    TableOptions options = more;
    options.by = by;
    options.columns = {"mass"};
    options.scale = Scale::none;
    return read_inputs({.x = folder_.write("t.csv", text_), .y = ""}, {}, options);
  }
  std::vector<double> masses(const io::PointSet& set) {
    return {set.values.values().begin(), set.values.values().end()};
  }
  std::string error(const BySplit& by) {
    const std::string message = io::test::io_error([&] { static_cast<void>(split(by)); });
    const std::string path = folder_.file("t.csv");
    return message.starts_with(path) ? message.substr(path.size()) : message;
  }

  io::test::TemporaryFolder folder_;
  std::string text_ = kTable;
};

TEST_F(ByColumn, TakesTwoOfSeveralValues) {
  const Inputs inputs = split({.column = "island", .from = "biscoe", .to = "Dream"});
  EXPECT_THAT(masses(inputs.x), ElementsAre(1, 3));
  EXPECT_THAT(masses(inputs.y), ElementsAre(2, 5));
  EXPECT_EQ(inputs.description.x, "island = biscoe");
  EXPECT_THAT(inputs.description.notes,
              testing::Contains("2 rows with another value of island left out"));
}

TEST_F(ByColumn, NeedsNoValuesWhenThereAreTwo) {
  text_ = "sex,mass\nmale,1\nfemale,2\nmale,3\nfemale,4.5\n";
  const Inputs inputs = split({.column = "Sex"});
  EXPECT_THAT(masses(inputs.x), ElementsAre(2, 4.5));
  EXPECT_THAT(masses(inputs.y), ElementsAre(1, 3));
}

TEST_F(ByColumn, TakesListsRangesDatesAndTheRest) {
  EXPECT_THAT(masses(split({.column = "island", .from = "Biscoe,Torgersen", .to = "Dream"}).x),
              ElementsAre(1, 3, 4));
  EXPECT_THAT(masses(split({.column = "island", .from = "Dream"}).y), ElementsAre(1, 3, 4));
  const Inputs years = split({.column = "year", .from = "2007", .to = "2008..2009"});
  EXPECT_THAT(masses(years.x), ElementsAre(1, 2));
  EXPECT_THAT(masses(years.y), ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(masses(split({.column = "year", .from = "<=2007", .to = ">2007"}).y),
              ElementsAre(3, 4, 5, 6));
  const Inputs months = split({.column = "day", .from = "2024-01", .to = "2024-02-11..2024-05-01"});
  EXPECT_THAT(masses(months.x), ElementsAre(1, 2));
  EXPECT_THAT(masses(months.y), ElementsAre(3, 4, 5));
}

TEST_F(ByColumn, ErrorsListTheValuesAndWhatWasProbablyMeant) {
  EXPECT_EQ(error({.column = "island"}),
            ": island has 3 values where `by` needs two; choose with `from` and `to` among Biscoe "
            "(2), Dream (2), Torgersen (1)");
  EXPECT_EQ(error({.column = "island", .from = "Bisco", .to = "Dream"}),
            ": no row has island = \"Bisco\" (did you mean 'Biscoe'?); its values are Biscoe (2), "
            "Dream (2), Torgersen (1)");
  EXPECT_THAT(error({.column = "year", .from = "2007..2008", .to = "2008"}),
              HasSubstr("belongs to both year = 2007..2008 and year = 2008"));
  EXPECT_THAT(error({.column = "isle"}), HasSubstr("has no column \"isle\""));
}

TEST(SeveralFiles, OfOneSideAreJoinedByName) {
  const io::test::TemporaryFolder folder;
  folder.write("a1.csv", "v,w\n1,x\n2,y\n");
  folder.write("a2.csv", "w,v\nz,3\nx,4\n");
  const Inputs inputs = read_inputs({.x = folder.file("a*.csv"), .y = ""}, {},
                                    {.columns = {"v"}, .scale = Scale::none});
  EXPECT_THAT(std::vector<double>(inputs.x.values.values().begin(), inputs.x.values.values().end()),
              ElementsAre(1, 2, 3, 4));
  folder.write("a3.csv", "v,u\n1,x\n");
  EXPECT_THAT(io::test::io_error([&] {
                static_cast<void>(read_inputs({.x = folder.file("a*.csv"), .y = ""}, {}, {}));
              }),
              HasSubstr("a3.csv: has no column \"w\""));
  EXPECT_THAT(io::test::io_error([&] {
                static_cast<void>(read_inputs({.x = folder.file("b*.csv"), .y = ""}, {}, {}));
              }),
              HasSubstr("no file has such a name"));
}

TEST(DominantColumn, IsNamedWhenADistanceInRawUnitsIsAboutIt) {
  const auto one = [](const std::string& text) {
    return test::encode(text, {.scale = Scale::none, .numbers_only = true});
  };
  std::string text = "euros,age\n";
  for (int i = 0; i < 50; ++i)
    text += std::to_string(30000 + i * 7919 % 9000) + "," + std::to_string(20 + i % 37) + "\n";
  const auto found = dominant_column(one(text).x, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "euros");
  EXPECT_GT(found->share, 0.99);
}

}  // namespace
}  // namespace nw::table
