// Which rows are X and which are Y, by the values of one column.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "nw/base/error.hpp"
#include "nw/base/suggestion.hpp"

#include "io/missing_words.hpp"
#include "table/column_names.hpp"
#include "table/raw_rows.hpp"
#include "table/typed_column.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using io::CellKind;
using io::RawColumn;
using io::RawTable;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = text.find(',', begin);
    std::string part = text.substr(begin, comma - begin);
    const auto first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    if (first != std::string::npos) parts.push_back(part.substr(first, last - first + 1));
    if (comma == std::string::npos) return parts;
    begin = comma + 1;
  }
}

/// The values of the column as texts, and as numbers or times where they are.
class SplitColumn {
 public:
  SplitColumn(const RawTable& table, const RawColumn& column, std::string name)
      : file_(table.source), name_(std::move(name)) {
    const TypedColumn typed = infer_column({.name = name_, .x = &column, .chosen = true});
    time_ = typed.kind == Kind::datetime;
    numbers_ = typed.x.numbers;
    if (!numbers_.empty()) {
      for (const double value : numbers_) {
        texts_.push_back(std::isnan(value) ? "" : time_ ? date_text(value) : shortest(value));
      }
      return;
    }
    for (const auto code : typed.x.codes) {
      texts_.push_back(code == RawColumn::kMissing ? "" : typed.levels[code]);
    }
    levels_ = typed.levels;
    // Two numbers are levels to infer_column, and a range may still be asked for.
    for (const std::string& text : texts_) {
      NumberStyle style;
      numbers_.push_back(written_number(text, '.', style).value_or(kInfinity));
    }
  }

  /// Distinct values in order: at most a few more than a message shows.
  [[nodiscard]] std::vector<std::string> values() const {
    if (!levels_.empty()) return levels_;
    std::vector<double> distinct;
    for (const double value : numbers_) {
      if (!std::isnan(value)) distinct.push_back(value);
    }
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::string> texts;
    for (const double value : distinct) texts.push_back(time_ ? date_text(value) : shortest(value));
    return texts;
  }

  /// The rows that one of the comma-separated `wanted` stands for.
  [[nodiscard]] std::vector<bool> rows_of(const std::string& wanted) const {
    std::vector<bool> rows(texts_.size(), false);
    // A level may contain a comma itself.
    if (select(wanted, rows)) return rows;
    for (const std::string& part : parts_of(wanted)) {
      if (!select(part, rows)) unknown(part);
    }
    return rows;
  }

  [[nodiscard]] bool missing(std::size_t row) const { return texts_[row].empty(); }
  [[nodiscard]] std::size_t rows() const { return texts_.size(); }

