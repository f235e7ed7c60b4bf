// What the values of a column are. Cells of text are looked at once per distinct text, so that long
// columns of few levels cost little.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "nw/base/error.hpp"

#include "io/level_codes.hpp"
#include "io/missing_words.hpp"
#include "table/column_names.hpp"
#include "table/typed_column.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

using io::CellKind;
using io::RawColumn;

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();
/// A column of text is one of numbers when at least this share of its cells are.
constexpr double kMostlyNumbers = 0.9;
/// More levels than this, and more than half as many as rows: nobody counts shares of these.
constexpr std::size_t kManyLevels = 20;
/// So many rows must be there before "all different" or "in steps" means anything.
constexpr std::size_t kEnoughRows = 10;
constexpr std::size_t kLongText = 60;

bool is_text(const RawColumn& column) {
  return column.kind == CellKind::text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// Both sides as codes of one list of texts, words for missing values apart.
struct JointLevels {
  std::vector<std::string> levels;
  std::vector<std::size_t> count;  ///< cells by level
  SideValues x, y;
};

SideValues code_side(const RawColumn& column, io::LevelCodes& levels) {
  SideValues side;
  const auto add = [&](std::string_view text) {
    text = trimmed(text);
    return io::is_missing_word(text) ? RawColumn::kMissing : levels.code_of(text);
  };
  if (is_text(column)) {
    std::vector<std::uint32_t> translated;
    for (const std::string& level : column.levels) translated.push_back(add(level));
    for (const std::uint32_t code : column.codes) {
      side.codes.push_back(code == RawColumn::kMissing ? code : translated[code]);
    }
  } else {
    for (const double value : column.numbers) {
      const bool truth = column.kind == CellKind::boolean;
      const std::string text = std::isnan(value) ? ""
                               : truth           ? (value != 0.0 ? "true" : "false")
                               : column.kind == CellKind::timestamp ? date_text(value)
                                                                    : shortest(value);
      side.codes.push_back(add(text));
    }
  }
  side.missing = static_cast<std::size_t>(std::ranges::count(side.codes, RawColumn::kMissing));
  return side;
}

JointLevels join_levels(const ColumnPair& pair) {
  io::LevelCodes codes;
  JointLevels joint;
  joint.x = code_side(*pair.x, codes);
  if (pair.y != nullptr) joint.y = code_side(*pair.y, codes);
  joint.levels = codes.take_levels();
  joint.count.assign(joint.levels.size(), 0);
  for (const SideValues* side : {&joint.x, &joint.y}) {
    for (const std::uint32_t code : side->codes) {
      if (code != RawColumn::kMissing) ++joint.count[code];
    }
  }
  return joint;
}

/// Replaces codes by the numbers of their levels; NaN for levels without one.
SideValues numbers_of(const SideValues& side, const std::vector<double>& by_level) {
  SideValues numbers;
  for (const std::uint32_t code : side.codes) {
    numbers.numbers.push_back(code == RawColumn::kMissing ? kNotANumber : by_level[code]);
    numbers.missing += std::isnan(numbers.numbers.back()) ? 1 : 0;
  }
  return numbers;
}

void become_numbers(TypedColumn& column, const JointLevels& joint,
                    const std::vector<double>& by_level) {
  column.x = numbers_of(joint.x, by_level);
  column.y = numbers_of(joint.y, by_level);
}

SideValues numeric_side(const RawColumn* column) {
  SideValues side;
  if (column == nullptr) return side;
  side.numbers = column->numbers;
  for (double& value : side.numbers) {
    if (!std::isfinite(value)) value = kNotANumber;
    side.missing += std::isnan(value) ? 1 : 0;
  }
  return side;
}

/// The first few distinct values of both sides, in order; stops behind three.
std::vector<double> few_values(const TypedColumn& column) {
  std::vector<double> seen;
  for (const SideValues* side : {&column.x, &column.y}) {
    for (const double value : side->numbers) {
      if (std::isnan(value) || std::ranges::find(seen, value) != seen.end()) continue;
      seen.push_back(value);
      if (seen.size() > 2) return seen;
    }
  }
  std::ranges::sort(seen);
  return seen;
}

bool all_whole(const TypedColumn& column) {
  const auto whole = [](double value) { return std::isnan(value) || value == std::floor(value); };
  return std::ranges::all_of(column.x.numbers, whole) &&
         std::ranges::all_of(column.y.numbers, whole);
}

bool all_different(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.size() < kEnoughRows) return false;
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

/// A heading that promises an identifier: id, user_id, userId, key, uuid.
bool named_as_identifier(const std::string& name) {
  const std::string word = folded(name);
  constexpr std::array<std::string_view, 13> kWords = {
      "id", "index", "key", "uuid",     "guid",      "rowid", "nr",
      "no", "row",   "obs", "rownames", "row.names", "row_id"};
  if (std::ranges::find(kWords, word) != kWords.end()) return true;
  // What pandas calls a column of row numbers that was saved without a name.
  if (word.starts_with("unnamed: ")) return true;
  return word.ends_with("_id") || word.ends_with("_id_str") || word.ends_with(" id") ||
         word.ends_with("-id") || word.ends_with(".id") ||
         (name.size() > 2 && name.ends_with("Id")) || (name.size() > 2 && name.ends_with("ID"));
}

void become_levels(TypedColumn& column, JointLevels joint, Kind kind) {
  std::vector<std::size_t> order(joint.levels.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<double> values;
  for (const std::string& level : joint.levels) {
    double value = kNotANumber;
    std::from_chars(level.data(), level.data() + level.size(), value);
    const auto truth = written_boolean(level);
    values.push_back(truth ? (*truth ? 1.0 : 0.0) : value);
  }
  // Numbers by size, truth values from no to yes, words by letter.
  const bool numbers = std::ranges::none_of(values, [](double value) { return std::isnan(value); });
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    if (numbers && values[a] != values[b]) return values[a] < values[b];
    return joint.levels[a] < joint.levels[b];
  });
  std::vector<std::uint32_t> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = static_cast<std::uint32_t>(i);
    column.levels.push_back(joint.levels[order[i]]);
  }
  for (SideValues* side : {&joint.x, &joint.y}) {
    for (std::uint32_t& code : side->codes) {
      if (code != RawColumn::kMissing) code = rank[code];
    }
  }
  column.kind = kind;
  column.x = std::move(joint.x);
  column.y = std::move(joint.y);
}

