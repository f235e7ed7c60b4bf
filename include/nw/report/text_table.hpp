// Tables for people.
#pragma once

#include <string>
#include <vector>

#include "nw/base/number_text.hpp"

namespace nw::report {

/// Rows of cells, the first one being the heading.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> heading);
  void add(std::vector<std::string> row);

  /// The heading or one row (from 0), aligned by blanks: the first column to the left, the others
  /// to the right. Widths are those of the heading, so rows can be shown as they come.
  [[nodiscard]] std::string heading_line() const { return line(0); }
  [[nodiscard]] std::string row_line(std::size_t row) const { return line(row + 1); }
  /// Everything at once, in columns as wide as their widest cell: the first and those of words to
  /// the left, those of numbers to the right.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string markdown() const;

 private:
  [[nodiscard]] std::string line(std::size_t index) const;
  [[nodiscard]] bool has_numbers(std::size_t column) const;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace nw::report
