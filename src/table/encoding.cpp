#include "nw/table/encoding.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "io/level_codes.hpp"
#include "table/column_names.hpp"
#include "table/fit_encoding.hpp"
#include "table/written_values.hpp"

namespace nw::table {
namespace {

constexpr double kLinear = 3.0;

double unsquashed(double w) {
  const double size = std::abs(w);
  // Beyond e^30 deviations nothing is data any more.
  return size <= kLinear ? w
                         : std::copysign(kLinear + std::expm1(std::min(size - kLinear, 30.0)), w);
}

double value_at_rank(const std::vector<double>& quantiles, double coordinate) {
  const double last = static_cast<double>(quantiles.size() - 1);
  const double at = std::clamp((coordinate / std::sqrt(12.0) + 0.5) * last, 0.0, last);
  const auto below = std::min(static_cast<std::size_t>(at), quantiles.size() - 2);
  const double part = at - static_cast<double>(below);
  return quantiles[below] * (1.0 - part) + quantiles[below + 1] * part;
}

double amount(const ColumnEncoding& column, Scale scale, double coordinate) {
  switch (scale) {
    case Scale::none:
      return coordinate;
    case Scale::std:
      return column.grid.value(column.centre + column.deviation * coordinate);
    case Scale::robust:
      return column.grid.value(column.centre + column.deviation * unsquashed(coordinate));
    case Scale::rank:
      break;
  }
  return column.grid.value(value_at_rank(column.quantiles, coordinate));
}

io::RawColumn decode_numbers(const ColumnEncoding& column, Scale scale, MatrixView points) {
  io::RawColumn cells;
  cells.name = column.name;
  const bool time = column.kind == Kind::datetime;
  cells.kind = time ? io::CellKind::text : io::CellKind::number;
  io::LevelCodes dates;
  // Days stay days.
  constexpr double kDay = 86400.0;
  const double grain = std::ranges::all_of(column.quantiles,
                                           [&](double steps) {
                                             const double days = column.grid.value(steps) / kDay;
                                             return days == std::round(days);
                                           })
                           ? kDay
                           : 1.0;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const bool missing = column.indicator && points(i, column.first + 1) > 0.5 * column.edge;
    cells.missing += missing ? 1 : 0;
    const double value = amount(column, scale, points(i, column.first));
    if (time) {
      cells.codes.push_back(missing ? io::RawColumn::kMissing
                                    : dates.code_of(date_text(grain * std::round(value / grain))));
    } else {
      cells.numbers.push_back(missing ? std::numeric_limits<double>::quiet_NaN()
                              : column.kind == Kind::integer ? std::round(value)
                                                             : value);
    }
  }
  cells.levels = dates.take_levels();
  return cells;
}

io::RawColumn decode_levels(const ColumnEncoding& column, MatrixView points) {
  io::RawColumn cells;
  cells.name = column.name;
  cells.kind = io::CellKind::text;
  cells.levels = column.levels;
  if (column.other) cells.levels.emplace_back("other");
  const std::size_t states = column.states();
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const auto row = points.row(i).subspan(column.first, column.count);
    const auto state = states == 2
                           ? static_cast<std::size_t>(row[0] > 0.5 * column.edge)
                           : static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
    const bool missing = column.missing && state + 1 == states;
    cells.missing += missing ? 1 : 0;
    cells.codes.push_back(missing ? io::RawColumn::kMissing : static_cast<std::uint32_t>(state));
  }
  return cells;
}

std::vector<const ColumnEncoding*> by_place(const std::vector<ColumnEncoding>& columns) {
  std::vector<const ColumnEncoding*> order;
  for (const ColumnEncoding& column : columns) order.push_back(&column);
  std::ranges::stable_sort(order, {}, [](const ColumnEncoding* column) { return column->place; });
  return order;
}

/// Units of a share for one unit of the coordinate.
double share_unit(const ColumnEncoding& column) {
  const bool simplex = column.has_levels() && column.states() != 2;
  return (simplex ? std::sqrt(2.0) : 1.0) / column.edge;
}

}  // namespace

std::size_t Encoding::dimension() const noexcept {
  return columns.empty() ? 0 : columns.back().first + columns.back().count;
}

std::vector<Coordinate> Encoding::coordinates() const {
  std::vector<Coordinate> all;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnEncoding& column = columns[j];
    if (!column.has_levels()) {
      all.push_back({.column = j, .name = column.name, .share = false});
      if (column.indicator) {
        all.push_back({.column = j, .name = column.name + " missing", .share = true});
      }
      continue;
    }
    std::vector<std::string> states;
    for (const std::string& level : column.levels) states.push_back(column.name + " = " + level);
    if (column.other) states.push_back(column.name + " = other");
    if (column.missing) states.push_back(column.name + " missing");
    if (states.size() == 2) states.erase(states.begin());
    for (std::string& state : states) {
      all.push_back({.column = j, .name = std::move(state), .share = true});
    }
  }
  return all;
}

