// Public tables as they are passed around, and small files with one oddity each. Skipped where the
// data pack is not at hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/table_test_support.hpp"

namespace nw::table {
namespace {

using testing::HasSubstr;

class DataPackTables : public testing::Test {
 protected:
  static std::filesystem::path pack() {
    const char* const given = std::getenv("NW_DATA_PACK");
    const auto root = given != nullptr
                          ? std::filesystem::path(given)
                          : std::filesystem::path(NW_SOURCE_DIR) / ".." / "shared" / "data";
    return root / "tables";
  }
  void SetUp() override {
    if (!std::filesystem::exists(pack())) GTEST_SKIP() << "no tables at " << pack();
  }
  static Inputs raw(const std::string& file, const BySplit& by) {
    TableOptions options;
    options.by = by;
    return read_inputs({.x = pack() / "raw" / file, .y = ""}, {}, options);
  }
  static Inputs odd(const std::string& x, const std::string& y) {
    return read_inputs({.x = pack() / "odd" / x, .y = pack() / "odd" / y}, {}, {});
  }
};

TEST_F(DataPackTables, NineFilesAreReadWithNothingButTheColumnToSplitBy) {
  const std::vector<std::pair<std::string, BySplit>> files = {
      {"titanic.csv", {.column = "sex"}},
      {"penguins.csv", {.column = "island", .from = "Biscoe", .to = "Dream"}},
      {"adult.csv", {.column = "sex"}},
      {"bank-full.csv", {.column = "housing"}},
      {"tips.csv", {.column = "time"}},
      {"mpg.csv", {.column = "origin", .from = "usa", .to = "japan"}},
      {"taxis.csv", {.column = "color"}},
      {"iris.csv", {.column = "species", .from = "versicolor", .to = "virginica"}},
      {"geyser.csv", {.column = "kind"}}};
  for (const auto& [file, by] : files) {
    const Inputs inputs = raw(file, by);
    EXPECT_GT(inputs.x.size(), 30u) << file;
    EXPECT_GT(inputs.y.size(), 30u) << file;
    EXPECT_LE(summary_lines(inputs.description).size(), 3u) << file;
    for (const double value : inputs.x.values.values()) ASSERT_TRUE(std::isfinite(value)) << file;
  }
  const Inputs titanic = raw("titanic.csv", {.column = "sex"});
  EXPECT_EQ(test::column(titanic, "class").reason, "repeats pclass");
  EXPECT_GT(test::column(titanic, "age").missing_y, 0.1);
  EXPECT_EQ(test::column(raw("mpg.csv", files[5].second), "name").reason, "free text");
  EXPECT_EQ(test::column(raw("taxis.csv", files[6].second), "pickup").kind, Kind::datetime);
}

TEST_F(DataPackTables, OddFilesAreReadAsWhatTheyAre) {
  for (const auto& [x, y] :
       std::vector<std::pair<std::string, std::string>>{{"x.csv", "swap_y.csv"},
                                                        {"x.csv", "extra_y.csv"},
                                                        {"x.csv", "othernames_y.csv"},
                                                        {"bom_x.csv", "y.csv"},
                                                        {"nohead_x.csv", "y.csv"},
                                                        {"semi_x.csv", "semi_y.csv"},
                                                        {"deccomma_x.csv", "deccomma_y.csv"},
                                                        {"excelsep_x.csv", "y.csv"},
                                                        {"utf16_x.csv", "utf16_y.csv"},
                                                        {"x.csv.gz", "y.csv"},
                                                        {"x.json", "y.csv"},
                                                        {"x.jsonl", "y.csv"},
                                                        {"x.csv.zip", "y.csv"},
                                                        {"bool_x.csv", "extra_y.csv"},
                                                        {"currency_x.csv", "y.csv"},
                                                        {"pct_x.csv", "y.csv"},
                                                        {"thousand_x.csv", "y.csv"},
                                                        {"date_x.csv", "date_y.csv"},
                                                        {"id_x.csv", "id_y.csv"},
                                                        {"rowid_x.csv", "rowid_y.csv"},
                                                        {"three_x.csv", "three_y.csv"},
                                                        {"one_x.csv", "y.csv"}}) {
    const Inputs inputs = odd(x, y);
    std::vector<std::string> used;
    for (const auto& report : inputs.description.columns) {
      if (report.used) used.push_back(report.name);
    }
    const bool flag = x == "bool_x.csv";
    EXPECT_EQ(used.size(), flag ? 3u : 2u) << x << " " << y << "\n"
                                           << full_text(inputs.description);
    EXPECT_THAT(used, testing::IsSupersetOf({"age", "income"})) << x << " " << y;
  }
  for (const char* x : {"empty_x.csv", "na_x.csv", "nan_x.csv", "question_x.csv"}) {
    const Inputs inputs = odd(x, "y.csv");
    double missing = 0.0;
    for (const auto& report : inputs.description.columns) missing += report.missing_x;
    EXPECT_GT(missing, 0.0) << x;
  }
  EXPECT_EQ(test::column(odd("const_x.csv", "const_y.csv"), "c").reason, "constant");
  EXPECT_TRUE(test::column(odd("latin1_x.csv", "latin1_y.csv"), "\u00e2ge").used);
  EXPECT_EQ(test::column(odd("rowid_x.csv", "rowid_y.csv"), "column 1").reason, "row numbers");
}

TEST_F(DataPackTables, FilesWithoutATableAreRefusedWithFileAndPlace) {
  const auto error = [&](const std::string& x, const std::string& y) {
    return io::test::io_error([&] { static_cast<void>(odd(x, y)); });
  };
  EXPECT_THAT(error("dup_x.csv", "dup_y.csv"), HasSubstr("has two columns called \"v\""));
  EXPECT_THAT(error("ragged_x.csv", "y.csv"), HasSubstr("ragged_x.csv: line "));
  EXPECT_THAT(error("empty.csv", "y.csv"), HasSubstr("empty.csv: is empty"));
  EXPECT_THAT(error("headonly.csv", "y.csv"), HasSubstr("but no rows"));
}

}  // namespace
}  // namespace nw::table
