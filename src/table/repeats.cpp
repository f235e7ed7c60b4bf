#include "table/repeats.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace nw::table {
namespace {

using io::RawColumn;

/// Beyond so many columns a table is one of measurements, and every pair would take long.
constexpr std::size_t kMostColumns = 200;
constexpr std::size_t kMostGroups = 100;
constexpr std::size_t kRowsPerGroup = 4;
constexpr std::size_t kFewestRows = 10;

/// Rows of both sides as numbers of groups; nothing for a column of many values.
std::vector<std::uint32_t> groups_of(const TypedColumn& column) {
  std::vector<std::uint32_t> groups;
  std::unordered_map<double, std::uint32_t> seen;
  for (const SideValues* side : {&column.x, &column.y}) {
    for (const auto code : side->codes) groups.push_back(code);
    for (const double value : side->numbers) {
      if (std::isnan(value)) {
        groups.push_back(RawColumn::kMissing);
        continue;
      }
      const auto [entry, fresh] = seen.try_emplace(value, static_cast<std::uint32_t>(seen.size()));
      if (fresh && seen.size() > kMostGroups) return {};
      groups.push_back(entry->second);
    }
  }
  // With few rows in a group, any two columns would make the same ones.
  std::vector<std::uint32_t> distinct = groups;
  std::ranges::sort(distinct);
  const auto end = std::unique(distinct.begin(), distinct.end());
  const auto count = static_cast<std::size_t>(end - distinct.begin());
  return count * kRowsPerGroup <= groups.size() ? groups : std::vector<std::uint32_t>();
}

bool same_groups(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  if (a.empty() || a.size() != b.size()) return false;
  std::unordered_map<std::uint32_t, std::uint32_t> forth, back;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (forth.try_emplace(a[i], b[i]).first->second != b[i]) return false;
    if (back.try_emplace(b[i], a[i]).first->second != a[i]) return false;
  }
  return true;
}

std::optional<double> value_at(const TypedColumn& column, std::size_t row) {
  const std::size_t rows = column.x.numbers.size();
  const double value = row < rows ? column.x.numbers[row] : column.y.numbers[row - rows];
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// b = offset + factor a in every row, and both are missing in the same ones.
bool same_in_other_units(const TypedColumn& a, const TypedColumn& b) {
  const std::size_t rows = a.x.numbers.size() + a.y.numbers.size();
  std::optional<std::pair<double, double>> first, second;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto u = value_at(a, i), v = value_at(b, i);
    if (u.has_value() != v.has_value()) return false;
    if (!u) continue;
    if (!first) {
      first = {*u, *v};
    } else if (!second) {
      if (*u == first->first && *v == first->second) continue;
      if (*u == first->first || *v == first->second) return false;
      second = {*u, *v};
    } else {
      const double factor = (second->second - first->second) / (second->first - first->first);
      const double expected = first->second + factor * (*u - first->first);
      const double size = std::max({std::abs(*v), std::abs(first->second), std::abs(expected)});
      if (!(std::abs(*v - expected) <= 1e-9 * size)) return false;
    }
  }
  return second.has_value();
}

}  // namespace

void leave_out_repeats(const std::vector<TypedColumn*>& columns) {
  if (columns.size() > kMostColumns || columns.empty()) return;
  if (columns.front()->x.rows() + columns.front()->y.rows() < kFewestRows) return;
  std::vector<TypedColumn*> order = columns;
  std::stable_partition(order.begin(), order.end(),
                        [](const TypedColumn* column) { return !column->has_levels(); });
  std::vector<std::vector<std::uint32_t>> groups;
  for (const TypedColumn* column : order) groups.push_back(groups_of(*column));
  for (std::size_t later = 1; later < order.size(); ++later) {
    for (std::size_t i = 0; i < later && order[later]->used(); ++i) {
      if (!order[i]->used()) continue;
      const bool numbers = !order[i]->has_levels() && !order[later]->has_levels();
      if (same_groups(groups[i], groups[later]) ||
          (numbers && same_in_other_units(*order[i], *order[later]))) {
        order[later]->reason = "repeats " + order[i]->name;
      }
    }
  }
}

}  // namespace nw::table