  [[nodiscard]] std::string listing() const {
    std::vector<std::string> all = values();
    std::string text;
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < std::min(all.size(), kShown); ++i) {
      const auto count = std::ranges::count(texts_, all[i]);
      text += concat(i == 0 ? "" : ", ", all[i], " (", count, ")");
    }
    if (all.size() > kShown) text += concat(", ... (", all.size(), " in all)");
    return text;
  }

  [[noreturn]] void unknown(const std::string& part) const {
    const bool many = levels_.empty();
    throw IoError(concat(file_, ": no row has ", name_, " = \"", part, "\"",
                         many ? "" : did_you_mean(part, levels_), "; its values are ", listing(),
                         many ? "; ranges are written low..high" : ""));
  }

 private:
  /// Adds the rows of one value or range; returns whether there are any.
  bool select(const std::string& part, std::vector<bool>& rows) const {
    bool any = false;
    const auto add = [&](auto&& test) {
      for (std::size_t i = 0; i < texts_.size(); ++i) {
        if (missing(i) || !test(i)) continue;
        rows[i] = any = true;
      }
    };
    add([&](std::size_t i) { return texts_[i] == part; });
    if (any) return true;
    const std::string word = folded(part);
    if (!levels_.empty()) add([&](std::size_t i) { return folded(texts_[i]) == word; });
    if (any) return true;
    const auto range = range_of(part);
    if (!range) return false;
    add([&](std::size_t i) {
      return std::isfinite(numbers_[i]) && numbers_[i] >= range->begin && numbers_[i] < range->end;
    });
    return any;
  }

  /// `low..high`, `>= low`, `< high`, a number, a date: from `begin` to before `end`.
  [[nodiscard]] std::optional<TimeSpan> range_of(const std::string& part) const {
    const auto next = [](double value) { return std::nextafter(value, kInfinity); };
    for (const char* sign : {">=", "<=", ">", "<"}) {
      if (!part.starts_with(sign)) continue;
      const auto bound = point(part.substr(std::string(sign).size()));
      if (!bound) return {};
      const bool equal = sign[1] == '=';
      if (sign[0] == '>') return TimeSpan{equal ? bound->begin : bound->end, kInfinity};
      return TimeSpan{-kInfinity, equal ? bound->end : bound->begin};
    }
    const std::size_t dots = part.find("..");
    if (dots == std::string::npos) return point(part);
    TimeSpan range{-kInfinity, kInfinity};
    if (dots > 0) {
      const auto low = point(part.substr(0, dots));
      if (!low) return {};
      range.begin = low->begin;
    }
    if (dots + 2 < part.size()) {
      const auto high = point(part.substr(dots + 2));
      if (!high) return {};
      range.end = time_ ? high->end : next(high->begin);
    }
    return range;
  }

  [[nodiscard]] std::optional<TimeSpan> point(const std::string& text) const {
    if (time_) return time_span(text);
    NumberStyle style;
    const auto value = written_number(text, '.', style);
    if (!value) return {};
    return TimeSpan{*value, std::nextafter(*value, kInfinity)};
  }

  std::string file_, name_;
  bool time_ = false;
  std::vector<std::string> texts_, levels_;
  std::vector<double> numbers_;
};

}  // namespace

SplitTable split_table(const RawTable& table, const BySplit& by) {
  std::vector<std::string> names;
  for (const RawColumn& column : table.columns) names.push_back(column.name);
  const ColumnNames known(names, table.source);
  SplitTable split;
  split.column = known.find_one(by.column, "--by");
  const std::string& name = known.name(split.column);
  const SplitColumn column(table, table.columns[split.column], name);
  std::string from = by.from, to = by.to;
  if (from.empty() && to.empty()) {
    const std::vector<std::string> values = column.values();
    if (values.size() != 2) {
      throw IoError(concat(table.source, ": ", name, " has ", values.size(),
                           values.size() == 1 ? " value" : " values",
                           " where --by needs two; choose with --from and --to among ",
                           column.listing()));
    }
    from = values[0];
    to = values[1];
  }
  const std::vector<bool> none;
  const std::vector<bool> in_x = from.empty() ? none : column.rows_of(from);
  const std::vector<bool> in_y = to.empty() ? none : column.rows_of(to);
  std::vector<std::size_t> x, y;
  for (std::size_t i = 0; i < column.rows(); ++i) {
    if (column.missing(i)) continue;
    const bool is_x = from.empty() ? !in_y[i] : static_cast<bool>(in_x[i]);
    const bool is_y = to.empty() ? !in_x[i] : static_cast<bool>(in_y[i]);
    if (is_x && is_y) {
      throw IoError(concat(table.source, ": row ", i + 1, " belongs to both ", name, " = ", from,
                           " and ", name, " = ", to, "; choose values that exclude each other"));
    }
    if (is_x) x.push_back(i);
    if (is_y) y.push_back(i);
  }
  split.x_name = name + (from.empty() ? " other than " + to : " = " + from);
  split.y_name = name + (to.empty() ? " other than " + from : " = " + to);
  for (const auto& [rows, side] : {std::pair(&x, &split.x_name), std::pair(&y, &split.y_name)}) {
    if (rows->empty()) {
      throw IoError(
          concat(table.source, ": no row has ", *side, "; its values are ", column.listing()));
    }
  }
  split.left_out = column.rows() - x.size() - y.size();
  split.x = take_rows(table, x);
  split.y = take_rows(table, y);
  return split;
}

}  // namespace nw::table
