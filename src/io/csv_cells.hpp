// Private: walks over the cells of a table of text, whatever becomes of them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/csv_records.hpp"
#include "io/number.hpp"

namespace nw::io {

struct RowProblem {
  std::size_t line = 0;  ///< from 0, relative to the block
  std::string text;      ///< what stands behind "line N"
};

/// One pass over whole records. Stops at the first problem, which it throws as RowProblem. Every
/// cell that was read leaves the scanner on a delimiter or at the end of the line.
class CellScanner {
 public:
  /// `names` may be empty; it outlives the scanner.
  CellScanner(std::string_view records, char delimiter, const std::vector<std::string>& names)
      : at_(records.data()), end_(at_ + records.size()), delimiter_(delimiter), names_(names) {}

  [[nodiscard]] bool done() const noexcept { return at_ == end_; }
  [[nodiscard]] char peek() const noexcept { return *at_; }
  [[nodiscard]] const char* position() const noexcept { return at_; }
  [[nodiscard]] std::size_t lines() const noexcept { return lines_; }

  void skip_blanks() {
    while (at_ != end_ && (*at_ == ' ' || (*at_ == '\t' && delimiter_ != '\t'))) ++at_;
  }

  [[nodiscard]] bool at_line_end() const {
    if (at_ == end_ || *at_ == '\n') return true;
    return *at_ == '\r' && (at_ + 1 == end_ || at_[1] == '\n');
  }

  void skip_delimiter() {
    if (delimiter_ != kBlanks) ++at_;
  }

  void finish_line() {
    if (at_ != end_ && *at_ == '\r') ++at_;
    if (at_ != end_) ++at_;
    lines_ += line_in_record_ + 1;
    line_in_record_ = 0;
  }

  /// Moves to the end of the line without looking at its cells.
  void skip_line() {
    while (!at_line_end()) ++at_;
  }

  /// What an unquoted cell holds as a number. Where that is not all of the cell, the scanner stays
  /// before it and the status is not_a_number.
  struct NumberCell {
    double value;
    NumberStatus status;
    std::size_t length;  ///< of the written number
  };
  [[nodiscard]] NumberCell number() {
    skip_blanks();
    const char* const begin = at_;
    const ParsedNumber parsed = parse_number(at_, end_);
    at_ = parsed.end;
    const bool whole = close_cell();
    if (parsed.status == NumberStatus::ok && whole) {
      return {parsed.value, NumberStatus::ok, static_cast<std::size_t>(parsed.end - begin)};
    }
    at_ = begin;
    return {parsed.value, whole ? parsed.status : NumberStatus::not_a_number, 0};
  }

  /// Text of the next cell without blanks around it and without quotes. Valid until the next call.
  [[nodiscard]] std::string_view text(std::size_t column);

  [[nodiscard]] bool at_quote() const noexcept { return at_ != end_ && *at_ == '"'; }

  /// Throws the problem of one cell.
  [[noreturn]] void problem(std::size_t column, const std::string& text) const;

  /// What is wrong with a record that has another number of cells than the first line.
  [[nodiscard]] RowProblem ragged(const char* record_begin, std::size_t columns) const;

  /// Cells of the line that begins at `record_begin`: `places` counts an empty one behind the last
  /// delimiter too.
  struct CellCount {
    std::size_t filled, places;
  };
  [[nodiscard]] CellCount count_cells(const char* record_begin) const;

 private:
  [[nodiscard]] std::string_view quoted_text(std::size_t column);

  [[nodiscard]] bool separates(char c) const {
    return c == delimiter_ || (c == '\t' && delimiter_ == kBlanks);
  }

  /// Moves behind the blanks that follow a cell. Returns whether the cell may end here.
  bool close_cell() {
    const char* const content_end = at_;
    skip_blanks();
    if (at_line_end()) return true;
    return delimiter_ == kBlanks ? at_ != content_end : *at_ == delimiter_;
  }

  const char* at_;
  const char* end_;
  char delimiter_;
  const std::vector<std::string>& names_;
  std::size_t lines_ = 0, line_in_record_ = 0;
  std::string scratch_;
};

}  // namespace nw::io
