// NPY, NPZ and CSV against NumPy, in both directions.
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/rng.hpp"
#include "nw/io/pixels.hpp"
#include "nw/io/write.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using test::content_of_file;
using testing::ElementsAre;
using testing::HasSubstr;

int run_peer(const std::string& task, const std::filesystem::path& folder) {
  const std::string command =
      std::string(NW_TEST_PYTHON) + " " + NW_NUMPY_PEER + " " + task + " " + folder.string();
  return std::system(command.c_str());
}

std::vector<double> doubles_in(const std::filesystem::path& file) {
  const std::string bytes = content_of_file(file);
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  return values;
}

/// Files written by NumPy once for all tests.
class NumpyFiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::TemporaryFolder;
    written_ = run_peer("write", folder_->path()) == 0;
  }
  static void TearDownTestSuite() { delete folder_; }
  void SetUp() override {
    if (!written_) GTEST_SKIP() << "no Python with NumPy at " << NW_TEST_PYTHON;
  }
  static std::filesystem::path file(const std::string& name) { return folder_->file(name); }
  static std::string error_of(const std::string& name, const LoadOptions& options = {}) {
    return test::io_error([&] { static_cast<void>(load_points(file(name), options)); });
  }

  static inline test::TemporaryFolder* folder_ = nullptr;
  static inline bool written_ = false;
};

TEST_F(NumpyFiles, EveryTypeShapeOrderAndByteOrderIsReadAsNumpyWouldConvertIt) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_->path())) {
    std::filesystem::path expected = entry.path();
    if (expected.extension() != ".npy") continue;
    expected.replace_extension(".expected");
    if (!std::filesystem::exists(expected)) continue;
    SCOPED_TRACE(entry.path().filename().string());
    const PointSet points = load_points(entry.path(), {.pixel_scale = PixelScale::byte});
    const std::vector<double> values = doubles_in(expected);
    ASSERT_EQ(points.values.values().size(), values.size());
    EXPECT_TRUE(std::ranges::equal(points.values.values(), values));
    ++files;
  }
  EXPECT_EQ(files, 12 * 4 * 4);
}

TEST_F(NumpyFiles, ArraysOfImagesKnowTheirShape) {
  EXPECT_EQ(load_points(file("u1_grey_C_le.npy")).image, (ImageShape{3, 2, 1}));
  EXPECT_EQ(load_points(file("f4_colour_F_be.npy")).image, (ImageShape{2, 4, 3}));
  EXPECT_EQ(load_points(file("f8_table_C_le.npy")).image, std::nullopt);
}

TEST_F(NumpyFiles, ImagesOfBytesAreThoseOfIdxWhateverTypeHoldsThem) {
  const auto idx = load_points(file("images-idx3-ubyte"));
  EXPECT_EQ(std::ranges::max(idx.values.values()), 1.0);
  for (const char* name : {"images_u1.npy", "images_i8.npy", "images_f4.npy", "images.npz"}) {
    SCOPED_TRACE(name);
    const PointSet points = load_points(file(name));
    EXPECT_EQ(points.image, idx.image);
    EXPECT_TRUE(std::ranges::equal(points.values.values(), idx.values.values()));
  }
  const PointSet bytes = load_points(file("images_u1.npy"), {.pixel_scale = PixelScale::byte});
  EXPECT_EQ(std::ranges::max(bytes.values.values()), 255.0);
}

TEST_F(NumpyFiles, ImagesOfZerosAndOnesAndNumbersThatAreNoBytesStayAsTheyAre) {
  EXPECT_EQ(std::ranges::max(load_points(file("images_mask.npy")).values.values()), 1.0);
  const PointSet half = load_points(file("images_half.npy"));
  EXPECT_EQ(std::ranges::max(half.values.values()), 127.5);
  const std::string error = test::io_error([&] { require_unit_pixels(half); });
  EXPECT_THAT(error,
              testing::HasSubstr("images_half.npy (NPY): its pixels lie between 0 and 127.5"));
  EXPECT_THAT(error, testing::HasSubstr("whole numbers from 0 to 255"));
}

TEST_F(NumpyFiles, AllThreeFormatVersionsAreRead) {
  for (const char* name : {"version1.npy", "version2.npy", "version3.npy"}) {
    EXPECT_TRUE(std::ranges::equal(load_points(file(name)).values.values(),
                                   doubles_in(file("archive.expected"))))
        << name;
  }
}

TEST_F(NumpyFiles, ArchivesGivePointsLabelsAndWeights) {
  for (const char* name : {"stored.npz", "packed.npz"}) {
    const PointSet points = load_points(file(name), {.label_column = "y", .weight_column = "w"});
    EXPECT_TRUE(std::ranges::equal(points.values.values(), doubles_in(file("archive.expected"))));
    ASSERT_TRUE(points.labels);
    EXPECT_EQ(points.labels->size(), 40u);
    EXPECT_EQ(points.weights.size(), 40u);
  }
  EXPECT_TRUE(std::ranges::equal(load_points(file("single.npz")).values.values(),
                                 doubles_in(file("archive.expected"))));
}

