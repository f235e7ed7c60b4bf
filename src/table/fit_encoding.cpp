#include "table/fit_encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"

namespace nw::table {
namespace {

using io::RawColumn;

/// Levels with a state of their own: so many at most, each with this share of the pooled rows.
constexpr std::size_t kMostLevels = 12;
constexpr double kRareLevel = 0.01;
/// Share of missing numbers on a side from which a coordinate says which ones are.
constexpr double kWorthACoordinate = 0.01;
constexpr std::size_t kQuantiles = 201;
/// A normal variable has 0.3 % beyond three deviations.
constexpr double kHeavyTail = 0.02, kFarOut = 30.0;

struct Spread {
  double centre = 0.0, deviation = 1.0;
};

/// Median and a quantile range in units of a normal deviation. Columns with a heap, such as many
/// zeros, need a wider range than 10-90 %.
Spread robust_spread(const PooledValues& values) {
  constexpr std::array<std::pair<double, double>, 3> kRanges = {
      {{0.10, 2.5631}, {0.05, 3.2897}, {0.01, 4.6527}}};
  for (const auto& [tail, normal] : kRanges) {
    const double range = values.quantile(1.0 - tail) - values.quantile(tail);
    if (range > 0.0) return {values.quantile(0.5), range / normal};
  }
  // One value in all rows that have any: the coordinate is 0, and another one says which have none.
  const double deviation = values.deviation();
  return {values.quantile(0.5), deviation > 0.0 ? deviation : 1.0};
}

double share_missing(const SideValues& side, std::span<const double> weights) {
  return share_of(side.rows(), weights, [&](std::size_t i) {
    return side.codes.empty() ? std::isnan(side.numbers[i]) : side.codes[i] == RawColumn::kMissing;
  });
}

ColumnEncoding fit_numbers(TypedColumn& column, const RowWeights& weights, Scale scale) {
  ColumnEncoding encoding{.name = column.name, .kind = column.kind};
  if (scale != Scale::none) encoding.grid = find_grid(column.x.numbers, column.y.numbers);
  const PooledValues values(column, weights, encoding.grid);
  for (std::size_t i = 0; i < kQuantiles; ++i) {
    encoding.quantiles.push_back(
        values.quantile(static_cast<double>(i) / static_cast<double>(kQuantiles - 1)));
  }
  const Spread robust = robust_spread(values);
  const double farthest =
      std::max(values.greatest() - robust.centre, robust.centre - values.least());
  const bool heavy = values.share_beyond(robust.centre, 3.0 * robust.deviation) > kHeavyTail ||
                     farthest > kFarOut * robust.deviation;
  if (heavy) column.notes.emplace_back("heavy tails");
  if (scale == Scale::robust) {
    encoding.centre = robust.centre;
    encoding.deviation = robust.deviation;
  } else if (scale == Scale::std) {
    encoding.centre = values.mean();
    encoding.deviation = values.deviation();
    // Squares of values beyond 1e154 are not finite.
    if (!std::isfinite(encoding.deviation) || !(encoding.deviation > 0.0)) {
      encoding.deviation = robust.deviation;
    }
  } else if (scale == Scale::rank) {
    encoding.quantiles.front() = values.least();
  }
  const double most =
      std::max(share_missing(column.x, weights.x), share_missing(column.y, weights.y));
  encoding.indicator = most >= kWorthACoordinate && column.x.missing + column.y.missing > 1;
  encoding.count = encoding.indicator ? 2 : 1;
  return encoding;
}

ColumnEncoding fit_levels(TypedColumn& column, const RowWeights& weights) {
  ColumnEncoding encoding{.name = column.name, .kind = column.kind};
  const std::size_t count = column.levels.size();
  std::vector<double> share(count + 1, 0.0);  // the last one: missing
  const auto add = [&](const SideValues& side, std::span<const double> own) {
    double total = 0.0;
    for (std::size_t i = 0; i < side.codes.size(); ++i) total += own.empty() ? 1.0 : own[i];
    for (std::size_t i = 0; i < side.codes.size(); ++i) {
      const std::size_t state = side.codes[i] == RawColumn::kMissing ? count : side.codes[i];
      share[state] += (own.empty() ? 1.0 : own[i]) / total;
    }
  };
  add(column.x, weights.x);
  add(column.y, weights.y);
  const double sides = column.y.rows() > 0 ? 2.0 : 1.0;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  // The order of levels of equal share must not depend on rounding.
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return share[a] > share[b] + 1e-12; });
  std::vector<std::size_t> kept;
  for (const std::size_t level : order) {
    const bool frequent = share[level] >= kRareLevel * sides && kept.size() < kMostLevels;
    if (frequent || kept.empty()) kept.push_back(level);
  }
  if (kept.size() + 1 == count) kept.push_back(order.back());  // "other" would be one level
  std::ranges::sort(kept);
  for (const std::size_t level : kept) encoding.levels.push_back(column.levels[level]);
  encoding.other = kept.size() < count;
  encoding.missing =
      share[count] >= kRareLevel * sides || (share[count] > 0.0 && encoding.states() < 2);
  if (encoding.other) {
    column.notes.push_back(concat("rare levels taken together (", count - kept.size(), ")"));
  }
  encoding.count = encoding.states() == 2 ? 1 : encoding.states();
  return encoding;
}

