#include "io/column_choice.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ordinal.hpp"
#include "io/failure.hpp"

namespace nw::io {
namespace {

std::string listing(std::size_t count, const std::vector<std::string>& names) {
  if (names.empty()) return concat("1 to ", count, " (it has no header)");
  std::string text;
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kShown) text += concat(", ... (", names.size(), " in all)");
  return text;
}

/// Knows the columns of one table.
class Table {
 public:
  Table(std::size_t count, const std::vector<std::string>& names, const std::string& file)
      : count_(count), names_(names), file_(file) {}

  /// The columns [first, last] that `text` stands for.
  [[nodiscard]] std::pair<std::size_t, std::size_t> range(const std::string& text) const {
    if (const auto column = by_name(text)) return {*column, *column};
    if (const auto number = parse_ordinal(text)) return {checked(*number, text), *number - 1};
    const std::size_t dash = text.find('-');
    if (dash != std::string::npos) {
      const auto first = parse_ordinal(std::string_view(text).substr(0, dash));
      const auto last = parse_ordinal(std::string_view(text).substr(dash + 1));
      if (first && last && *first <= *last) {
        return {checked(*first, text), checked(*last, text)};
      }
    }
    unknown(text);
  }

  [[nodiscard]] std::size_t single(const std::string& text) const {
    const auto [first, last] = range(text);
    require(first == last, "column \"", text, "\" is a range where one column is expected");
    return first;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> by_name(const std::string& text) const {
    const auto found = std::ranges::find(names_, text);
    if (found == names_.end()) return {};
    if (std::find(found + 1, names_.end(), text) != names_.end()) {
      fail(file_, "has several columns called ", shown(text), "; choose by number, from 1");
    }
    return static_cast<std::size_t>(found - names_.begin());
  }

  [[nodiscard]] std::size_t checked(std::size_t number, const std::string& text) const {
    if (number > count_) unknown(text);
    return number - 1;
  }

  [[noreturn]] void unknown(const std::string& text) const {
    fail(file_, "has no column ", shown(text), "; its columns are ", listing(count_, names_));
  }

  std::size_t count_;
  const std::vector<std::string>& names_;
  const std::string& file_;
};

}  // namespace

ColumnChoice choose_columns(const LoadOptions& options, std::size_t count,
                            const std::vector<std::string>& names, const std::string& file) {
  const Table table(count, names, file);
  ColumnChoice choice;
  std::vector<bool> taken(count, false);
  const auto take = [&](std::size_t column) {
    if (taken[column]) {
      fail(file, "column ", column + 1,
           column < names.size() ? " (" + shown(names[column]) + ")" : "",
           " is chosen twice; coordinates, label and weight must differ");
    }
    taken[column] = true;
    return column;
  };
  if (!options.label_column.empty()) choice.label = take(table.single(options.label_column));
  if (!options.weight_column.empty()) choice.weight = take(table.single(options.weight_column));
  for (const std::string& text : options.columns) {
    const auto [first, last] = table.range(text);
    for (std::size_t column = first; column <= last; ++column) {
      choice.coordinates.push_back(take(column));
    }
  }
  if (options.columns.empty()) {
    for (std::size_t column = 0; column < count; ++column) {
      if (!taken[column]) choice.coordinates.push_back(column);
    }
  }
  if (choice.coordinates.empty()) {
    fail(file, "has no column left for coordinates beside label and weight");
  }
  return choice;
}

}  // namespace nw::io
