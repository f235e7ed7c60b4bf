// Real data sets in their public formats. Skipped where the data pack is not at hand.
#include <array>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/io/load_input.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::Ge;
using testing::Le;

std::filesystem::path data_pack() {
  const char* const given = std::getenv("NW_DATA_PACK");
  return given != nullptr ? std::filesystem::path(given)
                          : std::filesystem::path(NW_SOURCE_DIR) / ".." / "shared" / "data";
}

class DataPack : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(data_pack() / "mnist")) {
      GTEST_SKIP() << "no data pack at " << data_pack() << "; set NW_DATA_PACK";
    }
  }
};

std::vector<std::size_t> class_counts(const Labels& labels, std::size_t classes) {
  std::vector<std::size_t> counts(classes, 0);
  for (const std::int32_t label : labels.values) ++counts.at(static_cast<std::size_t>(label));
  return counts;
}

TEST_F(DataPack, MnistTestSetHasItsPublishedCounts) {
  const PointSet points =
      load_points(data_pack() / "mnist/t10k-images-idx3-ubyte.gz",
                  {.labels_file = data_pack() / "mnist/t10k-labels-idx1-ubyte.gz"});
  EXPECT_EQ(points.size(), 10000u);
  EXPECT_EQ(points.image, (ImageShape{28, 28, 1}));
  EXPECT_THAT(class_counts(*points.labels, 10),
              ElementsAre(980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009));
  const auto values = points.values.values();
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  EXPECT_NEAR(mean, 0.1325, 5e-5);  // the value the literature normalises by
  EXPECT_THAT(values.first(100000), Each(testing::AllOf(Ge(0.0), Le(1.0))));
}

TEST_F(DataPack, MnistTrainingLabelsHaveTheirPublishedCounts) {
  const Labels labels = load_labels(data_pack() / "mnist/train-labels-idx1-ubyte.gz");
  EXPECT_THAT(class_counts(labels, 10),
              ElementsAre(5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949));
  EXPECT_THAT(std::vector(labels.values.begin(), labels.values.begin() + 5),
              ElementsAre(5, 0, 4, 1, 9));
}

TEST_F(DataPack, CifarSheetGivesColourTilesWithLabels) {
  const PointSet points =
      load_points(data_pack() / "cifar10_subset/cifar10_test_00.jpg",
                  {.labels_file = data_pack() / "cifar10_subset/cifar10-test-labels-idx1-ubyte",
                   .tiles = {.width = 32, .height = 32, .columns = 50, .count = 2000}});
  EXPECT_EQ(points.size(), 2000u);
  EXPECT_EQ(points.image, (ImageShape{32, 32, 3}));
  EXPECT_THAT(class_counts(*points.labels, 10), Each(200));
  // Mean red of CIFAR-10 is 0.49, blue 0.45; a swap of channels or tiles would show.
  double red = 0.0, blue = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t k = 0; k < points.dimension(); k += 3) {
      red += points.values(i, k);
      blue += points.values(i, k + 2);
    }
  }
  EXPECT_NEAR(red / (2000.0 * 1024.0), 0.491, 0.02);
  EXPECT_NEAR(blue / (2000.0 * 1024.0), 0.447, 0.02);
}

TEST_F(DataPack, PacsSheetTakesTheRealTilesOnly) {
  const PointSet points = load_points(data_pack() / "pacs_subset/pacs_photo_dog.jpg",
                                      {.tiles = {.width = 96, .height = 96, .count = 189}});
  EXPECT_EQ(points.size(), 189u);
  EXPECT_EQ(points.image, (ImageShape{96, 96, 3}));
}

TEST_F(DataPack, PhotographsOfTwoSizesAreRefused) {
  const std::string message =
      test::io_error([&] { static_cast<void>(load_points(data_pack() / "bsds500_train")); });
  EXPECT_THAT(message, testing::HasSubstr("bring all images to one size"));
}

TEST_F(DataPack, OneTableInSeveralFormatsIsTheSameTable) {
  const auto folder = data_pack() / "tables" / "odd";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no tables in the data pack";
  const RawTable expected = load_input(folder / "x.csv").table.value();
  for (const char* const name : {"x.csv.gz", "x.csv.zip", "x.json", "x.jsonl"}) {
    SCOPED_TRACE(name);
    const RawTable table = load_input(folder / name).table.value();
    ASSERT_EQ(table.columns.size(), expected.columns.size());
    for (std::size_t j = 0; j < expected.columns.size(); ++j) {
      EXPECT_EQ(table.columns[j].name, expected.columns[j].name);
      EXPECT_EQ(table.columns[j].numbers, expected.columns[j].numbers);
    }
  }
  EXPECT_THAT(test::io_error([&] { static_cast<void>(load_input(folder / "x.xlsx")); }),
              testing::HasSubstr("x.xlsx: is a workbook without a sheet"));
}

}  // namespace
}  // namespace nw::io
