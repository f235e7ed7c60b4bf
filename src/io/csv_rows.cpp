#include "io/csv_rows.hpp"

#include <algorithm>

#include "io/failure.hpp"
#include "io/number.hpp"

namespace nw::io {
namespace {

/// One pass over a block. Stops at the first problem, which it throws as RowProblem.
class RowParser {
 public:
  RowParser(std::string_view records, const TableLayout& layout, RowBlock& out)
      : at_(records.data()), end_(at_ + records.size()), layout_(layout), out_(out) {}

  void parse_all() {
    while (at_ != end_) {
      skip_blanks();
      if (!at_line_end()) parse_record();
      finish_line();
    }
  }

 private:
  void parse_record() {
    const std::size_t row_begin = out_.values.size();
    out_.values.resize(row_begin + layout_.dimension);
    double* const row = out_.values.data() + row_begin;
    const char* const record_begin = at_;
    const std::size_t columns = layout_.roles.size();
    for (std::size_t column = 0; column < columns; ++column) {
      const ColumnRole& role = layout_.roles[column];
      switch (role.kind) {
        case ColumnRole::Kind::coordinate:
          row[role.coordinate] = number(column);
          break;
        case ColumnRole::Kind::weight:
          out_.weights.push_back(weight(column));
          break;
        case ColumnRole::Kind::label:
          out_.labels.add(label(column));
          break;
        case ColumnRole::Kind::ignored:
          static_cast<void>(text(column));
          break;
      }
      if (at_line_end()) {
        if (column + 1 != columns) ragged(record_begin);
        break;
      }
      if (layout_.delimiter != kBlanks) ++at_;
    }
    // One empty cell behind the last column is a delimiter too many, not a value.
    skip_blanks();
    if (!at_line_end()) ragged(record_begin);
    ++out_.rows;
  }

  /// Leaves `at_` on a delimiter or at the end of the line, as every cell does.
  double number(std::size_t column) {
    skip_blanks();
    const char* const begin = at_;
    if (at_ != end_ && *at_ == '"') return quoted_number(column);
    const ParsedNumber parsed = parse_number(at_, end_);
    at_ = parsed.end;
    const bool whole = close_cell();
    if (parsed.status == NumberStatus::ok && whole) return parsed.value;
    at_ = begin;
    not_usable(column, text(column), whole ? parsed.status : NumberStatus::not_a_number);
  }

  double quoted_number(std::size_t column) {
    const std::string_view content = text(column);
    const char* const begin = content.data();
    const char* const end = begin + content.size();
    const ParsedNumber parsed = parse_number(begin, end);
    const bool whole = parsed.end == end;
    if (parsed.status == NumberStatus::ok && whole) return parsed.value;
    not_usable(column, content, whole ? parsed.status : NumberStatus::not_a_number);
  }

  double weight(std::size_t column) {
    const double value = number(column);
    if (value < 0.0) problem(column, concat("the weight ", value, " is negative"));
    return value;
  }

  std::string_view label(std::size_t column) {
    const std::string_view content = text(column);
    if (content.empty()) problem(column, "the label is empty; every point needs one");
    return content;
  }

  /// Text of the next cell without blanks around it and without quotes.
  std::string_view text(std::size_t column) {
    skip_blanks();
    if (at_ != end_ && *at_ == '"') return quoted_text(column);
    const char* const begin = at_;
    while (!at_line_end() && !separates(*at_)) {
      if (*at_ == '"') {
        problem(column,
                "a double quote inside a cell that does not begin with one; quote the whole "
                "cell and double the quotes inside");
      }
      ++at_;
    }
    const char* last = at_;
    while (last != begin && last[-1] == ' ') --last;
    static_cast<void>(close_cell());
    return {begin, static_cast<std::size_t>(last - begin)};
  }

