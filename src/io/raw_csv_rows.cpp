#include "io/raw_csv_rows.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "io/failure.hpp"
#include "io/missing_words.hpp"

namespace nw::io {
namespace {

constexpr double kMissingNumber = std::numeric_limits<double>::quiet_NaN();
/// A double holds every integer of up to 15 digits.
constexpr std::size_t kExactDigits = 15;
constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

/// 1.234,5 as a number: a comma before the decimals, points or blanks between groups of three.
std::optional<double> comma_number(std::string_view cell) {
  std::array<char, 64> plain{};
  if (cell.empty() || cell.size() >= plain.size()) return {};
  std::size_t length = 0, group = 0;
  bool grouped = false, decimals = false;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const char c = cell[i];
    if (c == ',') {
      if (decimals || (grouped && group != 3)) return {};
      decimals = true;
      plain[length++] = '.';
    } else if (c == '.') {
      if (decimals || group == 0 || group > 3 || (grouped && group != 3)) return {};
      grouped = true;
      group = 0;
    } else {
      if (c >= '0' && c <= '9' && !decimals) ++group;
      plain[length++] = c;
    }
  }
  if (grouped && !decimals && group != 3) return {};
  const ParsedNumber parsed = parse_number(plain.data(), plain.data() + length);
  if (parsed.status != NumberStatus::ok || parsed.end != plain.data() + length) return {};
  return parsed.value;
}

/// The number that all of `cell` is, in the notation of the table.
std::optional<double> whole_number(std::string_view cell, char decimal) {
  if (decimal == ',') return comma_number(cell);
  const ParsedNumber parsed = parse_number(cell.data(), cell.data() + cell.size());
  if (parsed.status != NumberStatus::ok || parsed.end != cell.data() + cell.size()) return {};
  return parsed.value;
}

bool is_too_large(std::string_view cell) {
  const ParsedNumber parsed = parse_number(cell.data(), cell.data() + cell.size());
  return parsed.status == NumberStatus::too_large && parsed.end == cell.data() + cell.size();
}

bool is_inexact(double value, std::size_t length) {
  return length > kExactDigits && std::abs(value) > kExactIntegers && value == std::floor(value);
}

class RawRowParser {
 public:
  RawRowParser(std::string_view records, const RawLayout& layout, RawBlock& out)
      : cells_(records, layout.delimiter, layout.names), layout_(layout), out_(out) {}

  void parse_all() {
    while (!cells_.done()) {
      cells_.skip_blanks();
      if (!cells_.at_line_end()) parse_line();
      cells_.finish_line();
      out_.lines = cells_.lines();
    }
  }

 private:
  void parse_line() {
    const char* const begin = cells_.position();
    const std::size_t columns = out_.columns.size();
    const bool odd = *begin == '#' && cells_.count_cells(begin).places != columns;
    if (odd) {
      ++out_.comments;
      cells_.skip_line();
      return;
    }
    // A line with too few cells is found out after some of them were taken, so it is counted first
    // where it can be one: text where the first column has numbers.
    if (columns > 1 && begins_with_text() && cells_.count_cells(begin).places < columns) {
      out_.trailing.push_back(cells_.ragged(begin, columns));
      cells_.skip_line();
      out_.trailing_text.emplace_back(begin, cells_.position());
      return;
    }
    if (!out_.trailing.empty()) throw std::move(out_.trailing.front());
    out_.row_before_trailing = true;
    parse_record(begin, columns);
  }

  /// Neither digit nor sign nor quote nor delimiter: the first cell is a word.
  [[nodiscard]] bool begins_with_text() const {
    const char c = cells_.peek();
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c & 0x80) != 0 || c == '*' ||
           c == '(';
  }

  void parse_record(const char* begin, std::size_t columns) {
    for (std::size_t column = 0; column < columns; ++column) {
      add_cell(column);
      if (cells_.at_line_end()) {
        if (column + 1 != columns) throw cells_.ragged(begin, columns);
        break;
      }
      cells_.skip_delimiter();
    }
    // One empty cell behind the last column is a delimiter too many, not a value.
    cells_.skip_blanks();
    if (!cells_.at_line_end()) throw cells_.ragged(begin, columns);
    ++out_.rows;
  }

