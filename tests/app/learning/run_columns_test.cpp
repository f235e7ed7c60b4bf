// A run keeps how the columns of its tables were read, for further rows and for what it generates.
#include "nw/app/learning/run_columns.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_test_support.hpp"

namespace nw::app {
namespace {

using ::testing::HasSubstr;

class RunColumns : public ::testing::Test {
 protected:
  std::string file(const char* name, const std::string& text) {
    const auto path = folder_.path() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::string run(const char* name) {
    const auto path = folder_.path() / name;
    std::filesystem::create_directory(path);
    return path.string();
  }
  table::Inputs read(const std::string& path) {
    return table::read_inputs({path, ""}, {}, {.scale = table::Scale::std});
  }
  /// Runs the observer as training would.
  void keep(const std::string& folder, const table::Inputs& inputs) {
    const ProgressObserver none;
    const auto observer = keeping_columns(folder, inputs, none);
    EXPECT_TRUE(observer(nw::Progress{}));
  }
  io::test::TemporaryFolder folder_;
};

constexpr const char* kTable = "size,colour\n1,red\n2,blue\n3,red\n4,blue\n5,red\n6,blue\n";

TEST_F(RunColumns, AreThereAfterTheFirstReportAndReadFurtherRowsInTheSameWay) {
  const auto inputs = read(file("a.csv", kTable));
  const std::string folder = run("run");
  EXPECT_FALSE(columns_of_run(folder));
  keep(folder, inputs);
  const auto columns = columns_of_run(folder);
  ASSERT_TRUE(columns);
  // The same rows with the columns in another order.
  const auto again =
      load_like(columns, file("b.csv", "colour,size\nred,1\nblue,2\n"), io::LoadOptions{});
  ASSERT_EQ(again.values.cols(), inputs.x.values.cols());
  for (std::size_t j = 0; j < again.values.cols(); ++j) {
    EXPECT_NEAR(again.values(1, j), inputs.x.values(1, j), 1e-12);
  }
}

TEST_F(RunColumns, GoAwayWhereTheRunLearnsFromArraysNow) {
  const std::string folder = run("run");
  keep(folder, read(file("a.csv", kTable)));
  keep(folder, table::Inputs{});
  EXPECT_FALSE(columns_of_run(folder));
}

TEST_F(RunColumns, OfSeveralRunsMustBeTheSame) {
  const std::string first = run("first"), second = run("second"), third = run("third");
  keep(first, read(file("a.csv", kTable)));
  keep(second, read(file("a.csv", kTable)));
  keep(third, read(file("c.csv", "size,weight\n1,2\n2,5\n3,1\n4,0\n")));
  EXPECT_TRUE(columns_of_runs({first, second}));
  try {
    static_cast<void>(columns_of_runs({first, second, third}));
    FAIL();
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("third: learnt from other columns"));
  }
}

TEST_F(RunColumns, BringRowsBackToTheUnitsOfTheData) {
  const auto inputs = read(file("a.csv", kTable));
  const std::string out = (folder_.path() / "out.csv").string();
  write_rows(out, inputs.x.values, *inputs.encoding, {0, 1, 0, 1, 0, 1});
  std::ifstream stream(out);
  std::string heading, row;
  std::getline(stream, heading);
  std::getline(stream, row);
  EXPECT_EQ(heading, "size,colour,component");
  EXPECT_EQ(row, "1,red,1");
  try {
    write_rows((folder_.path() / "out.npy").string(), inputs.x.values, *inputs.encoding);
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_THAT(error.what(), HasSubstr("\"colour\" holds text"));
  }
}

}  // namespace
}  // namespace nw::app
