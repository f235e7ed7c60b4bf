// Every way an input can be wrong gives one message with file, place, value and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "nw/io/write.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using test::parse_error;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string load_error(const std::filesystem::path& path, const LoadOptions& options = {}) {
  return test::io_error([&] { static_cast<void>(load_points(path, options)); });
}

std::string npy(std::string_view dictionary, std::string_view data) {
  std::string header(dictionary);
  header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ').append("\n");
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 255);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes.append(header).append(data);
}

std::string f8_npy(std::string_view shape, const std::vector<double>& values) {
  return npy("{'descr': '<f8', 'fortran_order': False, 'shape': " + std::string(shape) + ", }",
             {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
}

std::string idx(std::initializer_list<unsigned> head, std::string_view data) {
  std::string bytes;
  for (const unsigned byte : head) bytes += static_cast<char>(byte);
  return bytes.append(data);
}

TEST(BadCsv, EmptyFile) {
  EXPECT_EQ(parse_error(""), "data.csv: is empty; give a table with one point per line");
  EXPECT_THAT(parse_error("\n  \n# note\n"), StartsWith("data.csv: has no rows"));
}

TEST(BadCsv, HeaderOnly) {
  EXPECT_EQ(parse_error("x,y\n"),
            "data.csv: has a header (\"x,y\") but no rows; add one row per point");
  EXPECT_THAT(parse_error("1,2\n", {.header = Header::present}), HasSubstr("but no rows"));
}

TEST(BadCsv, RaggedRows) {
  EXPECT_EQ(
      parse_error("x,y\n1,2\n3\n"),
      "data.csv: line 3 has 1 cell where the first line has 2; give every row the same number "
      "of cells");
  EXPECT_THAT(parse_error("1,2\n1,2,3,4\n"),
              HasSubstr("line 2 has 4 cells where the first line has 2"));
  EXPECT_THAT(parse_error("1 2\n1 2 3\n"), HasSubstr("line 2 has 3 cells"));
  EXPECT_THAT(parse_error("1,2\n\n3,4,,\n"), HasSubstr("line 3 has 3 cells"));
}

TEST(BadCsv, ValuesThatAreNotFinite) {
  for (const char* value : {"nan", "NaN", "inf", "-Infinity", "\"nan\""}) {
    EXPECT_THAT(
        parse_error("x,y\n1,2\n3," + std::string(value) + "\n"),
        AllOf(HasSubstr("data.csv: line 3, column 2 (\"y\"): "), HasSubstr("is not finite")))
        << value;
  }
  EXPECT_THAT(parse_error("1,1e999\n"), HasSubstr("\"1e999\" does not fit a double"));
}

TEST(BadCsv, TextWhereANumberIsExpected) {
  EXPECT_THAT(parse_error("x,y\n1,2\n3,abc\n"),
              HasSubstr("line 3, column 2 (\"y\"): \"abc\" is not a number"));
  EXPECT_THAT(parse_error("1,2\n3,0x10\n"), HasSubstr("\"0x10\" is not a number"));
  EXPECT_THAT(parse_error("1,2\n3,4 5\n"), HasSubstr("\"4 5\" is not a number"));
  EXPECT_THAT(parse_error("1;2\n3;4,5\n", {.delimiter = ';'}),
              HasSubstr("\"4,5\" is not a number"));
  EXPECT_THAT(parse_error("1,2\n3,\n"), HasSubstr("line 2, column 2: the cell is empty"));
  EXPECT_THAT(parse_error("1,2,3\n3,,4\n"), HasSubstr("line 2, column 2: the cell is empty"));
  EXPECT_THAT(parse_error("1,2\r3,4\r"), HasSubstr("\\x0d"));
}

TEST(BadCsv, QuotesThatDoNotMatch) {
  EXPECT_THAT(parse_error("x,y\n1,2\n3,\"4\n5,6\n"),
              HasSubstr("line 3, column 2 (\"y\"): the quote before"));
  EXPECT_THAT(parse_error("a,b\n1,\"2\"3\n"), HasSubstr("text behind the closing quote of \"2\""));
  EXPECT_THAT(parse_error("1,a\"b\"\n2,c\n", {.label_column = "2"}),
              HasSubstr("a double quote inside a cell"));
}

TEST(BadCsv, LabelsAndWeightsOutOfRange) {
  EXPECT_THAT(parse_error("x,k\n1,a\n2,\n3,\n", {.label_column = "k"}),
              HasSubstr("the label is empty"));
  EXPECT_THAT(parse_error("x,w\n1,-1\n", {.weight_column = "w"}),
              HasSubstr("line 2, column 2 (\"w\"): the weight -1 is negative"));
  EXPECT_THAT(parse_error("x,w\n1,0\n2,0\n", {.weight_column = "w"}),
              HasSubstr("all 2 weights are zero"));
}

TEST(BadCsv, ColumnsThatAreNotThere) {
  EXPECT_EQ(parse_error("x,y\n1,2\n", {.columns = {"z"}}),
            "data.csv: has no column \"z\"; its columns are x, y");
  EXPECT_THAT(parse_error("1,2\n", {.columns = {"3"}}), HasSubstr("its columns are 1 to 2"));
  EXPECT_THAT(parse_error("1,2\n", {.columns = {"0"}}), HasSubstr("has no column \"0\""));
  EXPECT_THAT(parse_error("x,x\n1,2\n", {.columns = {"x"}}), HasSubstr("several columns called"));
  EXPECT_THAT(parse_error("x\n1\n", {.label_column = "x"}), HasSubstr("no column left"));
  EXPECT_EQ(
      parse_error("x,y\n1,2\n", {.columns = {"x", "1"}}),
      "data.csv: column 1 (\"x\") is chosen twice; coordinates, label and weight must differ");
}

TEST(BadCsv, BinaryDataAndOtherEncodings) {
  EXPECT_THAT(parse_error(std::string_view("1,2\n\0\1\2", 7)),
              HasSubstr("is not a text table: byte 0x00 at offset 4"));
  EXPECT_THAT(parse_error("\x7f"
                          "EXE\x02\x01\x01"),
              HasSubstr("byte 0x02 at offset 4"));
}

TEST(BadCsv, ALineWithoutEndDoesNotFillTheMemory) {
  const std::string text = "1,\"2" + std::string(std::size_t{70} << 20, '\n');
  EXPECT_THAT(parse_error(text), HasSubstr("line 1 does not end within 67108864 bytes"));
}

TEST(BadNpy, TruncatedData) {
  const std::string whole = f8_npy("(2, 2)", {1, 2, 3, 4});
  EXPECT_EQ(test::parse(whole, {}, "a.npy").size(), 2u);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THAT(parse_error(whole.substr(0, size), {}, "a.npy"), StartsWith("a.npy: ")) << size;
  }
  EXPECT_THAT(parse_error(whole.substr(0, whole.size() - 1), {}, "a.npy"),
              HasSubstr("claims 2 x 2 values of 8 bytes, and only 31 bytes can follow"));
  EXPECT_THAT(parse_error(whole + "x", {}, "a.npy"), HasSubstr("goes on behind its data, at byte"));
}

TEST(BadNpy, AnUnknownVersionIsNamedAsTheByteThatItIs) {
  std::string file = f8_npy("(1, 1)", {1});
  file[6] = '\xc8';
  EXPECT_THAT(parse_error(file, {}, "a.npy"),
              HasSubstr("NPY format version 200 at byte 6 is unknown"));
}

TEST(BadNpy, AbsurdShapesAreRefusedBeforeAnythingIsAllocated) {
  EXPECT_THAT(
      parse_error(f8_npy("(1000000000000000000, 1)", {1}), {}, "a.npy"),
      HasSubstr("claims 1000000000000000000 x 1 values of 8 bytes, and only 8 bytes can follow"));
  EXPECT_THAT(parse_error(f8_npy("(4294967296, 4294967296, 2)", {1}), {}, "a.npy"),
              HasSubstr("claims"));
  EXPECT_THAT(parse_error(f8_npy("(99999999999999999999999,)", {1}), {}, "a.npy"),
              HasSubstr("at most 64 bits"));
  EXPECT_THAT(parse_error(f8_npy("(-1, 2)", {1}), {}, "a.npy"), HasSubstr("broken NPY header"));
}

TEST(BadNpy, ValuesThatAreNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      parse_error(f8_npy("(2, 2)", {1, 2, std::nan(""), 4}), {}, "a.npy"),
      "a.npy: row 2, column 1 (byte 144): the value is nan; replace values that are not finite "
      "or leave their rows out");
  EXPECT_THAT(parse_error(f8_npy("(2, 2)", {1, -inf, 3, 4}), {}, "a.npy"),
              HasSubstr("row 1, column 2 (byte 136): the value is -inf"));
  const std::string fortran = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }",
                                  std::string_view("\0\0\0\0\0\0\x80\x7f\0\0\0\0\0\0\0\0", 16));
  EXPECT_THAT(parse_error(fortran, {}, "a.npy"), HasSubstr("row 2, column 1"));
}