TEST_F(NumpyFiles, AnArchiveOfUnnamedArraysAsksForAChoice) {
  EXPECT_THAT(error_of("unnamed.npz"), HasSubstr("choose one of \"arr_0\", \"arr_1\""));
  EXPECT_EQ(load_points(file("unnamed.npz"), {.array = "arr_0"}).dimension(), 3u);
  EXPECT_THAT(error_of("unnamed.npz", {.array = "z"}), HasSubstr("has no array \"z\""));
  EXPECT_THAT(error_of("stored.npz", {.label_column = "X", .array = "y"}),
              HasSubstr("holds an array of 2 dimensions; labels need one"));
}

TEST_F(NumpyFiles, ColumnsOfATableCanBeChosenByNumber) {
  const auto all = doubles_in(file("archive.expected"));
  const PointSet points = load_points(file("version1.npy"), {.columns = {"3", "1"}});
  ASSERT_EQ(points.dimension(), 2u);
  EXPECT_EQ(points.values(4, 0), all[4 * 3 + 2]);
  EXPECT_EQ(points.values(4, 1), all[4 * 3 + 0]);
}

TEST_F(NumpyFiles, TextOfSavetxtIsRead) {
  const auto expected = doubles_in(file("archive.expected"));
  const PointSet blanks = load_points(file("savetxt.csv"));
  ASSERT_EQ(blanks.values.values().size(), expected.size());
  EXPECT_TRUE(std::ranges::equal(blanks.values.values(), expected));
  const PointSet commas = load_points(file("comma.csv"));
  EXPECT_THAT(commas.column_names, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(std::ranges::equal(commas.values.values(), expected));
}

TEST_F(NumpyFiles, LabelsMayBeText) {
  const Labels labels = load_labels(file("text_labels.npy"));
  EXPECT_THAT(labels.names, ElementsAre("Käse", "cat", "dog"));
  EXPECT_THAT(labels.values, ElementsAre(2, 1, 0, 2));
  EXPECT_THAT(load_labels(file("byte_labels.npy")).names, ElementsAre("cat", "dog", "emu"));
  EXPECT_THAT(load_labels(file("big_text_labels.npy")).names, ElementsAre("cat", "dog"));
}

TEST_F(NumpyFiles, ArraysThatAreNoPointsAreRefusedByName) {
  EXPECT_THAT(error_of("complex.npy"), HasSubstr("values of type \"<c16\""));
  EXPECT_THAT(error_of("objects.npy"), HasSubstr("values of type \"|O\""));
  EXPECT_THAT(error_of("text_table.npy"), HasSubstr("values of type \"<U1\""));
  EXPECT_THAT(error_of("records.npy"), HasSubstr("structured"));
  EXPECT_THAT(error_of("scalar.npy"), HasSubstr("single number"));
  EXPECT_THAT(error_of("none.npy"), HasSubstr("holds no values: its shape is 0 x 3"));
}

TEST_F(NumpyFiles, NumpyReadsWhatWeWriteBitForBit) {
  const test::TemporaryFolder out;
  constexpr std::size_t kRows = 300, kCols = 4;
  Rng rng(7);
  Matrix matrix(kRows, kCols);
  for (double& value : matrix.values()) {
    value = rng.normal() * std::pow(10.0, static_cast<double>(rng.below(600)) - 300.0);
  }
  std::vector<std::int32_t> small(kRows);
  std::vector<std::int64_t> large(kRows);
  std::vector<double> weights(kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    small[i] = static_cast<std::int32_t>(i) - 3;
    large[i] = static_cast<std::int64_t>(i) << 40;
    weights[i] = static_cast<double>(i) / 7.0;
  }
  const auto raw = std::as_bytes(matrix.values());
  out.write("truth.f8", {reinterpret_cast<const char*>(raw.data()), raw.size()});
  const std::vector<NamedArray> arrays = {{"X", matrix.view()},
                                          {"i", std::span<const std::int32_t>(small)},
                                          {"l", std::span<const std::int64_t>(large)},
                                          {"w", std::span<const double>(weights)}};
  write_npy(out.file("m.npy"), matrix.view());
  write_npz(out.file("m.npz"), arrays);
  write_npz(out.file("s.npz"), arrays, /*compressed=*/false);
  write_csv(out.file("m.csv"), matrix, {.column_names = {"a", "b", "c", "d"}});
  EXPECT_EQ(run_peer("check", out.path()), 0);
}

}  // namespace
}  // namespace nw::io
