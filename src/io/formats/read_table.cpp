// Which reader reads a table. What is packed, in gzip or in a ZIP archive, is unpacked on the way.
#include "io/formats/read_table.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "io/failure.hpp"
#include "io/raw_csv.hpp"
#include "io/recognise.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

/// A table that its reader has in one piece.
class OneBlock : public TableBlocks {
 public:
  explicit OneBlock(RawTable table) : table_(std::move(table)) {}
  std::optional<RawTable> next(std::size_t) override { return std::exchange(table_, {}); }

 private:
  std::optional<RawTable> table_;
};

/// Formats that are read at several places at once.
RawTable read_in_places(const ByteSource& source, Format format, const LoadOptions& options) {
  if (format == Format::parquet) return *open_raw_parquet(source, options)->next(kAll);
  if (format == Format::arrow) return read_raw_arrow(source, options);
  return read_raw_xlsx(source, options);
}

}  // namespace

bool is_table_format(Format format) {
  switch (format) {
    case Format::csv:
    case Format::json:
    case Format::arff:
    case Format::parquet:
    case Format::arrow:
    case Format::xlsx:
      return true;
    default:
      return false;
  }
}

RawTable read_table(const ByteSource& source, const Located& located, const LoadOptions& options) {
  if (located.format == Format::csv || located.format == Format::json ||
      located.format == Format::arff) {
    auto stream = open_located(source, located);
    if (located.format == Format::json) return read_raw_json(*stream, options);
    if (located.format == Format::arff) return read_raw_arff(*stream, options);
    return *open_raw_csv(std::move(stream), options)->next(kAll);
  }
  if (!located.entry && !is_gzip(source)) return read_in_places(source, located.format, options);
  const auto stream = open_located(source, located);
  const std::string bytes = read_rest(*stream, options.max_unpacked_bytes);
  const auto unpacked = view_memory(std::as_bytes(std::span(bytes)), stream->name());
  return read_in_places(*unpacked, located.format, options);
}

std::unique_ptr<TableBlocks> open_table(const ByteSource& source, const Located& located,
                                        const LoadOptions& options) {
  if (located.format == Format::csv) return open_raw_csv(open_located(source, located), options);
  const bool packed = located.entry || is_gzip(source);
  if (located.format == Format::parquet && !packed) return open_raw_parquet(source, options);
  return std::make_unique<OneBlock>(read_table(source, located, options));
}

std::string read_rest(ByteStream& stream, std::uint64_t limit) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;
  std::string bytes;
  for (;;) {
    const std::size_t before = bytes.size();
    const auto block =
        static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, stream.remaining_at_most()));
    bytes.resize(before + block);
    const std::size_t got = stream.read(bytes.data() + before, block);
    bytes.resize(before + got);
    if (bytes.size() > limit) fail(stream.name(), "unpacks to more than ", limit, " bytes");
    if (got < kBlock) return bytes;
  }
}

void require_table_fits(std::uint64_t rows, std::uint64_t columns, const LoadOptions& options,
                        const std::string& file) {
  const std::uint64_t cells = options.max_unpacked_bytes / sizeof(double);
  if (columns == 0 || rows <= cells / columns) return;
  fail(file, "a table of ", rows, " rows and ", columns, " columns takes more than ",
       options.max_unpacked_bytes, " bytes; split the file or keep fewer columns");
}

}  // namespace nw::io
