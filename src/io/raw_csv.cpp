// A table of text as columns. Blocks and threads as in csv.cpp; what a column holds is found cell
// by cell, so a column of numbers costs what it costs there.
#include "io/raw_csv.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/csv_blocks.hpp"
#include "io/failure.hpp"
#include "io/raw_csv_rows.hpp"
#include "io/text_stream.hpp"

namespace nw::io {
namespace {

/// So many lines behind the table may be notes; more are a table of another shape.
constexpr std::size_t kMostTrailing = 5;
/// Records that say which columns are text from the start.
constexpr std::size_t kSampled = 1000;

class RawCsvReader : public TableBlocks {
 public:
  RawCsvReader(std::unique_ptr<ByteStream> stream, const LoadOptions& options)
      : bytes_(std::move(stream)),
        stream_(*bytes_),
        options_(options),
        threads_(resolve_threads(options.threads)),
        blocks_(stream_, options_) {}

  std::optional<RawTable> next(std::size_t cells) override {
    if (ended_) return {};
    if (columns_.empty()) start();
    const std::size_t most_rows = cells / columns_.size();
    const bool all = cells == std::numeric_limits<std::size_t>::max();
    while (all || table_.rows <= most_rows) {
      const auto records = blocks_.next();
      if (!records) {
        finish();
        ended_ = true;
        break;
      }
      parse(*records);
      if (all) reserve();
    }
    take_columns();
    return std::exchange(table_, {.source = table_.source,
                                  .rows = 0,
                                  .columns = {},
                                  .has_names = table_.has_names,
                                  .notes = {}});
  }

 private:
  void start() {
    const std::string_view text = blocks_.start();
    LoadOptions options = options_;
    if (options.delimiter == '\0') options.delimiter = blocks_.before().delimiter;
    const Dialect dialect = find_dialect(text, options, stream_.name());
    blocks_.skip(dialect.header);
    layout_ = {.delimiter = dialect.delimiter,
               .decimal = dialect.decimal,
               .names = dialect.names,
               .text = text_columns(first_records(text.substr(dialect.header.bytes), kSampled),
                                    dialect.columns, dialect.delimiter, dialect.decimal)};
    for (const bool is_text : layout_.text) columns_.emplace_back(is_text);
    table_.source = stream_.name();
    table_.has_names = !dialect.names.empty();
    if (dialect.decimal == ',') note("decimal comma");
    if (stream_.was_utf16()) note("read as UTF-16");
    if (dialect.nameless_first) note("the header has no name for the first column");
    for (const std::string& line : dialect.above) {
      note(concat("line above the table passed over: ", shown(line)));
    }
  }

  void parse(std::string_view records) {
    const std::vector<std::string_view> pieces = pieces_of(records);
    if (pieces_.size() < pieces.size()) pieces_.resize(pieces.size());
    parallel_for(threads_, pieces.size(), 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) parse_raw_rows(pieces[i], layout_, pieces_[i]);
    });
    for (std::size_t i = 0; i < pieces.size(); ++i) append(pieces_[i]);
  }

  void append(RawBlock& piece) {
    // A row after lines that were not rows: then these were not notes behind the table.
    if (!trailing_.empty() && (piece.row_before_trailing || piece.problem))
      fail_at(trailing_.front());
    if (piece.problem) {
      piece.problem->line += blocks_.lines_before;
      fail_at(*piece.problem);
    }
    for (std::size_t i = 0; i < piece.trailing.size(); ++i) {
      piece.trailing[i].line += blocks_.lines_before;
      trailing_.push_back(std::move(piece.trailing[i]));
      trailing_text_.push_back(std::move(piece.trailing_text[i]));
    }
    if (trailing_.size() > kMostTrailing) fail_at(trailing_.front());
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].append(piece.columns[i]);
    table_.rows += piece.rows;
    any_rows_ = any_rows_ || piece.rows > 0;
    comments_ += piece.comments;
    blocks_.lines_before += piece.lines;
  }

  [[noreturn]] void fail_at(const RowProblem& problem) const {
    fail(stream_.name(), "line ", problem.line + 1, problem.text);
  }

  /// See CsvReader: growing by doubling would copy and hold twice as much.
  void reserve() {
    const auto share = blocks_.share_read();
    if (reserved_ || !share || table_.rows == 0 || *share >= 1.0) return;
    reserved_ = true;
    const auto rows = static_cast<std::size_t>(1.02 * static_cast<double>(table_.rows) / *share);
    for (ColumnBuilder& column : columns_) column.reserve(rows);
  }

  void finish() {
    if (!any_rows_) {
      // A line that looks like notes behind a table, and no table: its first line decides.
      if (!trailing_.empty()) fail_at(trailing_.front());
      fail(stream_.name(), "has no rows; give a table with one point per line");
    }
    if (comments_ > 0) {
      note(concat(comments_, comments_ == 1 ? " comment line" : " comment lines", " passed over"));
    }
    for (std::size_t i = 0; i < trailing_.size(); ++i) {
      note(concat("line ", trailing_[i].line + 1,
                  " behind the table passed over: ", shown(trailing_text_[i])));
    }
  }

  /// Moves the columns read so far into the table, and starts them anew.
  void take_columns() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      table_.columns.push_back(
          columns_[i].finish(table_.has_names ? layout_.names[i] : std::string()));
      columns_[i] = ColumnBuilder(layout_.text[i]);
    }
    make_utf8();
  }

  /// Bytes that are not UTF-8 are Latin-1 as a rule.
  void make_utf8() {
    const auto is_fine = [](const RawColumn& column) {
      return is_utf8(column.name) && std::ranges::all_of(column.levels, is_utf8);
    };
    if (std::ranges::all_of(table_.columns, is_fine)) return;
    for (RawColumn& column : table_.columns) {
      column.name = from_latin1(column.name);
      for (std::string& level : column.levels) level = from_latin1(level);
    }
    note("read as Latin-1");
  }

  void note(std::string text) { table_.notes.push_back(std::move(text)); }

  std::unique_ptr<ByteStream> bytes_;
  TextStream stream_;
  LoadOptions options_;
  int threads_;
  RecordBlocks blocks_;
  RawLayout layout_;
  std::vector<ColumnBuilder> columns_;
  std::vector<RawBlock> pieces_;
  std::vector<RowProblem> trailing_;
  std::vector<std::string> trailing_text_;
  std::size_t comments_ = 0;
  bool reserved_ = false, any_rows_ = false, ended_ = false;
  RawTable table_;  ///< the block in work
};

}  // namespace

std::unique_ptr<TableBlocks> open_raw_csv(std::unique_ptr<ByteStream> stream,
                                          const LoadOptions& options) {
  return std::make_unique<RawCsvReader>(std::move(stream), options);
}

}  // namespace nw::io
