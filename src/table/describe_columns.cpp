#include "table/describe_columns.hpp"

#include <algorithm>
#include <cmath>

namespace nw::table {
namespace {

using io::RawColumn;

constexpr double kMissingAlpha = 0.01;

/// Two-sided p-value of equal shares, by the normal approximation of their difference.
double equal_shares_p(double a, double rows_a, double b, double rows_b) {
  const double pooled = (a * rows_a + b * rows_b) / (rows_a + rows_b);
  const double variance = pooled * (1.0 - pooled) * (1.0 / rows_a + 1.0 / rows_b);
  if (!(variance > 0.0)) return 1.0;
  return std::erfc(std::abs(a - b) / std::sqrt(2.0 * variance));
}

/// Share of rows that X and Y have in common in a column: the overlap of the shares of levels, and
/// of numbers one minus the largest difference of their distribution functions.
double overlap(const TypedColumn& column) {
  if (column.has_levels()) {
    std::vector<double> shares[2];
    for (const bool first : {true, false}) {
      const SideValues& side = first ? column.x : column.y;
      auto& share = shares[first ? 0 : 1];
      share.assign(column.levels.size() + 1, 0.0);
      for (const std::uint32_t code : side.codes) {
        const std::size_t state = code == RawColumn::kMissing ? column.levels.size() : code;
        share[state] += 1.0 / static_cast<double>(side.rows());
      }
    }
    double common = 0.0;
    for (std::size_t i = 0; i < shares[0].size(); ++i) {
      common += std::min(shares[0][i], shares[1][i]);
    }
    return common;
  }
  std::vector<double> x = column.x.numbers, y = column.y.numbers;
  for (auto* values : {&x, &y}) {
    std::erase_if(*values, [](double value) { return std::isnan(value); });
    std::ranges::sort(*values);
  }
  if (x.empty() || y.empty()) return 1.0;
  double largest = 0.0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const double at = std::min(x[i], y[j]);
    while (i < x.size() && x[i] <= at) ++i;
    while (j < y.size() && y[j] <= at) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / static_cast<double>(x.size()) -
                                         static_cast<double>(j) / static_cast<double>(y.size())));
  }
  return 1.0 - largest;
}

/// A column with less in common than this says by itself which rows are X.
constexpr double kTellsApart = 0.1;
constexpr std::size_t kFewRows = 20;

void report_missing(const TypedColumn& column, ColumnReport& report) {
  const auto rows_x = static_cast<double>(column.x.rows());
  const auto rows_y = static_cast<double>(column.y.rows());
  if (rows_x > 0.0) report.missing_x = static_cast<double>(column.x.missing) / rows_x;
  if (rows_y == 0.0) return;
  report.missing_y = static_cast<double>(column.y.missing) / rows_y;
  report.missing_p = equal_shares_p(report.missing_x, rows_x, report.missing_y, rows_y);
}

}  // namespace

bool are_pixels(const std::vector<TypedColumn*>& used) {
  constexpr std::size_t kFewest = 64;
  double greatest = 0.0;
  std::size_t numbers = 0;
  for (const TypedColumn* column : used) {
    if (column->has_levels()) continue;  // pixels with two values
    ++numbers;
    if (column->kind != Kind::integer) return false;
    for (const SideValues* side : {&column->x, &column->y}) {
      for (const double value : side->numbers) {
        if (!(value >= 0.0 && value <= 255.0)) return false;
        greatest = std::max(greatest, value);
      }
    }
  }
  return numbers >= kFewest && greatest > 127.0;
}

void describe_tables(const TableSides& sides, const std::vector<TypedColumn*>& used,
                     const std::vector<TypedColumn>& columns, Description& description) {
  const io::RawTable& x = *sides.x;
  const io::RawTable* const y = sides.y;
  description.x = x.source;
  description.rows_x = x.rows;
  description.notes.insert(description.notes.end(), x.notes.begin(), x.notes.end());
  if (y != nullptr) {
    description.y = y->source;
    description.rows_y = y->rows;
    for (const std::string& note : y->notes) {
      if (std::ranges::find(description.notes, note) == description.notes.end())
        description.notes.push_back(note);
    }
    for (TypedColumn* column : used) {
      if (std::min(x.rows, y->rows) >= kFewRows && overlap(*column) < kTellsApart) {
        column->notes.emplace_back("tells X from Y by itself");
      }
    }
  }
  for (const TypedColumn& column : columns) {
    ColumnReport report{.name = column.name,
                        .kind = column.kind,
                        .used = column.used(),
                        .reason = column.reason,
                        .notes = column.notes,
                        .levels = column.has_levels() ? column.levels.size() : 0};
    report_missing(column, report);
    report.missing_changed =
        report.missing_p <
        kMissingAlpha / static_cast<double>(std::max<std::size_t>(used.size(), 1));
    description.columns.push_back(std::move(report));
  }
}

}  // namespace nw::table
