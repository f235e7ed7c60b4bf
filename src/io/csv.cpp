// Tables of text. The file is read in blocks of a few megabytes; each block is cut into pieces at
// record ends, the pieces are parsed by several threads and joined in order. Nothing but the result
// and one block is ever in memory, and the result does not depend on the number of threads.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/column_choice.hpp"
#include "io/csv_records.hpp"
#include "io/csv_rows.hpp"
#include "io/failure.hpp"
#include "io/readers.hpp"

namespace nw::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{2} << 20;
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr std::size_t kLongestRecord = std::size_t{64} << 20;

/// Ends of pieces of about kPieceBytes. A newline between quotes must not end a piece, and telling
/// those apart takes a pass from the start, so text with quotes stays in one piece.
std::vector<std::size_t> piece_ends(std::string_view records) {
  std::vector<std::size_t> ends;
  if (records.find('"') == std::string_view::npos) {
    for (std::size_t at = kPieceBytes; at < records.size(); at += kPieceBytes) {
      at = records.find('\n', at);
      if (at == std::string_view::npos) break;
      ends.push_back(++at);
    }
  }
  if (ends.empty() || ends.back() != records.size()) ends.push_back(records.size());
  return ends;
}

constexpr std::array<std::string_view, 5> kLabelHeadings = {"label", "labels", "class", "target",
                                                            "y"};

std::optional<std::size_t> label_heading(const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (std::ranges::find(kLabelHeadings, cells[i]) != kLabelHeadings.end()) return i;
  }
  return {};
}

/// In a table of labels alone there may be no number that gives a header away, but its heading
/// does.
Dialect find_label_dialect(std::string_view start, LoadOptions options, const std::string& file) {
  Dialect dialect = find_dialect(start, options, file);
  if (dialect.delimiter == kBlanks) {
    options.delimiter = ',';  // labels may contain blanks
    dialect = find_dialect(start, options, file);
  }
  const auto first = split_record(start.substr(0, first_record(start)), dialect.delimiter);
  if (dialect.names.empty() && label_heading(first)) {
    options.header = Header::present;
    options.delimiter = dialect.delimiter;
    dialect = find_dialect(start, options, file);
  }
  return dialect;
}

ColumnChoice choose_label_column(const Dialect& dialect, const std::string& file) {
  ColumnChoice choice;
  choice.label = dialect.columns == 1 ? std::size_t{0} : label_heading(dialect.names);
  if (choice.label) return choice;
  fail(file, "has ", dialect.columns,
       " columns and none of them is called label, labels, class, target or y; keep one column");
}

/// What the rows of a table are read for.
enum class Purpose { points, labels };

class CsvReader {
 public:
  CsvReader(ByteStream& stream, const LoadOptions& options, Purpose purpose)
      : stream_(stream),
        options_(options),
        purpose_(purpose),
        threads_(resolve_threads(options.threads)) {}

  void read() {
    const std::uint64_t file_bytes = stream_.remaining_at_most();
    buffer_.resize(static_cast<std::size_t>(
        std::min<std::uint64_t>(kBlockBytes, std::max<std::uint64_t>(file_bytes, 1) + 1)));
    for (bool ended = false; !ended;) {
      const std::size_t got = stream_.read(buffer_.data() + filled_, buffer_.size() - filled_);
      filled_ += got;
      ended = filled_ < buffer_.size();
      if (stream_.packed() && stream_.position() > options_.max_unpacked_bytes) {
        fail(stream_.name(), "unpacks to more than ", options_.max_unpacked_bytes,
             " bytes; unpack it to a file first, or raise the limit");
      }
      if (!layout_ && !start(ended)) continue;
      std::string_view text = pending();
      if (!ended) text = text.substr(0, whole_records(text));
      if (text.empty() && !ended) {
        grow();
        continue;
      }
      parse(text);
      reserve_for(file_bytes);
      keep_from(consumed_ + text.size());
    }
    if (rows_ == 0) fail(stream_.name(), "has no rows; give a table with one point per line");
  }

  PointSet points() {
    result_.values = Matrix(std::move(values_), rows_, layout_->dimension);
    if (has_labels_) result_.labels = labels_.finish();
    require_usable_weights(result_.weights, stream_.name());
    result_.source = concat(stream_.name(), " (CSV)");
    return std::move(result_);
  }

  [[nodiscard]] Labels labels() const { return labels_.finish(); }

