#include "nw/report/text_table.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "nw/base/error.hpp"

namespace nw::report {
namespace {

constexpr std::size_t kFirstWidth = 12, kWidth = 7;  // of the narrowest columns

}  // namespace

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
    if (j == 0) {
      text.append(cell).append(padding);
    } else {
      text.append("  ").append(padding).append(cell);
    }
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + '\n';
}

bool TextTable::has_numbers(std::size_t column) const {
  return std::any_of(rows_.begin() + 1, rows_.end(), [&](const auto& row) {
    const std::string& cell = row[column];
    return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell[0])) != 0 ||
                             cell[0] == '-' || cell == "nan" || cell == "inf");
  });
}

std::string TextTable::text() const {
  std::vector<std::size_t> widths(rows_.front().size(), 0);
  std::vector<bool> to_the_right;
  for (std::size_t j = 0; j < widths.size(); ++j) {
    for (const auto& row : rows_) widths[j] = std::max(widths[j], row[j].size());
    to_the_right.push_back(j > 0 && has_numbers(j));
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string padding(widths[j] - row[j].size(), ' ');
      line += j == 0 ? "" : "  ";
      line += to_the_right[j] ? padding + row[j] : row[j] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
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

}  // namespace nw::report