double squashed(double z) {
  constexpr double kLinear = 3.0;
  const double size = std::abs(z);
  return size <= kLinear ? z : std::copysign(kLinear + std::log1p(size - kLinear), z);
}

/// sqrt(12) (F(v) - 1/2), F from evenly spaced quantiles; equal values share their mean rank.
double rank_of(const std::vector<double>& quantiles, double value) {
  const auto position = [&](auto bound) {
    const auto i = static_cast<std::size_t>(bound - quantiles.begin());
    if (i == 0) return 0.0;
    if (i == quantiles.size()) return static_cast<double>(i - 1);
    const double low = quantiles[i - 1], high = quantiles[i];
    const double part = high > low ? (value - low) / (high - low) : 0.0;
    return static_cast<double>(i - 1) + std::clamp(part, 0.0, 1.0);
  };
  const double rank = 0.5 * (position(std::ranges::lower_bound(quantiles, value)) +
                             position(std::ranges::upper_bound(quantiles, value)));
  return std::sqrt(12.0) * (rank / static_cast<double>(quantiles.size() - 1) - 0.5);
}

/// The coordinate of a value that is counted on the grid of its column.
double scaled(const ColumnEncoding& encoding, Scale scale, double value) {
  switch (scale) {
    case Scale::none:
      return value;
    case Scale::std:
      return (value - encoding.centre) / encoding.deviation;
    case Scale::robust:
      return squashed((value - encoding.centre) / encoding.deviation);
    case Scale::rank:
      break;
  }
  return rank_of(encoding.quantiles, value);
}

}  // namespace

Encoding fit_encoding(std::vector<TypedColumn*>& columns, const RowWeights& weights, Scale scale) {
  Encoding encoding{.scale = scale};
  std::vector<double> deviations;
  for (TypedColumn* column : columns) {
    encoding.columns.push_back(column->has_levels() ? fit_levels(*column, weights)
                                                    : fit_numbers(*column, weights, scale));
    if (scale == Scale::none && !column->has_levels()) {
      deviations.push_back(robust_spread(PooledValues(*column, weights)).deviation);
    }
  }
  std::size_t next = 0;
  for (ColumnEncoding& column : encoding.columns) {
    if (!deviations.empty()) {
      const auto middle = deviations.begin() + static_cast<std::ptrdiff_t>(deviations.size() / 2);
      std::ranges::nth_element(deviations, middle);
      column.edge = *middle;
    }
    column.first = next;
    next += column.count;
  }
  return encoding;
}

void encode_column(const ColumnEncoding& encoding, Scale scale, const SideValues& cells,
                   const std::vector<std::string>& levels, Matrix& points) {
  const std::size_t first = encoding.first;
  if (!encoding.has_levels()) {
    // The golden ratio visits the quantiles evenly, whatever the number of missing values.
    constexpr double kGolden = 0.6180339887498949;
    double place = 0.5;
    for (std::size_t i = 0; i < cells.numbers.size(); ++i) {
      const bool missing = std::isnan(cells.numbers[i]);
      double value = encoding.grid.steps(cells.numbers[i]);
      if (missing) {
        place += kGolden;
        place -= std::floor(place);
        const double at = place * static_cast<double>(encoding.quantiles.size() - 1);
        value = encoding.quantiles[static_cast<std::size_t>(at + 0.5)];
      }
      points(i, first) = scaled(encoding, scale, value);
      if (encoding.indicator) points(i, first + 1) = missing ? encoding.edge : 0.0;
    }
    return;
  }
  const std::size_t states = encoding.states();
  std::vector<std::size_t> state_of(levels.size() + 1, states);  // by level; the last: unknown ones
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto found = std::ranges::find(encoding.levels, levels[level]);
    if (found != encoding.levels.end()) {
      state_of[level] = static_cast<std::size_t>(found - encoding.levels.begin());
    } else if (encoding.other) {
      state_of[level] = encoding.levels.size();
    }
  }
  if (encoding.other) state_of.back() = encoding.levels.size();
  const std::size_t missing_state = encoding.missing ? states - 1
                                    : encoding.other ? encoding.levels.size()
                                                     : states;
  const double corner = states == 2 ? encoding.edge : encoding.edge / std::sqrt(2.0);
  for (std::size_t i = 0; i < cells.codes.size(); ++i) {
    const std::uint32_t code = cells.codes[i];
    const std::size_t state = code == RawColumn::kMissing
                                  ? missing_state
                                  : state_of[std::min<std::size_t>(code, levels.size())];
    if (states == 2) {
      // Neither state: between the two.
      points(i, first) = state == 1 ? corner : state == 0 ? 0.0 : 0.5 * corner;
    } else if (state < states) {
      points(i, first + state) = corner;
    }
  }
}

Matrix encode_side(const Encoding& encoding, const std::vector<TypedColumn*>& columns,
                   SideValues TypedColumn::*side, std::size_t rows) {
  Matrix points(rows, encoding.dimension());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    encode_column(encoding.columns[j], encoding.scale, columns[j]->*side, columns[j]->levels,
                  points);
  }
  return points;
}

}  // namespace nw::table
