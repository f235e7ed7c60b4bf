// Excel workbooks since 2007: the cells of the first sheet (ECMA-376, part 1, 18.3). The first row
// that is not empty names the columns when all of its cells are text. Empty rows are passed over.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "io/failure.hpp"
#include "io/formats/cell_column.hpp"
#include "io/formats/read_table.hpp"
#include "io/formats/workbook.hpp"
#include "io/formats/xml.hpp"
#include "io/number.hpp"

namespace nw::io {
namespace {

using Event = XmlScanner::Event;

constexpr std::size_t kMostColumns = 16384;  // A to XFD
constexpr double kDay = 86400.0;
constexpr double kExact = 9007199254740992.0;  // 2^53

struct Cell {
  enum class Kind { text, number, integer, boolean, date } kind = Kind::text;
  std::string text;
  double number = 0.0;
};

class SheetReader {
 public:
  SheetReader(const Workbook& workbook, const WorkbookParts& parts, const LoadOptions& options)
      : workbook_(workbook),
        options_(options),
        file_(parts.file()),
        text_(parts.read(workbook.sheet_part)),
        xml_(text_, parts.called(workbook.sheet_part)) {}

  RawTable read() {
    for (Event event = xml_.next(); event != Event::done; event = xml_.next()) {
      if (event != Event::start) continue;
      if (xml_.name() == "row") {
        start_row();
      } else if (xml_.name() == "c") {
        read_cell();
      }
    }
    end_row();
    return finish();
  }

 private:
  void start_row() {
    end_row();
    const std::string number = xml_.attribute("r");
    ++row_number_;
    std::from_chars(number.data(), number.data() + number.size(), row_number_);
    next_column_ = 0;
  }

  /// "AB12" is column 27; cells without a reference follow each other.
  std::size_t column_from(const std::string& reference) {
    std::size_t column = 0;
    for (const char c : reference) {
      if (c < 'A' || c > 'Z') break;
      column = column * 26 + static_cast<std::size_t>(c - 'A' + 1);
      if (column > kMostColumns) {
        fail(file_, "row ", row_number_, ": ", shown(reference), " is not a cell");
      }
    }
    if (column > 0) next_column_ = column - 1;
    if (next_column_ >= kMostColumns) fail(file_, "row ", row_number_, " has too many cells");
    return next_column_++;
  }

  void read_cell() {
    const std::size_t column = column_from(xml_.attribute("r"));
    const std::string type = xml_.attribute("t"), style = xml_.attribute("s");
    std::string value;
    bool there = false;
    for (int depth = 1; depth > 0;) {
      const Event event = xml_.next();
      if (event == Event::done) return;
      if (event == Event::end) --depth;
      if (event != Event::start) continue;
      if (xml_.name() == "v" || xml_.name() == "t") {
        value += xml_.element_text();
        there = true;
      } else if (xml_.name() == "f" || xml_.name() == "rPh") {
        xml_.skip_element();
      } else {
        ++depth;
      }
    }
    if (!there || type == "e") return;  // empty, or an error such as #N/A
    if (auto cell = cell_from(type, style, std::move(value))) {
      cells_.emplace_back(column, std::move(*cell));
    }
  }

  std::optional<Cell> cell_from(const std::string& type, const std::string& style,
                                std::string value) {
    Cell cell;
    if (type == "s") {
      std::size_t index = workbook_.shared_strings.size();
      std::from_chars(value.data(), value.data() + value.size(), index);
      if (index >= workbook_.shared_strings.size()) {
        fail(file_, "row ", row_number_, ": damaged workbook, no text number ", shown(value));
      }
      cell.text = workbook_.shared_strings[index];
      return cell;
    }
    if (type == "inlineStr" || type == "str" || type == "d") {
      cell.text = std::move(value);
      return cell;
    }
    const ParsedNumber parsed = parse_number(value.data(), value.data() + value.size());
    if (value.empty()) return {};
    if (parsed.status != NumberStatus::ok || parsed.end != value.data() + value.size()) {
      fail(file_, "row ", row_number_, ": damaged workbook, ", shown(value), " is not a number");
    }
    cell.number = parsed.value;
    if (type == "b") {
      cell.kind = Cell::Kind::boolean;
    } else if (shows_date(style)) {
      cell.kind = Cell::Kind::date;
      // Days since 1899-12-30, which makes up for a 29 February 1900 that Excel believes in.
      cell.number = (parsed.value - (workbook_.from_1904 ? 24107.0 : 25569.0)) * kDay;
    } else {
      const bool whole = value.find_first_of(".eE") == std::string::npos;
      cell.kind = whole ? Cell::Kind::integer : Cell::Kind::number;
    }
    return cell;
  }

