#include "app/compare/figure_columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Cholesky>

#include "nw/record/projection.hpp"

#include "measure/working_data.hpp"

namespace nw::app {
namespace {

using Eigen::Index;
using table::ColumnEncoding;
using table::Encoding;

constexpr std::size_t kMostColumns = 40;
// Beyond this many columns a component is described by its deviations alone: a full covariance
// costs more than a picture is worth.
constexpr Index kFullCovariance = 64;
constexpr double kRidge = 1e-6;

/// The place of the level that a row has in a column.
double level_of(const ColumnEncoding& column, std::span<const double> row) {
  if (column.states() == 2) return row[column.first] > 0.5 * column.edge ? 1.0 : 0.0;
  const auto first = row.begin() + static_cast<std::ptrdiff_t>(column.first);
  return static_cast<double>(
      std::max_element(first, first + static_cast<std::ptrdiff_t>(column.count)) - first);
}

/// Rows as coordinates and in units.
struct DrawnRows {
  std::vector<std::span<const double>> points;
  std::vector<std::vector<double>> units;
};

DrawnRows drawn_rows(const Encoding& encoding, MatrixView points) {
  DrawnRows rows;
  for (const std::size_t i : record::spread_indices(points.rows(), record::kDrawnRows)) {
    rows.points.push_back(points.row(i));
    rows.units.push_back(encoding.to_units(points.row(i)));
  }
  return rows;
}

std::vector<double> values_of(const ColumnEncoding& column, const DrawnRows& rows) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.points.size(); ++i) {
    const auto& row = rows.points[i];
    if (column.has_levels()) {
      values.push_back(level_of(column, row));
    } else if (column.indicator && row[column.first + 1] > 0.5 * column.edge) {
      values.push_back(std::numeric_limits<double>::quiet_NaN());
    } else {
      values.push_back(rows.units[i][column.first]);
    }
  }
  return values;
}

/// Log densities of the components, up to a constant.
class Densities {
 public:
  explicit Densities(const measure::Mixture& mixture) {
    for (const auto& component : mixture.components) add(component);
  }

  [[nodiscard]] std::size_t likeliest(std::span<const double> row,
                                      const std::vector<double>& pi) const {
    std::size_t best = 0;
    double highest = -std::numeric_limits<double>::infinity();
    const Eigen::Map<const Eigen::VectorXd> at(row.data(), static_cast<Index>(row.size()));
    for (std::size_t j = 0; j < centre_.size(); ++j) {
      const Eigen::VectorXd gap = at - centre_[j];
      const double square = factor_[j].size() > 0
                                ? factor_[j].triangularView<Eigen::Lower>().solve(gap).squaredNorm()
                                : (gap.array() / deviation_[j].array()).matrix().squaredNorm();
      const double value = std::log(std::max(pi[j], 1e-300)) - 0.5 * square - log_volume_[j];
      if (value > highest) highest = value, best = j;
    }
    return best;
  }

 private:
  void add(const measure::Component& component) {
    const auto d = static_cast<Index>(component.centre.size());
    centre_.push_back(Eigen::Map<const Eigen::VectorXd>(component.centre.data(), d));
    const Matrix full = measure::covariance(component);
    Eigen::MatrixXd covariance(d, d);
    for (Index a = 0; a < d; ++a) {
      for (Index b = 0; b < d; ++b) {
        covariance(a, b) = full(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
      }
    }
    const double ridge = kRidge * std::max(covariance.trace() / static_cast<double>(d), 1e-300);
    covariance.diagonal().array() += ridge;
    deviation_.emplace_back(covariance.diagonal().cwiseSqrt());
    factor_.emplace_back();
    if (d <= kFullCovariance) factor_.back() = covariance.llt().matrixL();
    log_volume_.push_back(factor_.back().size() > 0 ? factor_.back().diagonal().array().log().sum()
                                                    : deviation_.back().array().log().sum());
  }

  std::vector<Eigen::VectorXd> centre_, deviation_;
  std::vector<Eigen::MatrixXd> factor_;
  std::vector<double> log_volume_;
};

}  // namespace

void add_row_columns(const table::Inputs& inputs, record::Figure& figure) {
  if (!inputs.encoding || inputs.encoding->columns.size() > kMostColumns) return;
  const DrawnRows x = drawn_rows(*inputs.encoding, inputs.x.values);
  const DrawnRows y = drawn_rows(*inputs.encoding, inputs.y.values);
  for (const ColumnEncoding& column : inputs.encoding->columns) {
    record::FigureColumn drawn{.name = column.name};
    if (column.has_levels()) {
      drawn.levels = column.levels;
      if (column.other) drawn.levels.emplace_back("other");
      if (column.missing) drawn.levels.emplace_back("missing");
    }
    drawn.x = values_of(column, x);
    drawn.y = values_of(column, y);
    figure.columns.push_back(std::move(drawn));
  }
}

void add_members(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                 const measure::NwResult& fit, record::Figure& figure) {
  if (fit.mixture.size() == 0 || fit.mixture_original.dim() != x.points.cols()) return;
  // Beyond the axes that were kept a component has no spread: only there can its density be asked.
  const auto& mixture = fit.reduction.applied ? fit.mixture : fit.mixture_original;
  const Densities densities(mixture);
  const auto members = [&](MatrixView points, const std::vector<double>& pi) {
    std::vector<std::size_t> member;
    if (pi.size() != mixture.size()) return member;
    for (const std::size_t i : record::spread_indices(points.rows(), record::kDrawnRows)) {
      member.push_back(densities.likeliest(measure::reduce(fit.reduction, points.row(i)), pi));
    }
    return member;
  };
  figure.member_x = members(x.points, fit.x.pi);
  if (y.points.rows() > 0) figure.member_y = members(y.points, fit.y.pi);
}

}  // namespace nw::app