/// 19580329 for the 29th of March 1958: whole numbers, all of which are days of these centuries.
/// Few values may be so by chance: `least` must be there, and as many changes from one to the next.
bool holds_written_days(const TypedColumn& column, std::size_t least) {
  constexpr double kFirst = 18000101.0, kLast = 21001231.0;
  std::size_t values = 0, different = 0;
  double before = kNotANumber;
  for (const SideValues* side : {&column.x, &column.y}) {
    for (const double value : side->numbers) {
      if (std::isnan(value)) continue;
      if (!(value >= kFirst && value <= kLast) || !seconds_of_written_day(value)) return false;
      ++values;
      different += value != before ? 1 : 0;
      before = value;
    }
  }
  return values >= least && different >= least;
}

void become_days(TypedColumn& column) {
  for (SideValues* side : {&column.x, &column.y}) {
    for (double& value : side->numbers) {
      if (!std::isnan(value)) value = *seconds_of_written_day(value);
    }
  }
  column.kind = Kind::datetime;
  column.notes.emplace_back("read as year, month and day");
}

/// A column of numbers: what kind, and whether it is of use.
void judge_numbers(TypedColumn& column, const ColumnPair& pair) {
  const std::vector<double> values = few_values(column);
  const bool some_missing = column.x.missing + column.y.missing > 0;
  const bool time = column.kind == Kind::datetime;
  const bool given = pair.wanted.has_value();
  const bool inexact = pair.x->inexact || (pair.y != nullptr && pair.y->inexact);
  if (inexact && !pair.chosen && !given) {
    column.kind = Kind::identifier;
    column.reason = "identifier of more than 15 digits";
    return;
  }
  if (values.empty() || (values.size() == 1 && !some_missing)) {
    column.kind = Kind::constant;
    column.reason = values.empty() ? "no value in any row" : "constant";
    return;
  }
  if (!time && !given) column.kind = all_whole(column) ? Kind::integer : Kind::numeric;
  if (!given && values.size() <= 2 && !time) {
    // Two numbers say as much as two words, whatever their distance.
    JointLevels joint = join_levels(pair);
    if (joint.levels.size() == values.size()) {
      const bool truth = values.front() == 0.0 && values.back() <= 1.0;
      become_levels(column, std::move(joint), truth ? Kind::boolean : Kind::categorical);
      return;
    }
  }
  if (pair.chosen || given) return;
  const auto leave_out = [&](const char* reason) {
    column.kind = time ? Kind::datetime : Kind::identifier;
    column.reason = reason;
  };
  if (pair.row_numbers) {
    leave_out(time ? "one row per step of time" : "row numbers");
  } else if (!time && column.kind == Kind::integer &&
             (pair.nameless || named_as_identifier(column.name)) &&
             all_different(column.x.numbers) &&
             (pair.y == nullptr || all_different(column.y.numbers))) {
    leave_out("identifier, all different");
  }
  if (!time || !column.used() || pair.y == nullptr) return;
  const auto finite = [](double value) { return !std::isnan(value); };
  const auto bounds = [&](const std::vector<double>& all) {
    std::pair<double, double> range{std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity()};
    for (const double value : all) {
      if (finite(value)) range = {std::min(range.first, value), std::max(range.second, value)};
    }
    return range;
  };
  const auto x = bounds(column.x.numbers), y = bounds(column.y.numbers);
  if (x.second < y.first || y.second < x.first) leave_out("X and Y cover different times");
}