  [[nodiscard]] bool shows_date(const std::string& style) const {
    std::size_t index = 0;
    std::from_chars(style.data(), style.data() + style.size(), index);
    return index < workbook_.date_styles.size() && workbook_.date_styles[index];
  }

  void end_row() {
    if (cells_.empty()) return;
    if (!started_) {
      started_ = true;
      const bool all_text = std::ranges::all_of(
          cells_, [](const auto& cell) { return cell.second.kind == Cell::Kind::text; });
      named_ =
          options_.header == Header::present || (options_.header == Header::automatic && all_text);
      if (named_) return take_names();
    }
    for (auto& [column, cell] : cells_) {
      grow(column + 1);
      if (columns_[column].size() > rows_) {
        fail(file_, "row ", row_number_, " has a cell twice, in column ", column + 1);
      }
      columns_[column].pad_to(rows_);
      put(cell, columns_[column]);
    }
    cells_.clear();
    ++rows_;
    require_table_fits(rows_, columns_.size(), options_, file_);
  }

  void take_names() {
    for (auto& [column, cell] : cells_) {
      grow(column + 1);
      names_[column] = cell.kind == Cell::Kind::text ? std::move(cell.text) : concat(cell.number);
    }
    cells_.clear();
  }

  void grow(std::size_t columns) {
    if (columns_.size() >= columns) return;
    require_table_fits(rows_ + 1, columns, options_, file_);
    columns_.resize(columns);
    names_.resize(columns);
  }

  static void put(const Cell& cell, CellColumn& column) {
    switch (cell.kind) {
      case Cell::Kind::text:
        return column.add_text(cell.text);
      case Cell::Kind::number:
        return column.add_number(cell.number);
      case Cell::Kind::integer:
        return column.add_integer(cell.number, std::abs(cell.number) < kExact);
      case Cell::Kind::boolean:
        return column.add_boolean(cell.number != 0.0);
      case Cell::Kind::date:
        return column.add_timestamp(cell.number);
    }
  }

  RawTable finish() {
    RawTable table{.source = file_, .rows = rows_, .columns = {}, .has_names = named_, .notes = {}};
    if (rows_ == 0) fail(file_, "sheet ", shown(workbook_.sheet_name), " holds no rows");
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      // A column that has neither name nor cells is a gap between others.
      if (columns_[j].size() == 0 && names_[j].empty()) continue;
      columns_[j].pad_to(rows_);
      table.columns.push_back(columns_[j].finish(std::move(names_[j])));
    }
    if (workbook_.sheets > 1) {
      table.notes.push_back(
          concat("sheet ", shown(workbook_.sheet_name), " of ", workbook_.sheets, " sheets"));
    }
    return table;
  }

  const Workbook& workbook_;
  const LoadOptions& options_;
  std::string file_, text_;
  XmlScanner xml_;
  std::vector<std::pair<std::size_t, Cell>> cells_;  ///< of the row, with their columns
  std::vector<CellColumn> columns_;
  std::vector<std::string> names_;
  std::size_t rows_ = 0, row_number_ = 0, next_column_ = 0;
  bool started_ = false, named_ = false;
};

}  // namespace

RawTable read_raw_xlsx(const ByteSource& source, const LoadOptions& options) {
  const WorkbookParts parts(source, options);
  const Workbook workbook = read_workbook(parts);
  return SheetReader(workbook, parts, options).read();
}

}  // namespace nw::io
