// Parquet files: the footer says where the columns lie, and several threads read a column each
// (parquet-format, README.md). Lists and maps are left out; fields of structs become columns.
#include <algorithm>
#include <optional>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/failure.hpp"
#include "io/formats/left_out.hpp"
#include "io/formats/read_table.hpp"
#include "io/parquet/column.hpp"
#include "io/parquet/metadata.hpp"
#include "io/text_stream.hpp"

namespace nw::io {
namespace {

constexpr std::string_view kMagic = "PAR1";
constexpr std::uint64_t kMostRows = 20'000'000'000;
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

/// Row groups, one or several at a time.
class ParquetBlocks : public TableBlocks {
 public:
  ParquetBlocks(const ByteSource& source, const LoadOptions& options)
      : source_(source), options_(options), metadata_(read_footer(source)) {
    if (metadata_.rows == 0) fail(source.name(), "holds no rows");
    // Row groups may claim the same bytes again and again.
    if (static_cast<std::uint64_t>(metadata_.rows) > kMostRows) {
      fail(source.name(), "claims ", metadata_.rows, " rows, more than nw reads from one file");
    }
    for (std::size_t i = 0; i < metadata_.leaves.size(); ++i) {
      const parquet::Leaf& leaf = metadata_.leaves[i];
      if (leaf.repeated) {
        left_out_.nested.push_back(leaf.name);
      } else if (leaf.meaning == parquet::Meaning::other) {
        left_out_.unknown.push_back(leaf.name);
      } else {
        chosen_.push_back(i);
      }
    }
  }

  std::optional<RawTable> next(std::size_t cells) override {
    const auto& groups = metadata_.groups;
    if (group_ > 0 && group_ == groups.size()) return {};
    const std::size_t begin = group_;
    std::uint64_t rows = 0;
    const std::uint64_t most_rows = cells / std::max<std::size_t>(chosen_.size(), 1);
    while (group_ < groups.size() && (group_ == begin || rows <= most_rows)) {
      rows += static_cast<std::uint64_t>(groups[group_++].rows);
    }
    require_table_fits(rows, chosen_.size(), options_, source_.name());
    RawTable table{.source = source_.name(),
                   .rows = static_cast<std::size_t>(rows),
                   .columns = {},
                   .has_names = true,
                   .notes = {}};
    std::vector<std::optional<RawColumn>> columns(chosen_.size());
    parallel_for(resolve_threads(options_.threads), chosen_.size(), 1,
                 [&](std::size_t first, std::size_t last, int) {
                   for (std::size_t j = first; j < last; ++j) {
                     const std::size_t leaf = chosen_[j];
                     parquet::ColumnReader reader(source_, metadata_.leaves[leaf], options_,
                                                  table.rows);
                     for (std::size_t g = begin; g < group_; ++g) {
                       reader.add(groups[g].chunks[leaf], groups[g].rows);
                     }
                     columns[j] = reader.finish();
                   }
                 });
    if (begin == 0) {
      for (auto& column : columns) take_or_leave(*std::move(column), table, left_out_);
      left_out_.note_in(table);
    } else {
      add_columns(columns, table);
    }
    return table;
  }

 private:
  /// Which columns are text was said by the first rows; bytes that are none are shown as Latin-1.
  void add_columns(std::vector<std::optional<RawColumn>>& columns, RawTable& table) const {
    for (auto& column : columns) {
      if (std::ranges::find(left_out_.binary, column->name) != left_out_.binary.end()) continue;
      for (std::string& level : column->levels) {
        if (!is_utf8(level)) level = from_latin1(level);
      }
      table.columns.push_back(*std::move(column));
    }
  }

  const ByteSource& source_;
  LoadOptions options_;
  parquet::FileMetadata metadata_;
  std::vector<std::size_t> chosen_;  ///< leaves that are columns
  LeftOut left_out_;
  std::size_t group_ = 0;  ///< the next one
};

}  // namespace

std::unique_ptr<TableBlocks> open_raw_parquet(const ByteSource& source,
                                              const LoadOptions& options) {
  return std::make_unique<ParquetBlocks>(source, options);
}

}  // namespace nw::io