struct Variety {
  std::size_t cells = 0, levels = 0;  ///< that are not missing, and how many different ones
};

Variety variety_of(const SideValues& side, std::size_t levels) {
  Variety variety;
  std::vector<bool> seen(levels, false);
  for (const std::uint32_t code : side.codes) {
    if (code == RawColumn::kMissing) continue;
    ++variety.cells;
    variety.levels += seen[code] ? 0 : 1;
    seen[code] = true;
  }
  return variety;
}

/// A column of words: levels, an identifier or free text.
void judge_words(TypedColumn& column, const ColumnPair& pair, JointLevels joint) {
  const std::size_t levels = joint.levels.size();
  const std::size_t cells = std::accumulate(joint.count.begin(), joint.count.end(), std::size_t{0});
  const bool some_missing = joint.x.missing + joint.y.missing > 0;
  std::size_t letters = 0;
  for (std::size_t i = 0; i < levels; ++i) letters += joint.levels[i].size() * joint.count[i];
  if (levels == 0 || (levels == 1 && !some_missing)) {
    become_levels(column, std::move(joint), Kind::constant);
    column.reason = levels == 0 ? "no value in any row" : "constant";
    return;
  }
  const bool truth = levels <= 2 && std::ranges::all_of(joint.levels, [](const std::string& level) {
                       return written_boolean(level).has_value();
                     });
  const bool free = pair.chosen || pair.wanted.has_value();
  // By side: the same people before and after are still all different.
  const Variety x = variety_of(joint.x, levels), y = variety_of(joint.y, levels);
  const bool different =
      x.levels == x.cells && y.levels == y.cells && x.cells + y.cells >= kEnoughRows;
  const bool many = levels > kManyLevels && 2 * x.levels > x.cells && 2 * y.levels >= y.cells;
  const bool long_text = levels > kManyLevels && letters > kLongText * cells;
  become_levels(column, std::move(joint), truth ? Kind::boolean : Kind::categorical);
  if (free) return;
  if (different) {
    column.kind = Kind::identifier;
    column.reason = "all different";
  } else if (many || long_text) {
    column.kind = Kind::text;
    column.reason = "free text";
  }
}