TEST(BadNpy, WrongSuffixOrHeader) {
  EXPECT_THAT(parse_error("1,2\n3,4\n5,6\n", {}, "a.npy"), HasSubstr("is not an NPY file"));
  EXPECT_THAT(parse_error(npy("{'descr': '<f8'}", ""), {}, "a.npy"), HasSubstr("is missing"));
  EXPECT_THAT(parse_error(npy("{'descr': '<f8', 'what': 1}", ""), {}, "a.npy"),
              HasSubstr("unknown key \"what\""));
}

TEST(BadNpz, TruncatedOrDamagedArchives) {
  const test::TemporaryFolder folder;
  const Matrix matrix(30, 2, 1.5);
  const std::vector<NamedArray> arrays = {{"X", matrix.view()}};
  for (const bool compressed : {false, true}) {
    write_npz(folder.file("a.npz"), arrays, compressed);
    const std::string whole = test::content_of_file(folder.file("a.npz"));
    EXPECT_EQ(test::parse(whole, {}, "a.npz").size(), 30u);
    for (std::size_t size = 0; size < whole.size(); size += 7) {
      EXPECT_THAT(parse_error(whole.substr(0, size), {}, "a.npz"), StartsWith("a.npz")) << size;
    }
    std::string damaged = whole;
    damaged[compressed ? 90 : 300] ^= 1;  // inside the entry
    EXPECT_THAT(parse_error(damaged, {}, "a.npz"),
                HasSubstr(compressed ? "a.npz[X]: " : "the CRC of its content is wrong"));
  }
  EXPECT_THAT(parse_error("PK\x05\x06" + std::string(18, '\0'), {}, "a.npz"),
              HasSubstr("holds no arrays"));
}