std::vector<std::string> Encoding::coordinate_names() const {
  std::vector<std::string> names;
  for (Coordinate& coordinate : coordinates()) names.push_back(std::move(coordinate.name));
  return names;
}

std::vector<std::string> Encoding::column_names() const {
  std::vector<std::string> names;
  for (const ColumnEncoding* column : by_place(columns)) names.push_back(column->name);
  return names;
}

std::vector<double> Encoding::to_units(std::span<const double> point) const {
  require(point.size() == dimension(), "Encoding::to_units: a point of ", point.size(),
          " coordinates where there are ", dimension());
  std::vector<double> values;
  const auto all = coordinates();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ColumnEncoding& column = columns[all[i].column];
    values.push_back(all[i].share ? std::clamp(point[i] * share_unit(column), 0.0, 1.0)
                                  : amount(column, scale, point[i]));
  }
  return values;
}

std::vector<double> Encoding::shift_to_units(std::span<const double> point,
                                             std::span<const double> shift) const {
  require(point.size() == dimension() && shift.size() == dimension(),
          "Encoding::shift_to_units: ", shift.size(), " coordinates where there are ", dimension());
  std::vector<double> values;
  const auto all = coordinates();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ColumnEncoding& column = columns[all[i].column];
    values.push_back(all[i].share ? shift[i] * share_unit(column)
                                  : amount(column, scale, point[i] + 0.5 * shift[i]) -
                                        amount(column, scale, point[i] - 0.5 * shift[i]));
  }
  return values;
}

double Encoding::slope(std::size_t coordinate, double value) const {
  const Coordinate at = coordinates().at(coordinate);
  const ColumnEncoding& column = columns[at.column];
  if (at.share) return share_unit(column);
  constexpr double kStep = 1e-3;
  return (amount(column, scale, value + kStep) - amount(column, scale, value - kStep)) /
         (2.0 * kStep);
}

std::string Encoding::shown(std::size_t coordinate, double in_units) const {
  const Coordinate at = coordinates().at(coordinate);
  if (at.share) return percent(in_units);
  const ColumnEncoding& column = columns[at.column];
  if (column.kind == Kind::datetime) return date_text(in_units);
  // Digits far below a deviation of the column say nothing: 1e-110 children are none.
  const double grain = 1e-3 * column.grid.length(column.deviation);
  return nw::amount(std::abs(in_units) < grain ? 0.0 : in_units, 4);
}

Matrix Encoding::encode(const io::RawTable& table) const {
  std::vector<std::string> names;
  for (const io::RawColumn& column : table.columns) names.push_back(column.name);
  const ColumnNames known(names, table.source);
  Matrix points(table.rows, dimension());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const ColumnEncoding& column = columns[j];
    const std::size_t at = known.find_one(column.name, "new rows");
    const io::RawColumn& cells = table.columns[at];
    const SideValues values = column.has_levels()             ? as_codes(cells, column.levels)
                              : column.kind == Kind::datetime ? as_times(cells, table.source)
                                                              : as_numbers(cells, table.source);
    encode_column(column, scale, values, column.levels, points);
  }
  return points;
}

std::vector<std::string> Encoding::place_names(const std::vector<std::vector<double>>& places,
                                               std::span<const double> mass) const {
  constexpr std::size_t kShown = 3;
  const std::size_t dim = dimension();
  std::vector<double> mean(dim, 0.0);
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (std::size_t j = 0; j < dim; ++j) mean[j] += mass[p] * places[p][j];
  }
  const auto all = coordinates();
  std::vector<std::string> names;
  for (const std::vector<double>& place : places) {
    std::vector<std::size_t> order(dim);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto distance = [&](std::size_t j) { return std::abs(place[j] - mean[j]); };
    std::ranges::stable_sort(order, [&](auto a, auto b) { return distance(a) > distance(b); });
    const std::vector<double> values = to_units(place);
    std::string name;
    std::vector<std::size_t> taken;
    for (const std::size_t j : order) {
      // One coordinate of a column says enough about it.
      if (std::ranges::find(taken, all[j].column) != taken.end()) continue;
      taken.push_back(all[j].column);
      name += (name.empty() ? "" : ", ") + all[j].name + " " + shown(j, values[j]);
      if (taken.size() == kShown) break;
    }
    names.push_back(std::move(name));
  }
  return names;
}

io::RawTable Encoding::decode(MatrixView points) const {
  require(points.cols() == dimension(), "Encoding::decode: points of ", points.cols(),
          " coordinates where there are ", dimension());
  io::RawTable table;
  table.source = "rows in the units of the data";
  table.rows = points.rows();
  table.has_names = true;
  for (const ColumnEncoding* column : by_place(columns)) {
    table.columns.push_back(column->has_levels() ? decode_levels(*column, points)
                                                 : decode_numbers(*column, scale, points));
  }
  return table;
}

}  // namespace nw::table
