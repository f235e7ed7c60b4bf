// Parquet files: the footer says where the columns lie, and several threads read a column each
// (parquet-format, README.md). Lists and maps are left out; fields of structs become columns.
#include <algorithm>
#include <optional>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/failure.hpp"
#include "io/formats/read_table.hpp"
#include "io/formats/utf8.hpp"
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

bool is_binary(const RawColumn& column) {
  return std::ranges::any_of(column.levels, [](const auto& level) { return !is_utf8(level); });
}

void note_left_out(RawTable& table, const std::vector<std::string>& names, const char* why) {
  if (names.empty()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  table.notes.push_back(concat("left out, ", why, ": ", list));
}

}  // namespace

RawTable read_raw_parquet(const ByteSource& source, const LoadOptions& options) {
  const parquet::FileMetadata metadata = read_footer(source);
  const auto rows = static_cast<std::size_t>(metadata.rows);
  RawTable table{
      .source = source.name(), .rows = rows, .columns = {}, .has_names = true, .notes = {}};
  if (rows == 0) fail(source.name(), "holds no rows");

  std::vector<std::size_t> chosen;
  std::vector<std::string> nested, other, binary;
  for (std::size_t i = 0; i < metadata.leaves.size(); ++i) {
    const parquet::Leaf& leaf = metadata.leaves[i];
    if (leaf.repeated) {
      nested.push_back(leaf.name);
    } else if (leaf.meaning == parquet::Meaning::other) {
      other.push_back(leaf.name);
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
    if (is_binary(*column)) {
      binary.push_back(std::move(column->name));
    } else {
      table.columns.push_back(std::move(*column));
    }
  }
  note_left_out(table, nested, "lists or maps");
  note_left_out(table, other, "of a type nw does not read");
  note_left_out(table, binary, "bytes that are not text");
  if (table.columns.empty()) {
    fail(source.name(), "has no column that nw reads",
         table.notes.empty() ? "" : "; " + table.notes.front());
  }
  return table;
}

}  // namespace nw::io