/// Texts that are numbers, dates or words for neither.
void judge_text(TypedColumn& column, const ColumnPair& pair) {
  JointLevels joint = join_levels(pair);
  const bool wants_levels = pair.wanted == Kind::categorical || pair.wanted == Kind::boolean;
  const bool wants_number = pair.wanted == Kind::numeric || pair.wanted == Kind::integer;
  const bool wants_date = pair.wanted == Kind::datetime;
  if (wants_levels || joint.levels.empty()) return judge_words(column, pair, std::move(joint));
  const bool truth =
      joint.levels.size() <= 2 && std::ranges::all_of(joint.levels, [](const std::string& level) {
        return written_boolean(level).has_value();
      });
  if (truth && !wants_number && !wants_date) return judge_words(column, pair, std::move(joint));
  if (!wants_number) {
    WrittenDates dates = read_dates(joint.levels);
    if (!dates.seconds.empty()) {
      become_numbers(column, joint, dates.seconds);
      column.kind = Kind::datetime;
      if (!dates.note.empty()) column.notes.push_back(dates.note);
      return judge_numbers(column, pair);
    }
    if (wants_date) {
      throw IoError(concat("column \"", column.name, "\" cannot be datetime: \"",
                           joint.levels.front(), "\" is not a date; write dates as 2024-01-31"));
    }
  }
  const WrittenNumbers numbers = read_numbers(joint.levels);
  std::size_t cells = 0, others = 0, worst = joint.levels.size();
  std::vector<double> by_level;
  for (std::size_t i = 0; i < joint.levels.size(); ++i) {
    by_level.push_back(numbers.values[i].value_or(kNotANumber));
    cells += joint.count[i];
    if (numbers.values[i]) continue;
    others += joint.count[i];
    if (worst == joint.levels.size() || joint.count[i] > joint.count[worst]) worst = i;
  }
  const bool mostly =
      numbers.others < joint.levels.size() &&
      static_cast<double>(others) <= (1.0 - kMostlyNumbers) * static_cast<double>(cells);
  if (!mostly && wants_number) {
    throw IoError(concat("column \"", column.name, "\" cannot be ", to_string(*pair.wanted), ": \"",
                         joint.levels[worst], "\" is not a number"));
  }
  if (!mostly) return judge_words(column, pair, std::move(joint));
  become_numbers(column, joint, by_level);
  column.kind = wants_number ? *pair.wanted : Kind::numeric;
  if (numbers.style.percent) column.notes.emplace_back("read as percentages");
  if (numbers.style.currency) column.notes.emplace_back("read as amounts of money");
  if (numbers.style.thousands) column.notes.emplace_back("marks between thousands");
  if (numbers.style.decimal == ',') column.notes.emplace_back("decimal comma");
  if (others > 0) {
    column.notes.push_back(concat("\"", joint.levels[worst], "\"",
                                  numbers.others > 1 ? " and other words" : "", " (", others,
                                  others == 1 ? " cell" : " cells", ") counted as missing"));
  }
  judge_numbers(column, pair);
}

}  // namespace

std::string shortest(double value) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

bool counts_rows(const RawColumn& column) {
  const std::vector<double>* values = &column.numbers;
  std::vector<double> dates;
  if (is_text(column)) {
    // Only dates: a column of text that counts rows has one text per row.
    if (column.levels.size() != column.codes.size()) return false;
    dates = read_dates(column.levels).seconds;
    values = &dates;
  }
  if (values->size() < kEnoughRows) return false;
  const double step = (*values)[1] - (*values)[0];
  if (!(std::abs(step) > 0.0)) return false;
  for (std::size_t i = 1; i < values->size(); ++i) {
    if (!(std::abs((*values)[i] - (*values)[i - 1] - step) <= 1e-6 * std::abs(step))) return false;
  }
  return true;
}

