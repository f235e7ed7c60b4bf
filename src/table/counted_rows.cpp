#include "table/counted_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "nw/base/error.hpp"

#include "table/column_names.hpp"
#include "table/pair_columns.hpp"
#include "table/raw_rows.hpp"

namespace nw::table {
namespace {

std::vector<double> counts_of(const io::RawTable& table, const std::string& count_column) {
  const std::size_t at = names_of(table).find_one(count_column, "`count_column`");
  const std::vector<double> counts = as_numbers(table.columns[at], table.source).numbers;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const double count = counts[row];
    if (count >= 0.0 && count == std::floor(count)) continue;
    throw IoError(concat(table.source, ": row ", row + 1, ", column \"", count_column, "\": ",
                         std::isnan(count) ? std::string("a missing value") : shortest(count),
                         " is not a number of rows; counts are 0, 1, 2, ..."));
  }
  return counts;
}

bool is_called_a_count(const std::string& name) {
  constexpr std::array<std::string_view, 12> kWords = {
      "freq",  "freqs", "frequency", "frequencies", "count",  "counts",
      "n_obs", "nobs",  "n",         "cases",       "people", "number"};
  return std::ranges::find(kWords, folded(name)) != kWords.end();
}

bool holds_counts(const TypedColumn& column) {
  const auto all_counts = [](const std::vector<double>& values) {
    return std::ranges::all_of(
        values, [](double value) { return value >= 0.0 && value == std::floor(value); });
  };
  return column.kind == Kind::integer && is_called_a_count(column.name) &&
         all_counts(column.x.numbers) && all_counts(column.y.numbers);
}

/// Few different values: a group rather than an amount. A column whose levels are all different may
/// be the only one of a table of frequencies that was split: then both sides have the same ones.
bool holds_groups(const TypedColumn& column) {
  constexpr std::size_t kMostGroups = 30;
  if (!column.used()) {
    return column.kind == Kind::identifier && !column.x.codes.empty() &&
           column.levels.size() == column.x.rows() && column.levels.size() == column.y.rows();
  }
  if (column.has_levels()) return true;
  std::set<double> seen;
  for (const SideValues* side : {&column.x, &column.y}) {
    for (const double value : side->numbers) {
      seen.insert(std::isnan(value) ? -1e300 : value);
      if (seen.size() > kMostGroups) return false;
    }
  }
  return true;
}

/// Whether no two rows of a side agree in all of these columns.
bool all_rows_differ(const std::vector<const TypedColumn*>& columns, SideValues TypedColumn::*own) {
  const std::size_t rows = (columns.front()->*own).rows();
  std::set<std::vector<double>> seen;
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<double> cells;
    for (const TypedColumn* column : columns) {
      const SideValues& side = column->*own;
      const double value = !side.codes.empty()             ? static_cast<double>(side.codes[row])
                           : std::isnan(side.numbers[row]) ? -1e300
                                                           : side.numbers[row];
      cells.push_back(value);
    }
    if (!seen.insert(std::move(cells)).second) return false;
  }
  return true;
}

}  // namespace

void repeat_counted_rows(io::RawTable& table, const std::string& count_column) {
  constexpr double kMostCells = 1e7;
  const std::vector<double> counts = counts_of(table, count_column);
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  if (!(total > 0.0)) {
    throw IoError(
        concat(table.source, ": all counts in column \"", count_column, "\" are 0: no rows"));
  }
  const double shrink =
      std::min(1.0, kMostCells / static_cast<double>(table.columns.size()) / total);
  std::vector<std::size_t> rows;
  double before = 0.0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    // Rounding the running total keeps every share within one row of its own.
    const double behind = before + counts[row];
    const double copies = std::round(behind * shrink) - std::round(before * shrink);
    rows.insert(rows.end(), static_cast<std::size_t>(copies), row);
    before = behind;
  }
  table = take_rows(table, rows);
  if (shrink < 1.0) {
    table.notes.push_back(
        concat(rows.size(), " rows stand for ", static_cast<std::size_t>(total), " counted ones"));
  }
}

std::string advice_on_counts(const std::vector<TypedColumn>& columns) {
  constexpr std::size_t kMostRows = 100000;  // tables of frequencies are short
  for (const TypedColumn& column : columns) {
    if (!column.used() || !holds_counts(column)) continue;
    if (column.x.rows() + column.y.rows() > kMostRows) continue;
    std::vector<const TypedColumn*> groups;
    for (const TypedColumn& other : columns) {
      if (&other != &column && holds_groups(other)) groups.push_back(&other);
    }
    if (groups.empty() || !all_rows_differ(groups, &TypedColumn::x)) continue;
    if (column.y.rows() > 0 && !all_rows_differ(groups, &TypedColumn::y)) continue;
    const bool plain = column.name.find(' ') == std::string::npos;
    return concat("Each row seems to stand for as many as ", column.name,
                  " says, and was taken as one. To count them all, give `count_column` ",
                  plain ? column.name : "\"" + column.name + "\"", ".");
  }
  return {};
}

}  // namespace nw::table
