#include "io/csv_rows.hpp"

#include "io/csv_cells.hpp"
#include "io/failure.hpp"
#include "io/number.hpp"

namespace nw::io {
namespace {

/// Points, labels and weights of one block.
class RowParser {
 public:
  RowParser(std::string_view records, const TableLayout& layout, RowBlock& out)
      : cells_(records, layout.delimiter, layout.names), layout_(layout), out_(out) {}

  void parse_all() {
    while (!cells_.done()) {
      cells_.skip_blanks();
      if (!cells_.at_line_end()) parse_record();
      cells_.finish_line();
      out_.lines = cells_.lines();
    }
  }

 private:
  void parse_record() {
    const std::size_t row_begin = out_.values.size();
    out_.values.resize(row_begin + layout_.dimension);
    double* const row = out_.values.data() + row_begin;
    const char* const record_begin = cells_.position();
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
          static_cast<void>(cells_.text(column));
          break;
      }
      if (cells_.at_line_end()) {
        if (column + 1 != columns) throw cells_.ragged(record_begin, columns);
        break;
      }
      cells_.skip_delimiter();
    }
    // One empty cell behind the last column is a delimiter too many, not a value.
    cells_.skip_blanks();
    if (!cells_.at_line_end()) throw cells_.ragged(record_begin, columns);
    ++out_.rows;
  }

  double number(std::size_t column) {
    cells_.skip_blanks();
    if (cells_.at_quote()) return quoted_number(column);
    const CellScanner::NumberCell cell = cells_.number();
    if (cell.status == NumberStatus::ok) return cell.value;
    not_usable(column, cells_.text(column), cell.status);
  }

  double quoted_number(std::size_t column) {
    const std::string_view content = cells_.text(column);
    const char* const begin = content.data();
    const char* const end = begin + content.size();
    const ParsedNumber parsed = parse_number(begin, end);
    const bool whole = parsed.end == end;
    if (parsed.status == NumberStatus::ok && whole) return parsed.value;
    not_usable(column, content, whole ? parsed.status : NumberStatus::not_a_number);
  }

  double weight(std::size_t column) {
    const double value = number(column);
    if (value < 0.0) cells_.problem(column, concat("the weight ", value, " is negative"));
    return value;
  }

  std::string_view label(std::size_t column) {
    const std::string_view content = cells_.text(column);
    if (content.empty()) cells_.problem(column, "the label is empty; every point needs one");
    return content;
  }

  [[noreturn]] void not_usable(std::size_t column, std::string_view cell,
                               NumberStatus status) const {
    if (cell.empty()) {
      cells_.problem(column, "the cell is empty; fill it or leave the row out");
    } else if (status == NumberStatus::not_finite) {
      cells_.problem(column, shown(cell) + " is not finite; replace it or leave the row out");
    } else if (status == NumberStatus::too_large) {
      cells_.problem(column, shown(cell) + " does not fit a double; rescale the column");
    }
    cells_.problem(column, shown(cell) +
                               " is not a number; choose the numeric columns, or say which one "
                               "is the label");
  }

  CellScanner cells_;
  const TableLayout& layout_;
  RowBlock& out_;
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
