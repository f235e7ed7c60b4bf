// Parquet files of a few hundred bytes that claim to be large.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/io/load_input.hpp"

#include "io/io_test_support.hpp"

namespace nw::io {
namespace {

using testing::HasSubstr;

/// Thrift's compact protocol, as far as Parquet's headers need it.
class Thrift {
 public:
  void i32(int id, std::int64_t value) { integer(id, 5, value); }
  void i64(int id, std::int64_t value) { integer(id, 6, value); }
  void text(int id, std::string_view value) {
    field(id, 8);
    varint(value.size());
    bytes_ += value;
  }
  void list(int id, int kind, std::size_t count) {
    field(id, 9);
    bytes_ += static_cast<char>(count << 4 | static_cast<unsigned>(kind));
  }
  void open(int id) {
    field(id, 12);
    begin();
  }
  void begin() { last_.push_back(0); }
  void end() {
    bytes_ += '\0';
    last_.pop_back();
  }
  void zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void raw(std::string_view value) {
    varint(value.size());
    bytes_ += value;
  }
  [[nodiscard]] std::string finish() { return bytes_ + '\0'; }

 private:
  void integer(int id, int kind, std::int64_t value) {
    field(id, kind);
    zigzag(value);
  }
  void field(int id, int kind) {
    bytes_ += static_cast<char>((id - last_.back()) << 4 | kind);
    last_.back() = id;
  }
  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) bytes_ += static_cast<char>(value | 128);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
  std::vector<int> last_{0};
};

struct Claims {
  std::int64_t rows = 4;            ///< of a row group
  std::size_t groups = 1;           ///< all of them in the same bytes
  std::int64_t page_values = 4;     ///< of the one page
  std::int64_t unpacked_bytes = 0;  ///< of the page; 0: as many as there are
  int codec = 0;                    ///< none, snappy, gzip
};

/// One column of doubles with one plain page of four values.
std::string parquet_of(const Claims& claims) {
  const std::string values(32, '\0');
  Thrift header;
  header.i32(1, 0);
  header.i32(2, claims.unpacked_bytes > 0 ? claims.unpacked_bytes : 32);
  header.i32(3, 32);
  header.open(5);
  header.i32(1, claims.page_values);
  for (const auto& [id, encoding] : {std::pair(2, 0), {3, 3}, {4, 3}}) header.i32(id, encoding);
  header.end();
  const std::string page = header.finish() + values;
  Thrift footer;
  footer.i32(1, 1);
  footer.list(2, 12, 2);
  footer.begin();
  footer.text(4, "schema");
  footer.i32(5, 1);
  footer.end();
  footer.begin();
  footer.i32(1, 5);
  footer.i32(3, 0);
  footer.text(4, "v");
  footer.end();
  footer.i64(3, claims.rows * static_cast<std::int64_t>(claims.groups));
  footer.list(4, 12, claims.groups);
  for (std::size_t g = 0; g < claims.groups; ++g) {
    footer.begin();
    footer.list(1, 12, 1);
    footer.begin();
    footer.i64(2, 4);
    footer.open(3);
    footer.i32(1, 5);
    footer.list(2, 5, 1);
    footer.zigzag(0);
    footer.list(3, 8, 1);
    footer.raw("v");
    footer.i32(4, claims.codec);
    footer.i64(5, claims.rows);
    footer.i64(6, static_cast<std::int64_t>(page.size()));
    footer.i64(7, static_cast<std::int64_t>(page.size()));
    footer.i64(9, 4);
    footer.end();
    footer.end();
    footer.i64(2, static_cast<std::int64_t>(page.size()));
    footer.i64(3, claims.rows);
    footer.end();
  }
  const std::string tail = footer.finish();
  std::string length;
  for (int i = 0; i < 4; ++i) length += static_cast<char>(tail.size() >> (8 * i));
  return "PAR1" + page + tail + length + "PAR1";
}

std::string error_of(const Claims& claims, const LoadOptions& options = {}) {
  const std::string bytes = parquet_of(claims);
  return test::io_error([&] {
    static_cast<void>(parse_input(std::as_bytes(std::span(bytes)), "bomb.parquet", options));
  });
}

TEST(ParquetBomb, TheHonestFileIsRead) {
  const std::string bytes = parquet_of({.groups = 3});
  EXPECT_EQ(parse_input(std::as_bytes(std::span(bytes)), "x.parquet").table->rows, 12u);
}

TEST(ParquetBomb, RowsThatWouldNotFitAreRefusedBeforeAnythingIsAllocated) {
  EXPECT_THAT(
      error_of({.rows = 1'000'000'000, .page_values = 1'000'000'000}),
      HasSubstr("a table of 1000000000 rows and 1 columns takes more than 4294967296 bytes"));
  EXPECT_THAT(error_of({.rows = 1000, .groups = 12}, {.max_unpacked_bytes = 1 << 16}),
              HasSubstr("takes more than 65536 bytes"));
  EXPECT_THAT(error_of({.rows = 400'000'000'000, .groups = 10}),
              HasSubstr("claims 4000000000000 rows"));
}

TEST(ParquetBomb, PagesThatCannotBeSoLargeAreRefused) {
  for (const int codec : {1, 2}) {
    EXPECT_THAT(error_of({.unpacked_bytes = 2'000'000'000, .codec = codec}),
                HasSubstr("32 bytes cannot unpack to 2000000000"));
  }
  EXPECT_THAT(error_of({.rows = 1000, .page_values = 1000}),
              HasSubstr("bomb.parquet: column \"v\""));
}

TEST(ParquetBomb, AFileReadInBlocksIsRefusedBlockByBlock) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("x.parquet", parquet_of({.rows = 5000, .groups = 5}));
  const auto input = open_input(file, {.max_unpacked_bytes = 1 << 15});
  EXPECT_THAT(test::io_error([&] { static_cast<void>(input.table->next(100)); }),
              HasSubstr("a table of 5000 rows and 1 columns takes more than 32768 bytes"));
}

}  // namespace
}  // namespace nw::io