TEST(BadIdx, TruncatedAbsurdAndUnknownHeaders) {
  EXPECT_EQ(parse_error(idx({0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3}, "12345"), {}, "a.idx"),
            "a.idx: the header at byte 0 claims 2 x 3 values of 1 bytes, and only 5 bytes can "
            "follow; the file is truncated or its header is wrong");
  EXPECT_THAT(
      parse_error(
          idx({0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, "1"), {},
          "a.idx"),
      HasSubstr("claims 4294967295 x 4294967295 x 4294967295 values"));
  EXPECT_THAT(parse_error(idx({0, 0, 7, 1}, "1"), {}, "a-ubyte"), HasSubstr("byte 2 is 0x07"));
  EXPECT_THAT(parse_error(idx({0, 0, 8, 1, 0}, ""), {}, "a.idx"),
              HasSubstr("truncated: a dimension"));
  EXPECT_THAT(parse_error(idx({0, 0, 8, 1, 0, 0, 0, 1}, "12"), {}, "a.idx"),
              HasSubstr("goes on behind"));
}

TEST(BadPath, MissingUnreadableOrNotAFile) {
  const test::TemporaryFolder folder;
  EXPECT_THAT(load_error(folder.file("none.csv")), HasSubstr("none.csv: no such file"));
  EXPECT_THAT(load_error(folder.path()),
              HasSubstr("is a folder without .png, .jpg or .jpeg files"));
  EXPECT_THAT(load_error(folder.path(), {.format = Format::csv}),
              HasSubstr("is a folder where a file"));
  EXPECT_THAT(load_error("/dev/null"), HasSubstr("is a device or socket, not a file"));
  const auto locked = folder.write("locked.csv", "1,2\n");
  chmod(locked.c_str(), 0);
  if (geteuid() != 0) {  // root may read everything
    EXPECT_THAT(load_error(locked), HasSubstr("permission denied"));
  }
  EXPECT_THAT(load_error(folder.write("file", "1,2\n") / "below.csv"),
              HasSubstr("cannot be opened"));
}

TEST(BadPath, PipesAreRead) {
  const test::TemporaryFolder folder;
  const auto pipe = folder.file("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string command = "printf '1,2\\n3,4\\n' > " + pipe.string() + " &";
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(load_points(pipe).size(), 2u);
}

TEST(RequireSameDimension, NamesBothSourcesAndDimensions) {
  const PointSet x = test::parse("1,2\n", {}, "x.csv"), y = test::parse("1,2,3\n", {}, "y.csv");
  EXPECT_NO_THROW(require_same_dimension(x, x));
  EXPECT_EQ(test::io_error([&] { require_same_dimension(x, y); }),
            "x.csv (CSV) has points of dimension 2, y.csv (CSV) of dimension 3; choose columns so "
            "that both have the same");
}

TEST(LoadOptions, RejectsFieldsOutOfRangeByName) {
  const auto message = [](const LoadOptions& options) {
    try {
      options.validate();
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(message({}), "accepted");
  EXPECT_THAT(message({.delimiter = '"'}), HasSubstr("delimiter"));
  EXPECT_THAT(message({.channels = 2}), HasSubstr("channels must be 0, 1 or 3, got 2"));
  EXPECT_THAT(message({.tiles = {.width = 3}}), HasSubstr("width and height, got 3 x 0"));
  EXPECT_THAT(message({.tiles = {.count = 3}}), HasSubstr("need a tile size"));
  EXPECT_THAT(message({.threads = -1}), HasSubstr("threads"));
  EXPECT_THAT(message({.label_column = "y", .labels_file = "f"}), HasSubstr("exclude each other"));
}

}  // namespace
}  // namespace nw::io