TypedColumn infer_column(const ColumnPair& pair) {
  TypedColumn column{.name = pair.name};
  const bool text = is_text(*pair.x) || (pair.y != nullptr && is_text(*pair.y));
  const auto is_kind = [&](CellKind kind) {
    return pair.x->kind == kind && (pair.y == nullptr || pair.y->kind == kind);
  };
  const bool wants_levels = pair.wanted == Kind::categorical || pair.wanted == Kind::boolean;
  if (text) {
    judge_text(column, pair);
  } else if (wants_levels || is_kind(CellKind::boolean)) {
    judge_words(column, pair, join_levels(pair));
  } else {
    column.x = numeric_side(pair.x);
    column.y = numeric_side(pair.y);
    column.kind =
        is_kind(CellKind::timestamp) ? Kind::datetime : pair.wanted.value_or(Kind::numeric);
    const bool asked = pair.wanted == Kind::datetime && !is_kind(CellKind::timestamp);
    if (asked ? holds_written_days(column, 1)
              : !pair.wanted && column.kind == Kind::numeric &&
                    holds_written_days(column, kEnoughRows)) {
      become_days(column);
    }
    judge_numbers(column, pair);
  }
  const bool unused =
      pair.wanted == Kind::identifier || pair.wanted == Kind::text || pair.wanted == Kind::constant;
  if (unused) {
    column.kind = *pair.wanted;
    column.reason = to_string(*pair.wanted);
  }
  return column;
}

SideValues as_times(const RawColumn& column, const std::string& file) {
  if (is_text(column) || column.kind == CellKind::timestamp) return as_numbers(column, file);
  TypedColumn days{.name = column.name, .x = numeric_side(&column)};
  if (holds_written_days(days, 1)) become_days(days);
  return std::move(days.x);
}

SideValues as_numbers(const RawColumn& column, const std::string& file) {
  if (!is_text(column)) return numeric_side(&column);
  io::LevelCodes codes;
  const SideValues coded = code_side(column, codes);
  const std::vector<std::string> levels = codes.take_levels();
  const WrittenDates dates = read_dates(levels);
  std::vector<double> by_level = dates.seconds;
  if (by_level.empty()) {
    std::vector<std::size_t> count(levels.size(), 0);
    for (const std::uint32_t code : coded.codes) {
      if (code != RawColumn::kMissing) ++count[code];
    }
    const WrittenNumbers numbers = read_numbers(levels);
    std::size_t cells = 0, others = 0, first = levels.size();
    for (std::size_t i = 0; i < levels.size(); ++i) {
      by_level.push_back(numbers.values[i].value_or(kNotANumber));
      cells += count[i];
      if (numbers.values[i]) continue;
      others += count[i];
      first = std::min(first, i);
    }
    // A few words among numbers count as missing, as where kinds are inferred.
    if (static_cast<double>(others) > (1.0 - kMostlyNumbers) * static_cast<double>(cells)) {
      throw IoError(concat(file, ": column \"", column.name, "\": \"", levels[first],
                           "\" is not a number, and the column had numbers before"));
    }
  }
  return numbers_of(coded, by_level);
}

SideValues as_codes(const RawColumn& column, const std::vector<std::string>& levels) {
  io::LevelCodes codes;
  SideValues side = code_side(column, codes);
  std::vector<std::uint32_t> translated;
  for (const std::string& level : codes.levels()) {
    const auto found = std::ranges::find(levels, level);
    translated.push_back(static_cast<std::uint32_t>(found - levels.begin()));
  }
  for (std::uint32_t& code : side.codes) {
    if (code != RawColumn::kMissing) code = translated[code];
  }
  return side;
}

}  // namespace nw::table
