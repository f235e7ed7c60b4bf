// Parquet and Arrow files of other writers, in every encoding and codec they have: nw must read the
// values that were written.
#include <cstdlib>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "io/table_test_support.hpp"

namespace nw::io::test {
namespace {

class PeerTables : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    const std::string command = concat("\"", NW_TABLE_PEERS, "/write.sh\" \"", NW_PEER_CACHE,
                                       "\" \"", folder_->path().string(), "\"");
    const int status = std::system(command.c_str());
    result_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (result_ != 0) return;
    manifest_ =
        new nlohmann::json(nlohmann::json::parse(content_of_file(folder_->file("manifest.json"))));
  }
  static void TearDownTestSuite() {
    delete manifest_;
    delete folder_;
  }
  void SetUp() override {
    if (result_ == 77) GTEST_SKIP() << "npm is missing or could not install the peers";
    ASSERT_EQ(result_, 0) << "the peers could not write their tables";
  }

  static inline TemporaryFolder* folder_ = nullptr;
  static inline nlohmann::json* manifest_ = nullptr;
  static inline int result_ = -1;
};

void expect_equal(const RawColumn& column, const nlohmann::json& expected) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < expected.size() && wrong < 3; ++i) {
    const nlohmann::json& value = expected[i];
    if (column.kind == CellKind::text) {
      const bool missing = column.codes[i] == RawColumn::kMissing;
      const std::string cell = missing ? "<missing>" : column.levels[column.codes[i]];
      const bool same = value.is_null()
                            ? missing
                            : !missing && value.is_string() && cell == value.get<std::string>();
      if (!same) ++wrong, ADD_FAILURE() << "row " << i << ": " << cell << " for " << value;
    } else {
      const double cell = column.numbers[i];
      const double wanted = value.is_boolean()  ? (value.get<bool>() ? 1.0 : 0.0)
                            : value.is_number() ? value.get<double>()
                                                : 0.0;
      const bool same = value.is_null() ? std::isnan(cell) : !value.is_string() && cell == wanted;
      if (!same) ++wrong, ADD_FAILURE() << "row " << i << ": " << cell << " for " << value;
    }
  }
}

TEST_F(PeerTables, EveryFileGivesTheValuesThatWereWritten) {
  int files = 0;
  for (const nlohmann::json& entry : manifest_->at("files")) {
    const std::string name = entry.at("file");
    SCOPED_TRACE(name);
    for (const int threads : {1, 2}) {
      RawTable table;
      EXPECT_NO_THROW(table = load_input(folder_->file(name), {.threads = threads}).table.value());
      if (table.rows == 0) continue;
      expect_consistent(table);
      ASSERT_EQ(table.rows, manifest_->at("rows").get<std::size_t>());
      EXPECT_EQ(table.columns.size(), entry.at("columns").size());
      for (const auto& [column_name, expected] : entry.at("columns").items()) {
        SCOPED_TRACE(column_name);
        expect_equal(column(table, column_name), manifest_->at("expected").at(expected));
      }
    }
    ++files;
  }
  EXPECT_GE(files, 40);
}

TEST_F(PeerTables, ColumnsHaveTheKindsOfTheirTypes) {
  for (const char* const name : {"wasm_SNAPPY_V1_dictionary.parquet", "arrow_file_1000.arrow"}) {
    SCOPED_TRACE(name);
    const RawTable table = load_input(folder_->file(name)).table.value();
    EXPECT_EQ(column(table, "flag").kind, CellKind::boolean);
    EXPECT_EQ(column(table, "int8").kind, CellKind::integer);
    EXPECT_EQ(column(table, "uint64").kind, CellKind::integer);
    EXPECT_EQ(column(table, "double").kind, CellKind::number);
    EXPECT_EQ(column(table, "decimal").kind, CellKind::number);
    EXPECT_EQ(column(table, "date").kind, CellKind::timestamp);
    EXPECT_EQ(column(table, "at_us").kind, CellKind::timestamp);
    EXPECT_EQ(column(table, "category").kind, CellKind::text);
    EXPECT_TRUE(column(table, "id64").inexact);
    EXPECT_FALSE(column(table, "int64").inexact);
    EXPECT_EQ(column(table, "all_missing").missing, table.rows);
  }
}

}  // namespace
}  // namespace nw::io::test
