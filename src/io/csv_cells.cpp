#include "io/csv_cells.hpp"

#include <algorithm>

#include "io/failure.hpp"

namespace nw::io {

std::string_view CellScanner::text(std::size_t column) {
  skip_blanks();
  if (at_quote()) return quoted_text(column);
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

std::string_view CellScanner::quoted_text(std::size_t column) {
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

void CellScanner::problem(std::size_t column, const std::string& text) const {
  std::string place = concat(", column ", column + 1);
  if (column < names_.size()) place += concat(" (", shown(names_[column]), ")");
  throw RowProblem{lines_ + line_in_record_, place + ": " + text};
}

RowProblem CellScanner::ragged(const char* record_begin, std::size_t columns) const {
  const std::size_t cells = count_cells(record_begin).filled;
  return {lines_,
          concat(" has ", cells, cells == 1 ? " cell" : " cells", " where the first line has ",
                 columns, "; give every row the same number of cells")};
}

CellScanner::CellCount CellScanner::count_cells(const char* record_begin) const {
  std::string_view record(
      record_begin, static_cast<std::size_t>(std::find(record_begin, end_, '\n') - record_begin));
  if (!record.empty() && record.back() == '\r') record.remove_suffix(1);
  std::size_t places = 1;
  bool in_quotes = false, in_gap = false;
  for (const char c : record) {
    if (c == '"') in_quotes = !in_quotes;
    const bool gap = separates(c) && !in_quotes;
    if (gap && !(delimiter_ == kBlanks && in_gap)) ++places;
    in_gap = gap;
  }
  return {.filled = in_gap && places > 1 ? places - 1 : places, .places = places};
}

}  // namespace nw::io