 private:
  [[nodiscard]] std::string_view pending() const {
    return std::string_view(buffer_.data(), filled_).substr(consumed_);
  }

  /// Finds out what the table looks like. Returns false when that takes more bytes.
  bool start(bool ended) {
    const std::string& file = stream_.name();
    if (filled_ == 0) fail(file, "is empty; give a table with one point per line");
    require_text({buffer_.data(), filled_}, file);
    const Extent before = preamble({buffer_.data(), filled_});
    const std::string_view text = std::string_view(buffer_.data(), filled_).substr(before.bytes);
    const std::size_t first = first_record(text);
    const bool two_records = first < text.size() && whole_records(text) > first;
    if (!ended && !two_records) {
      grow();
      return false;
    }
    const bool for_labels = purpose_ == Purpose::labels;
    const Dialect dialect =
        for_labels ? find_label_dialect(text, options_, file) : find_dialect(text, options_, file);
    const ColumnChoice choice =
        for_labels ? choose_label_column(dialect, file)
                   : choose_columns(options_, dialect.columns, dialect.names, file);
    layout_ = lay_out(dialect, choice);
    for (const std::size_t column : choice.coordinates) {
      if (!dialect.names.empty()) result_.column_names.push_back(dialect.names[column]);
    }
    has_labels_ = choice.label.has_value();
    consumed_ = before.bytes + dialect.header.bytes;
    lines_before_ = before.lines + dialect.header.lines;
    return true;
  }

  void grow() {
    if (buffer_.size() >= kLongestRecord) {
      fail(stream_.name(), "line ", lines_before_ + 1, " does not end within ", kLongestRecord,
           " bytes; close an open quote, or check that this is a table");
    }
    keep_from(consumed_);
    buffer_.resize(buffer_.size() * 2);
  }

  void keep_from(std::size_t begin) {
    std::memmove(buffer_.data(), buffer_.data() + begin, filled_ - begin);
    filled_ -= begin;
    consumed_ = 0;
  }

  void parse(std::string_view records) {
    const std::vector<std::size_t> ends = piece_ends(records);
    if (pieces_.size() < ends.size()) pieces_.resize(ends.size());
    parallel_for(threads_, ends.size(), 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t from = i == 0 ? 0 : ends[i - 1];
        parse_rows(records.substr(from, ends[i] - from), *layout_, pieces_[i]);
      }
    });
    for (std::size_t i = 0; i < ends.size(); ++i) append(pieces_[i]);
  }

  void append(const RowBlock& piece) {
    if (piece.problem) {
      fail(stream_.name(), "line ", lines_before_ + piece.problem->line + 1, piece.problem->text);
    }
    values_.insert(values_.end(), piece.values.begin(), piece.values.end());
    result_.weights.insert(result_.weights.end(), piece.weights.begin(), piece.weights.end());
    labels_.append(piece.labels);
    rows_ += piece.rows;
    lines_before_ += piece.lines;
  }

  /// Foresees the number of rows from those read so far: growing by doubling would copy and hold
  /// twice as much. Memory that is reserved but never touched costs nothing.
  void reserve_for(std::uint64_t file_bytes) {
    const double seen = static_cast<double>(stream_.position());
    if (reserved_ || stream_.packed() || rows_ == 0 || seen >= static_cast<double>(file_bytes))
      return;
    reserved_ = true;
    const double rows = 1.02 * static_cast<double>(rows_) * static_cast<double>(file_bytes) / seen;
    values_.reserve(static_cast<std::size_t>(rows) * layout_->dimension);
  }

  ByteStream& stream_;
  const LoadOptions& options_;
  Purpose purpose_;
  int threads_;
  std::vector<char> buffer_;
  std::size_t filled_ = 0, consumed_ = 0;
  std::optional<TableLayout> layout_;
  std::vector<RowBlock> pieces_;
  std::vector<double> values_;
  LabelColumn labels_;
  std::size_t rows_ = 0, lines_before_ = 0;
  bool has_labels_ = false, reserved_ = false;
  PointSet result_;
};

}  // namespace

PointSet read_csv(ByteStream& stream, const LoadOptions& options) {
  CsvReader reader(stream, options, Purpose::points);
  reader.read();
  return reader.points();
}

Labels read_label_table(ByteStream& stream, const LoadOptions& options) {
  CsvReader reader(stream, options, Purpose::labels);
  reader.read();
  return reader.labels();
}

}  // namespace nw::io
