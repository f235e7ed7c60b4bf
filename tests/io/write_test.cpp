#include "nw/io/write.hpp"

#include <csignal>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nw/base/rng.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/io/base64.hpp"

#include "io/io_test_support.hpp"
#include "io/json_file.hpp"

namespace nw::io {
namespace {

using test::content_of_file;
using test::TemporaryFolder;
using testing::HasSubstr;

std::size_t files_in(const TemporaryFolder& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.path()), {}));
}

/// Any finite double, all exponents alike.
double any_double(Rng& rng) {
  for (;;) {
    const auto value = std::bit_cast<double>(rng.bits());
    if (std::isfinite(value)) return value;
  }
}

Matrix random_matrix(Rng& rng) {
  Matrix matrix(1 + rng.below(40), 1 + rng.below(12));
  for (double& value : matrix.values()) value = rng.below(4) == 0 ? rng.normal() : any_double(rng);
  return matrix;
}

bool same_bits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::ranges::equal(a.values(), b.values(), [](double x, double y) {
           return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
         });
}

TEST(Png, ImagesComeBackByteForByte) {
  Rng rng(5);
  for (const ImageShape shape : {ImageShape{1, 1, 1}, ImageShape{7, 5, 3}, ImageShape{40, 90, 1}}) {
    std::vector<std::uint8_t> pixels(shape.height * shape.width * shape.channels);
    for (auto& pixel : pixels) pixel = static_cast<std::uint8_t>(rng.below(256));
    const std::string file = png_bytes(pixels, shape);
    const auto read = parse_points(
        std::as_bytes(std::span(file)), "a.png",
        {.pixel_scale = PixelScale::byte, .tiles = {.width = shape.width, .height = shape.height}});
    EXPECT_EQ(read.image, shape);
    EXPECT_TRUE(std::ranges::equal(read.values.values(), pixels));
  }
  EXPECT_THROW((void)png_bytes(std::vector<std::uint8_t>(5), {2, 2, 1}), InvalidArgument);
  EXPECT_THROW((void)png_bytes(std::vector<std::uint8_t>(8), {2, 2, 2}), InvalidArgument);
}

TEST(RoundTrip, RandomMatricesComeBackBitForBitFromEveryFormat) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const Matrix matrix = random_matrix(rng);
    for (const char delimiter : {',', ';', '\t', '|'}) {
      write_csv(folder.file("m.csv"), matrix, {.delimiter = delimiter});
      // One column has no delimiter to find.
      const PointSet read = load_points(folder.file("m.csv"), {.delimiter = delimiter});
      ASSERT_TRUE(same_bits(read.values, matrix)) << "seed " << seed;
    }
    write_npy(folder.file("m.npy"), matrix.view());
    ASSERT_TRUE(same_bits(load_points(folder.file("m.npy")).values, matrix)) << "seed " << seed;
    for (const bool compressed : {false, true}) {
      const std::vector<NamedArray> arrays = {{"X", matrix.view()}};
      write_npz(folder.file("m.npz"), arrays, compressed);
      ASSERT_TRUE(same_bits(load_points(folder.file("m.npz")).values, matrix)) << "seed " << seed;
    }
  }
}

TEST(RoundTrip, APointSetKeepsNamesLabelsAndWeights) {
  const TemporaryFolder folder;
  PointSet points;
  points.values = Matrix({1, 2, 3, 4}, 2, 2);
  points.column_names = {"a \"quoted\", name", " blanks "};
  points.labels = Labels{{1, 0}, {"cat, wild", "dog\nhouse"}};
  points.weights = {0.1, 2e-300};
  write_csv(folder.file("p.csv"), points);
  const PointSet read =
      load_points(folder.file("p.csv"), {.label_column = "label", .weight_column = "weight"});
  EXPECT_TRUE(same_bits(read.values, points.values));
  EXPECT_EQ(read.column_names, points.column_names);
  EXPECT_EQ(read.labels->names, points.labels->names);
  EXPECT_EQ(read.labels->values, points.labels->values);
  EXPECT_EQ(read.weights, points.weights);
}

