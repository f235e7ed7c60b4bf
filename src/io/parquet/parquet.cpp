// Parquet files: the footer says where the columns lie, and several threads read a column each
// (parquet-format, README.md). Lists and maps are left out; fields of structs become columns.
#include <optional>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/failure.hpp"
#include "io/formats/left_out.hpp"
#include "io/formats/read_table.hpp"
#include "io/parquet/column.hpp"
#include "io/parquet/metadata.hpp"

namespace nw::io {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr std::size_t kTailBytes = 8;  // length of the footer, and the magic again

parquet::FileMetadata read_footer(const ByteSource& source) {
  const std::string& file = source.name();
  const std::uint64_t size = source.size();
  std::string tail(kTailBytes, '\0');
  if (size < kMagic.size() + kTailBytes ||
      source.read_at(size - kTailBytes, tail.data(), kTailBytes) != kTailBytes ||
      !std::string_view(tail).ends_with(kMagic)) {
    if (std::string_view(tail).ends_with("PARE")) {
      fail(file, "this is an encrypted Parquet file; save it without encryption");
    }
    fail(file, "is a Parquet file without its end; it is truncated, fetch or write it again");
  }
  const std::uint64_t length = parquet::load<std::uint32_t>(tail.data());
  if (length > size - kMagic.size() - kTailBytes) {
    fail(file, "damaged Parquet file: its footer of ", length, " bytes does not fit into ", size);
  }
  std::string footer(static_cast<std::size_t>(length), '\0');
  if (source.read_at(size - kTailBytes - length, footer.data(), footer.size()) != length) {
    fail(file, "shrank while being read");
  }
  return parquet::read_metadata(footer, file);
}

}  // namespace

RawTable read_raw_parquet(const ByteSource& source, const LoadOptions& options) {
  const parquet::FileMetadata metadata = read_footer(source);
  const auto rows = static_cast<std::size_t>(metadata.rows);
  RawTable table{
      .source = source.name(), .rows = rows, .columns = {}, .has_names = true, .notes = {}};
  if (rows == 0) fail(source.name(), "holds no rows");

  std::vector<std::size_t> chosen;
  LeftOut left_out;
  for (std::size_t i = 0; i < metadata.leaves.size(); ++i) {
    const parquet::Leaf& leaf = metadata.leaves[i];
    if (leaf.repeated) {
      left_out.nested.push_back(leaf.name);
    } else if (leaf.meaning == parquet::Meaning::other) {
      left_out.unknown.push_back(leaf.name);
    } else {
      chosen.push_back(i);
    }
  }
  require_table_fits(rows, chosen.size(), options, source.name());

  std::vector<std::optional<RawColumn>> columns(chosen.size());
  parallel_for(resolve_threads(options.threads), chosen.size(), 1,
               [&](std::size_t begin, std::size_t end, int) {
                 for (std::size_t j = begin; j < end; ++j) {
                   const std::size_t leaf = chosen[j];
                   parquet::ColumnReader reader(source, metadata.leaves[leaf], options, rows);
                   for (const parquet::RowGroup& group : metadata.groups) {
                     reader.add(group.chunks[leaf], group.rows);
                   }
                   columns[j] = reader.finish();
                 }
               });
  for (std::optional<RawColumn>& column : columns) {
    take_or_leave(std::move(*column), table, left_out);
  }
  left_out.note_in(table);
  return table;
}

}  // namespace nw::io