  void add_cell(std::size_t index) {
    ColumnBuilder& column = out_.columns[index];
    cells_.skip_blanks();
    if (!column.is_text() && layout_.decimal == '.' && !cells_.at_quote()) {
      const CellScanner::NumberCell cell = cells_.number();
      if (cell.status == NumberStatus::ok) {
        if (cell.length > kExactDigits && is_inexact(cell.value, cell.length)) {
          column.add_inexact_number(cell.value);
        } else {
          column.add_number(cell.value);
        }
        return;
      }
      if (cell.status == NumberStatus::too_large) {
        cells_.problem(index,
                       shown(cells_.text(index)) + " does not fit a double; rescale the column");
      }
    }
    const std::string_view cell = cells_.text(index);
    if (is_missing_word(cell)) {
      column.add_missing();
    } else if (const auto number = column.is_text() ? std::optional<double>()
                                                    : whole_number(cell, layout_.decimal)) {
      if (is_inexact(*number, cell.size())) {
        column.add_inexact_number(*number);
      } else {
        column.add_number(*number);
      }
    } else {
      column.add_text(cell);
    }
  }

  CellScanner cells_;
  const RawLayout& layout_;
  RawBlock& out_;
};

}  // namespace

void ColumnBuilder::add_missing() {
  ++missing_;
  if (text_) {
    codes_.push_back(RawColumn::kMissing);
  } else {
    numbers_.push_back(kMissingNumber);
  }
}

void ColumnBuilder::add_text(std::string_view cell) {
  if (!text_) become_text();
  if (!verbatim_) {
    if (const auto number = whole_number(cell, '.')) return add_shortest(*number);
  }
  codes_.push_back(levels_.code_of(cell));
}

void ColumnBuilder::append(const ColumnBuilder& other) {
  missing_ += other.missing_;
  inexact_ = inexact_ || other.inexact_;
  if (!text_ && !other.text_) {
    numbers_.insert(numbers_.end(), other.numbers_.begin(), other.numbers_.end());
    return;
  }
  if (!text_) become_text();
  if (!other.text_) {
    for (const double value : other.numbers_) {
      if (std::isnan(value)) {
        codes_.push_back(RawColumn::kMissing);
      } else {
        add_shortest(value);
      }
    }
    return;
  }
  std::vector<std::uint32_t> translated;
  for (const std::string& level : other.levels_.levels()) {
    translated.push_back(levels_.code_of(level));
  }
  for (const std::uint32_t code : other.codes_) {
    codes_.push_back(code == RawColumn::kMissing ? code : translated[code]);
  }
}

void ColumnBuilder::become_text() {
  text_ = true;
  for (const double value : std::exchange(numbers_, {})) {
    if (std::isnan(value)) {
      codes_.push_back(RawColumn::kMissing);
    } else {
      add_shortest(value);
    }
  }
}

void ColumnBuilder::add_shortest(double value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  codes_.push_back(levels_.code_of({text.data(), static_cast<std::size_t>(end - text.data())}));
}

void ColumnBuilder::clear() {
  text_ = verbatim_;
  inexact_ = false;
  missing_ = 0;
  numbers_.clear();
  levels_.clear();
  codes_.clear();
}

void ColumnBuilder::reserve(std::size_t rows) {
  if (text_) {
    codes_.reserve(rows);
  } else {
    numbers_.reserve(rows);
  }
}

RawColumn ColumnBuilder::finish(std::string name) {
  return {.name = std::move(name),
          .kind = text_ ? CellKind::text : CellKind::number,
          .numbers = std::move(numbers_),
          .inexact = inexact_,
          .levels = levels_.take_levels(),
          .codes = std::move(codes_),
          .missing = missing_};
}

void parse_raw_rows(std::string_view records, const RawLayout& layout, RawBlock& out) {
  if (out.columns.empty()) {
    for (const bool text : layout.text) out.columns.emplace_back(text);
  }
  for (ColumnBuilder& column : out.columns) column.clear();
  out.rows = out.lines = out.comments = 0;
  out.trailing.clear();
  out.trailing_text.clear();
  out.row_before_trailing = false;
  out.problem.reset();
  try {
    RawRowParser(records, layout, out).parse_all();
  } catch (RowProblem& problem) {
    out.problem = std::move(problem);
  }
}

std::vector<bool> text_columns(const std::vector<std::string_view>& records, std::size_t columns,
                               char delimiter, char decimal) {
  std::vector<bool> text(columns, false);
  for (const std::string_view record : records) {
    const std::vector<std::string> cells = split_record(record, delimiter);
    if (cells.size() != columns) continue;
    for (std::size_t i = 0; i < columns; ++i) {
      const bool usable = is_missing_word(cells[i]) || whole_number(cells[i], decimal) ||
                          is_too_large(cells[i]);  // refused where it is read
      if (!usable) text[i] = true;
    }
  }
  return text;
}

}  // namespace nw::io
