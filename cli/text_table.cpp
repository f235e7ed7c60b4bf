#include "cli/text_table.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "nw/base/error.hpp"

namespace nw::cli {
namespace {

constexpr std::size_t kFirstWidth = 12, kWidth = 7;  // of the narrowest columns

}  // namespace

std::string significant(double value, int digits) {
  if (value == 0.0) return "0";
  std::ostringstream text;
  // Integers of moderate size keep all their digits: 1234.5 with three digits is 1234, not 1.23e3.
  const double magnitude = std::floor(std::log10(std::abs(value)));
  if (magnitude >= digits && magnitude < 9) {
    text.precision(0);
    text << std::fixed << value;
  } else {
    text.precision(digits);
    text << value;
  }
  return text.str();
}

TextTable::TextTable(std::vector<std::string> heading) {
  rows_.push_back(std::move(heading));
}

void TextTable::add(std::vector<std::string> row) {
  require(row.size() == rows_.front().size(), "TextTable: ", row.size(), " cells in a table of ",
          rows_.front().size(), " columns");
  rows_.push_back(std::move(row));
}

std::string TextTable::line(std::size_t index) const {
  std::string text;
  for (std::size_t j = 0; j < rows_[index].size(); ++j) {
    const std::string& cell = rows_[index][j];
    const std::size_t width = std::max(rows_[0][j].size(), j == 0 ? kFirstWidth : kWidth);
    const std::string padding(width - std::min(width, cell.size()), ' ');
    text += j == 0 ? cell + padding : "  " + padding + cell;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

std::string TextTable::markdown() const {
  std::string text;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (const auto& cell : rows_[i]) text += "| " + cell + " ";
    text += "|\n";
    if (i > 0) continue;
    for (std::size_t j = 0; j < rows_[i].size(); ++j) text += j == 0 ? "| --- " : "| ---: ";
    text += "|\n";
  }
  return text;
}

}  // namespace nw::cli
