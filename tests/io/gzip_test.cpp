// Compressed input: every format may be gzipped, and no small file may unpack without bound.
#include "io/gzip.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using test::gzip;
using test::parse_error;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Gzip, TablesArraysAndIdxAreUnpackedOnTheWay) {
  EXPECT_THAT(test::parse(gzip("x,y\n1,2\n"), {}, "a.csv.gz").values.values(), ElementsAre(1, 2));
  EXPECT_THAT(test::parse(gzip("1\t2\n"), {}, "a.tsv.gz").values.values(), ElementsAre(1, 2));
  const Matrix matrix({1, 2, 3}, 1, 3);
  EXPECT_THAT(test::parse(gzip(npy_bytes(matrix.view())), {}, "a.npy.gz").values.values(),
              ElementsAre(1, 2, 3));
  const std::string_view idx("\0\0\x08\x03\0\0\0\1\0\0\0\1\0\0\0\2\0\xff", 18);
  const PointSet image = test::parse(gzip(idx), {}, "a-idx3-ubyte.gz");
  EXPECT_THAT(image.values.values(), ElementsAre(0, 1));
  EXPECT_EQ(image.image, (ImageShape{1, 2, 1}));
  const std::string_view labels("\0\0\x08\x01\0\0\0\2\3\4", 10);
  const std::string packed = gzip(labels);
  EXPECT_THAT(parse_labels(std::as_bytes(std::span(packed)), "l.gz").values, ElementsAre(3, 4));
}

TEST(Gzip, ConcatenatedMembersAreOneText) {
  EXPECT_THAT(test::parse(gzip("1,2\n") + gzip("3,4\n")).values.values(), ElementsAre(1, 2, 3, 4));
}

TEST(Gzip, LargeTablesCrossTheBlocksOfTheDecompressor) {
  std::string text;
  for (int i = 0; i < 700000; ++i) text += std::to_string(i) + "," + std::to_string(i % 7) + "\n";
  const PointSet points = test::parse(gzip(text));
  ASSERT_EQ(points.size(), 700000u);
  EXPECT_EQ(points.values(699999, 0), 699999.0);
}

TEST(Gzip, TruncatedDamagedAndTrailingDataAreRefused) {
  const std::string whole = gzip("1,2\n3,4\n5,6\n7,8\n");
  EXPECT_THAT(parse_error(whole.substr(0, whole.size() - 9)),
              HasSubstr("compressed data ends too early"));
  std::string damaged = whole;
  damaged[whole.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(parse_error(damaged), HasSubstr("corrupt compressed data near byte"));
  EXPECT_THAT(parse_error(whole + "tail"), HasSubstr("unexpected data after the compressed part"));
  EXPECT_THAT(parse_error(std::string_view("\x1f\x8b", 2)), HasSubstr("ends too early"));
}

TEST(Gzip, TextThatUnpacksWithoutBoundIsCutOff) {
  const std::string bomb = gzip(std::string(std::size_t{40} << 20, '\n'));
  EXPECT_LT(bomb.size(), 50000u);
  EXPECT_THAT(parse_error("" + bomb, {.max_unpacked_bytes = 20 << 20}),
              HasSubstr("unpacks to more than 20971520 bytes"));
}

TEST(Gzip, AClaimBeyondWhatDeflateCanHoldAllocatesNothing) {
  const double before = peak_rss_mb();
  std::string header("\0\0\x0e\x02\x3b\x9a\xca\x00\x3b\x9a\xca\x00", 12);  // 10^9 x 10^9 doubles
  EXPECT_THAT(parse_error(gzip(header + std::string(1000, '\0')), {}, "a.idx.gz"),
              HasSubstr("claims 1000000000 x 1000000000 values of 8 bytes, and no more than"));
  EXPECT_LT(peak_rss_mb() - before, 50.0);
}

}  // namespace
}  // namespace nw::io
