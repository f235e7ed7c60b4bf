// Tables of text. The file is read in blocks of a few megabytes; each block is cut into pieces at
// record ends, the pieces are parsed by several threads and joined in order. Nothing but the result
// and one block is ever in memory, and the result does not depend on the number of threads.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "nw/base/parallel.hpp"

#include "io/column_choice.hpp"
#include "io/csv_blocks.hpp"
#include "io/csv_records.hpp"
#include "io/csv_rows.hpp"
#include "io/failure.hpp"
#include "io/readers.hpp"
#include "io/text_stream.hpp"

namespace nw::io {
namespace {

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
      : name_(stream.name()),
        options_(options),
        purpose_(purpose),
        threads_(resolve_threads(options.threads)),
        blocks_(stream, options) {}

  void read() {
    start();
    while (const auto records = blocks_.next()) {
      parse(*records);
      reserve();
    }
    if (rows_ == 0) fail(name_, "has no rows; give a table with one point per line");
  }

  PointSet points() {
    result_.values = Matrix(std::move(values_), rows_, layout_.dimension);
    if (has_labels_) result_.labels = labels_.finish();
    require_usable_weights(result_.weights, name_);
    result_.source = concat(name_, " (CSV)");
    return std::move(result_);
  }

  [[nodiscard]] Labels labels() const { return labels_.finish(); }

 private:
  /// Finds out what the table looks like.
  void start() {
    const std::string_view text = blocks_.start();
    const bool for_labels = purpose_ == Purpose::labels;
    LoadOptions options = options_;
    if (options.delimiter == '\0') options.delimiter = blocks_.before().delimiter;
    const Dialect dialect =
        for_labels ? find_label_dialect(text, options, name_) : find_dialect(text, options, name_);
    const ColumnChoice choice =
        for_labels ? choose_label_column(dialect, name_)
                   : choose_columns(options_, dialect.columns, dialect.names, name_);
    layout_ = lay_out(dialect, choice);
    for (const std::size_t column : choice.coordinates) {
      if (!dialect.names.empty()) result_.column_names.push_back(dialect.names[column]);
    }
    has_labels_ = choice.label.has_value();
    blocks_.skip(dialect.header);
  }

  void parse(std::string_view records) {
    const std::vector<std::string_view> pieces = pieces_of(records);
    if (pieces_.size() < pieces.size()) pieces_.resize(pieces.size());
    parallel_for(threads_, pieces.size(), 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) parse_rows(pieces[i], layout_, pieces_[i]);
    });
    for (std::size_t i = 0; i < pieces.size(); ++i) append(pieces_[i]);
  }

  void append(const RowBlock& piece) {
    if (piece.problem) {
      fail(name_, "line ", blocks_.lines_before + piece.problem->line + 1, piece.problem->text);
    }
    values_.insert(values_.end(), piece.values.begin(), piece.values.end());
    result_.weights.insert(result_.weights.end(), piece.weights.begin(), piece.weights.end());
    labels_.append(piece.labels);
    rows_ += piece.rows;
    blocks_.lines_before += piece.lines;
  }

  /// Foresees the number of rows from those read so far: growing by doubling would copy and hold
  /// twice as much. Memory that is reserved but never touched costs nothing.
  void reserve() {
    const auto share = blocks_.share_read();
    if (reserved_ || !share || rows_ == 0 || *share >= 1.0) return;
    reserved_ = true;
    const double rows = 1.02 * static_cast<double>(rows_) / *share;
    values_.reserve(static_cast<std::size_t>(rows) * layout_.dimension);
  }

  const std::string& name_;
  const LoadOptions& options_;
  Purpose purpose_;
  int threads_;
  RecordBlocks blocks_;
  TableLayout layout_;
  std::vector<RowBlock> pieces_;
  std::vector<double> values_;
  LabelColumn labels_;
  std::size_t rows_ = 0;
  bool has_labels_ = false, reserved_ = false;
  PointSet result_;
};

}  // namespace

PointSet read_csv(ByteStream& stream, const LoadOptions& options) {
  TextStream text(stream);
  CsvReader reader(text, options, Purpose::points);
  reader.read();
  return reader.points();
}

Labels read_label_table(ByteStream& stream, const LoadOptions& options) {
  TextStream text(stream);
  CsvReader reader(text, options, Purpose::labels);
  reader.read();
  return reader.labels();
}

}  // namespace nw::io