TEST(WriteFileAtomically, ReplacesTheFileAndLeavesNothingElse) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "old");
  write_file_atomically(file, "new");
  EXPECT_EQ(content_of_file(file), "new");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(WriteFileAtomically, KeepsTheOldFileWhenWritingIsGivenUp) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "old");
  const auto give_up = [](FileSink& sink) {
    sink.write(std::string(3 << 20, 'x'));
    throw InvalidArgument("changed my mind");
  };
  EXPECT_THROW(write_file_atomically(file, give_up), InvalidArgument);
  EXPECT_EQ(content_of_file(file), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(WriteFileAtomically, KeepsTheOldFileWhenTheDiskIsFull) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "old");
  // A limit on the size of files stands in for the full disk.
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{}, small{};
  getrlimit(RLIMIT_FSIZE, &limit);
  small = {.rlim_cur = 1 << 20, .rlim_max = limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string message =
      test::io_error([&] { write_file_atomically(file, std::string(2 << 20, 'x')); });
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, previous);
  EXPECT_THAT(message, HasSubstr("/f: writing failed: File too large"));
  EXPECT_EQ(content_of_file(file), "old");
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(WriteFileAtomically, AReaderNeverSeesAPart) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "old");
  write_file_atomically(file, [&](FileSink& sink) {
    sink.write(std::string(3 << 20, 'x'));
    sink.flush();
    EXPECT_EQ(content_of_file(file), "old");
  });
  EXPECT_EQ(content_of_file(file).size(), std::size_t{3} << 20);
}

TEST(WriteFileAtomically, KeepsPermissionsAndFollowsLinks) {
  const TemporaryFolder folder;
  const auto file = folder.write("f", "old");
  chmod(file.c_str(), 0640);
  std::filesystem::create_symlink("f", folder.file("link"));
  write_file_atomically(folder.file("link"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(content_of_file(file), "new");
  struct stat info {};
  stat(file.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777u, 0640u);
}

TEST(WriteFileAtomically, SaysWhyItCannotWrite) {
  const TemporaryFolder folder;
  const auto error = [](const std::filesystem::path& path) {
    return test::io_error([&] { write_file_atomically(path, "x"); });
  };
  EXPECT_THAT(error(folder.path()), HasSubstr("is a folder"));
  EXPECT_THAT(error(folder.file("none/f")), HasSubstr("its folder does not exist; create "));
  EXPECT_THAT(error(folder.write("file", "x") / "f"), HasSubstr("cannot be written"));
  EXPECT_THAT(error(""), HasSubstr("is not the name of a file"));
}

TEST(WriteFileAtomically, WritesDevicesInPlace) {
  EXPECT_NO_THROW(write_file_atomically("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Json, RoundTripsAndNamesTheByteOfAMistake) {
  const TemporaryFolder folder;
  const nlohmann::json value = {{"distance", 0.1}, {"list", {1, 2, 3}}, {"name", "Käse"}};
  write_json(folder.file("a.json"), value);
  EXPECT_EQ(read_json(folder.file("a.json")), value);
  EXPECT_THAT(content_of_file(folder.file("a.json")), testing::EndsWith("}\n"));
  folder.write("b.json", "{\"a\": 1,}");
  EXPECT_THAT(test::io_error([&] { static_cast<void>(read_json(folder.file("b.json"))); }),
              HasSubstr("b.json: is not JSON at byte 9"));
}

TEST(Json, KeepsTheOrderOfOrderedObjects) {
  const TemporaryFolder folder;
  nlohmann::ordered_json value;
  value["z"] = 1;
  value["a"] = 2;
  write_json(folder.file("a.json"), value);
  EXPECT_EQ(content_of_file(folder.file("a.json")), "{\n  \"z\": 1,\n  \"a\": 2\n}\n");
}

TEST(WriteCsv, RefusesNamesThatDoNotMatchTheColumns) {
  const Matrix matrix(1, 2);
  EXPECT_THROW(write_csv("unused.csv", matrix, {.column_names = {"a"}}), InvalidArgument);
  EXPECT_THROW(write_csv("unused.csv", matrix, {.delimiter = 'x'}), InvalidArgument);
}

TEST(Base64, WritesTheExamplesOfItsStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xff\xfe"), "//4=");
}

TEST(IsBase64, TellsItFromOtherText) {
  for (const char* good : {"", "Zg==", "Zm8=", "Zm9v", "+/+/"}) EXPECT_TRUE(is_base64(good));
  for (const char* bad : {"Zg=", "Z===", "Zm9v\"", "Zm9\"", "Zg==Zg==", "Zm=v", "====", "Zm 9"}) {
    EXPECT_FALSE(is_base64(bad)) << bad;
  }
}

}  // namespace
}  // namespace nw::io