  std::string_view quoted_text(std::size_t column) {
    const std::size_t opened_on = line_in_record_;
    scratch_.clear();
    for (++at_;; ++at_) {
      const char* const close = std::find(at_, end_, '"');
      line_in_record_ += static_cast<std::size_t>(std::count(at_, close, '\n'));
      scratch_.append(at_, close);
      at_ = close;
      if (at_ == end_) {
        line_in_record_ = opened_on;
        problem(column, concat("the quote before ", shown(scratch_), " is never closed"));
      }
      if (at_ + 1 == end_ || at_[1] != '"') break;
      scratch_ += '"';
      ++at_;
    }
    ++at_;
    if (!close_cell()) {
      problem(column, concat("text behind the closing quote of ", shown(scratch_)));
    }
    return scratch_;
  }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || (*at_ == '\t' && layout_.delimiter != '\t'))) ++at_;
  }

  [[nodiscard]] bool at_line_end() const {
    if (at_ == end_ || *at_ == '\n') return true;
    return *at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n');
  }

  [[nodiscard]] bool separates(char c) const {
    return c == layout_.delimiter || (c == '\t' && layout_.delimiter == kBlanks);
  }

  /// Moves behind the blanks that follow a cell. Returns whether the cell may end here.
  bool close_cell() {
    const char* const content_end = at_;
    skip_blanks();
    if (at_line_end()) return true;
    return layout_.delimiter == kBlanks ? at_ != content_end : *at_ == layout_.delimiter;
  }

  void finish_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ != end_) ++at_;
    out_.lines += line_in_record_ + 1;
    line_in_record_ = 0;
  }

  [[noreturn]] void problem(std::size_t column, const std::string& text) const {
    std::string place = concat(", column ", column + 1);
    if (column < layout_.names.size()) place += concat(" (", shown(layout_.names[column]), ")");
    throw RowProblem{out_.lines + line_in_record_, place + ": " + text};
  }

  [[noreturn]] void not_usable(std::size_t column, std::string_view cell,
                               NumberStatus status) const {
    if (cell.empty()) {
      problem(column, "the cell is empty; fill it or leave the row out");
    } else if (status == NumberStatus::not_finite) {
      problem(column, shown(cell) + " is not finite; replace it or leave the row out");
    } else if (status == NumberStatus::too_large) {
      problem(column, shown(cell) + " does not fit a double; rescale the column");
    }
    problem(column, shown(cell) +
                        " is not a number; choose the numeric columns, or say which one "
                        "is the label");
  }

  [[noreturn]] void ragged(const char* record_begin) {
    const char* const record_end = std::find(record_begin, end_, '\n');
    const std::size_t cells = count_cells({record_begin, record_end});
    throw RowProblem{out_.lines, concat(" has ", cells, cells == 1 ? " cell" : " cells",
                                        " where the first line has ", layout_.roles.size(),
                                        "; give every row the same number of cells")};
  }

  [[nodiscard]] std::size_t count_cells(std::string_view record) const {
    if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
    std::size_t cells = 1;
    bool in_quotes = false, in_gap = false;
    for (const char c : record) {
      if (c == '"') in_quotes = !in_quotes;
      const bool gap = separates(c) && !in_quotes;
      if (gap && !(layout_.delimiter == kBlanks && in_gap)) ++cells;
      in_gap = gap;
    }
    return in_gap && cells > 1 ? cells - 1 : cells;
  }

  const char* at_;
  const char* end_;
  const TableLayout& layout_;
  RowBlock& out_;
  std::size_t line_in_record_ = 0;
  std::string scratch_;
};

}  // namespace

TableLayout lay_out(const Dialect& dialect, const ColumnChoice& choice) {
  using Kind = ColumnRole::Kind;
  TableLayout layout{.delimiter = dialect.delimiter,
                     .roles = std::vector<ColumnRole>(dialect.columns),
                     .names = dialect.names,
                     .dimension = choice.coordinates.size()};
  for (std::size_t i = 0; i < choice.coordinates.size(); ++i) {
    layout.roles[choice.coordinates[i]] = {Kind::coordinate, i};
  }
  if (choice.label) layout.roles[*choice.label] = {Kind::label, 0};
  if (choice.weight) layout.roles[*choice.weight] = {Kind::weight, 0};
  return layout;
}

void RowBlock::clear() {
  values.clear();
  weights.clear();
  labels.clear();
  rows = lines = 0;
  problem.reset();
}

void parse_rows(std::string_view records, const TableLayout& layout, RowBlock& out) {
  out.clear();
  try {
    RowParser(records, layout, out).parse_all();
  } catch (RowProblem& problem) {
    out.problem = std::move(problem);
  }
}

}  // namespace nw::io
