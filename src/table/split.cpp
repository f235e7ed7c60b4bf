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
  /// `kind` is what the column was taken for before, where it was.
  SplitColumn(const RawTable& table, const RawColumn& column, std::string name,
              std::optional<Kind> kind = {})
      : file_(table.source), name_(std::move(name)) {
    const TypedColumn typed =
        infer_column({.name = name_, .x = &column, .wanted = kind, .chosen = true});
    kind_ = typed.kind;
    numbers_ = typed.x.numbers;
    if (!numbers_.empty()) {
      for (const double value : numbers_) {
        texts_.push_back(std::isnan(value) ? "" : is_time() ? date_text(value) : shortest(value));
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

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] bool missing(std::size_t row) const { return texts_[row].empty(); }
  [[nodiscard]] std::size_t rows() const { return texts_.size(); }

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
    for (const double value : distinct) {
      texts.push_back(is_time() ? date_text(value) : shortest(value));
    }
    return texts;
  }

  [[nodiscard]] bool has(std::size_t row, const ValueChoice& choice) const {
    if (missing(row)) return false;
    switch (choice.by) {
      case ValueChoice::By::text:
        return texts_[row] == choice.text;
      case ValueChoice::By::word:
        return folded(texts_[row]) == choice.text;
      case ValueChoice::By::range:
        break;
    }
    const double value = numbers_[row];
    return std::isfinite(value) && value >= choice.begin && value < choice.end;
  }

  /// What the comma-separated `wanted` stands for; some row has each of its parts.
  [[nodiscard]] std::vector<ValueChoice> choices(const std::string& wanted) const {
    // A level may contain a comma itself.
    if (const auto one = choice(wanted)) return {*one};
    std::vector<ValueChoice> all;
    for (const std::string& part : parts_of(wanted)) {
      const auto one = choice(part);
      if (!one) unknown(part);
      all.push_back(*one);
    }
    return all;
  }

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
  [[nodiscard]] bool is_time() const { return kind_ == Kind::datetime; }

  /// The first reading of one value or range that some row has.
  [[nodiscard]] std::optional<ValueChoice> choice(const std::string& part) const {
    using By = ValueChoice::By;
    std::vector<ValueChoice> readings{{.by = By::text, .text = part}};
    if (!levels_.empty()) readings.push_back({.by = By::word, .text = folded(part)});
    if (const auto range = range_of(part)) {
      readings.push_back({.by = By::range, .text = {}, .begin = range->begin, .end = range->end});
    }
    for (const ValueChoice& reading : readings) {
      for (std::size_t i = 0; i < rows(); ++i) {
        if (has(i, reading)) return reading;
      }
    }
    return {};
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
      range.end = is_time() ? high->end : next(high->begin);
    }
    return range;
  }

  [[nodiscard]] std::optional<TimeSpan> point(const std::string& text) const {
    if (is_time()) return time_span(text);
    NumberStyle style;
    const auto value = written_number(text, '.', style);
    if (!value) return {};
    return TimeSpan{*value, std::nextafter(*value, kInfinity)};
  }

  std::string file_, name_;
  Kind kind_ = Kind::text;
  std::vector<std::string> texts_, levels_;
  std::vector<double> numbers_;
};

enum class RowSide { x, y, neither };

RowSide side_of(const SplitColumn& column, std::size_t row, const RowSplit& split,
                const std::string& file) {
  const auto any = [&](const std::vector<ValueChoice>& choices) {
    return std::ranges::any_of(choices,
                               [&](const ValueChoice& choice) { return column.has(row, choice); });
  };
  if (column.missing(row)) return RowSide::neither;
  const bool from = any(split.from), to = any(split.to);
  const bool is_x = split.from.empty() ? !to : from;
  const bool is_y = split.to.empty() ? !from : to;
  if (is_x && is_y) {
    throw IoError(concat(file, ": row ", row + 1, " belongs to both ", split.x_name, " and ",
                         split.y_name, "; choose values that exclude each other"));
  }
  return is_x ? RowSide::x : is_y ? RowSide::y : RowSide::neither;
}

struct SideRows {
  std::vector<std::size_t> x, y;
};

SideRows rows_of_sides(const SplitColumn& column, const RowSplit& split, const std::string& file) {
  SideRows rows;
  for (std::size_t i = 0; i < column.rows(); ++i) {
    const RowSide side = side_of(column, i, split, file);
    if (side == RowSide::x) rows.x.push_back(i);
    if (side == RowSide::y) rows.y.push_back(i);
  }
  return rows;
}

ColumnNames names_of(const RawTable& table) {
  std::vector<std::string> names;
  for (const RawColumn& column : table.columns) names.push_back(column.name);
  return {std::move(names), table.source};
}

}  // namespace

SplitTable split_table(const RawTable& table, const BySplit& by) {
  const ColumnNames known = names_of(table);
  SplitTable split;
  split.column = known.find_one(by.column, "`by`");
  const std::string& name = known.name(split.column);
  const SplitColumn column(table, table.columns[split.column], name);
  std::string from = by.from, to = by.to;
  if (from.empty() && to.empty()) {
    const std::vector<std::string> values = column.values();
    if (values.size() != 2) {
      throw IoError(concat(table.source, ": ", name, " has ", values.size(),
                           values.size() == 1 ? " value" : " values",
                           " where `by` needs two; choose with `from` and `to` among ",
                           column.listing(),
                           column.kind() == Kind::numeric || column.kind() == Kind::integer
                               ? "; ranges such as 10..20 and >=5 will do"
                               : ""));
    }
    from = values[0];
    to = values[1];
  }
  RowSplit& rule = split.rule;
  rule.column = name;
  rule.kind = column.kind();
  if (!from.empty()) rule.from = column.choices(from);
  if (!to.empty()) rule.to = column.choices(to);
  rule.x_name = name + (from.empty() ? " other than " + to : " = " + from);
  rule.y_name = name + (to.empty() ? " other than " + from : " = " + to);
  const SideRows rows = rows_of_sides(column, rule, table.source);
  for (const auto& [own, side] :
       {std::pair(&rows.x, &rule.x_name), std::pair(&rows.y, &rule.y_name)}) {
    if (own->empty()) {
      throw IoError(
          concat(table.source, ": no row has ", *side, "; its values are ", column.listing()));
    }
  }
  split.left_out = column.rows() - rows.x.size() - rows.y.size();
  split.x = take_rows(table, rows.x);
  split.y = take_rows(table, rows.y);
  return split;
}

TwoTables split_like(const RowSplit& split, const RawTable& table) {
  const std::size_t at = names_of(table).find_one(split.column, "`by`");
  const SplitColumn column(table, table.columns[at], split.column, split.kind);
  const SideRows rows = rows_of_sides(column, split, table.source);
  return {take_rows(table, rows.x), take_rows(table, rows.y)};
}

}  // namespace nw::table
