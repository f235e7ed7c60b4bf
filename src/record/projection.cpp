// Principal axes of the pooled sample. With more columns than rows the eigenvectors of the Gram
// matrix of the rows give the same axes at a cost that does not grow with the square of d.
#include "nw/record/projection.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"

#include "base/decompositions.hpp"

namespace nw::record {
namespace {

using RowMajor = RowMajorMatrix;
using Eigen::Index;

constexpr std::size_t kFittedRows = 1000;
constexpr Index kPrincipalAxes = 3;

/// Evenly spread rows of both samples, each sample with its share of kFittedRows.
RowMajor pooled_rows(MatrixView x, MatrixView y) {
  const std::size_t total = x.rows() + y.rows();
  const std::size_t kept = std::min(total, kFittedRows);
  RowMajor pooled(static_cast<Index>(kept), static_cast<Index>(x.cols()));
  Index next = 0;
  for (const std::size_t i : spread_indices(total, kept)) {
    const auto row = i < x.rows() ? x.row(i) : y.row(i - x.rows());
    pooled.row(next++) =
        Eigen::Map<const Eigen::RowVectorXd>(row.data(), static_cast<Index>(row.size()));
  }
  return pooled;
}

struct PrincipalAxes {
  Eigen::MatrixXd directions;  ///< [d, axes]
  Eigen::VectorXd variance;    ///< [axes]
  double total_variance = 0.0;
};

PrincipalAxes principal_axes(const RowMajor& centred) {
  const Index n = centred.rows(), d = centred.cols(), count = std::min(kPrincipalAxes, d);
  const bool by_columns = d <= n;
  Eigen::MatrixXd products = by_columns ? Eigen::MatrixXd(centred.transpose() * centred)
                                        : Eigen::MatrixXd(centred * centred.transpose());
  const SymmetricEigen eigen = symmetric_eigen(products);
  PrincipalAxes result;
  result.directions = Eigen::MatrixXd::Zero(d, count);
  result.variance = Eigen::VectorXd::Zero(count);
  result.total_variance = products.trace() / static_cast<double>(n);
  for (Index a = 0; a < std::min(count, products.rows()); ++a) {
    const Index from_end = products.rows() - 1 - a;  // eigenvalues come in increasing order
    Eigen::VectorXd direction = eigen.vectors.col(from_end);
    if (!by_columns) direction = centred.transpose() * direction;
    const double length = direction.norm();
    if (length > 0.0) direction /= length;
    // An eigenvector has no sign of its own; its largest entry is made positive.
    Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction[largest] < 0.0) direction = -direction;
    result.directions.col(a) = direction;
    result.variance[a] = std::max(0.0, eigen.values[from_end]) / static_cast<double>(n);
  }
  return result;
}

}  // namespace

Projection::Projection(MatrixView x, MatrixView y, const std::vector<std::string>& column_names) {
  require(x.rows() > 0 && x.cols() > 0, "Projection: X is empty");
  require(y.rows() == 0 || y.cols() == x.cols(), "Projection: X has ", x.cols(), " columns, Y has ",
          y.cols());
  if (x.cols() <= 2) {
    use_columns(x, y, column_names);
  } else {
    use_principal_axes(x, y);
  }
}

void Projection::use_columns(MatrixView x, MatrixView y, const std::vector<std::string>& names) {
  const std::size_t d = x.cols();
  origin_.assign(d, 0.0);
  directions_ = Matrix(d, d);
  const RowMajor pooled = pooled_rows(x, y);
  const RowMajor centred = pooled.rowwise() - pooled.colwise().mean();
  const double total = centred.squaredNorm();
  for (std::size_t j = 0; j < d; ++j) {
    directions_(j, j) = 1.0;
    const double own = centred.col(static_cast<Index>(j)).squaredNorm();
    axes_.push_back({j < names.size() ? names[j] : "column " + std::to_string(j + 1),
                     total > 0.0 ? own / total : 0.0});
  }
}

void Projection::use_principal_axes(MatrixView x, MatrixView y) {
  const std::size_t d = x.cols();
  RowMajor pooled = pooled_rows(x, y);
  const Eigen::RowVectorXd mean = pooled.colwise().mean();
  pooled.rowwise() -= mean;
  const PrincipalAxes found = principal_axes(pooled);
  origin_.assign(mean.data(), mean.data() + d);
  const auto count = static_cast<std::size_t>(found.variance.size());
  directions_ = Matrix(count, d);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t j = 0; j < d; ++j) {
      directions_(a, j) = found.directions(static_cast<Index>(j), static_cast<Index>(a));
    }
    const double variance = found.variance[static_cast<Index>(a)];
    axes_.push_back({"principal axis " + std::to_string(a + 1),
                     found.total_variance > 0.0 ? variance / found.total_variance : 0.0});
  }
}

FigurePoint Projection::point(std::span<const double> row) const {
  require(row.size() == origin_.size(), "Projection: a row of ", row.size(), " values where ",
          origin_.size(), " were expected");
  FigurePoint projected(axes_.size(), 0.0);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      projected[a] += directions_(a, j) * (row[j] - origin_[j]);
    }
  }
  return projected;
}

std::vector<FigurePoint> Projection::points(MatrixView data,
                                            std::span<const std::size_t> rows) const {
  std::vector<FigurePoint> projected;
  projected.reserve(rows.size());
  for (const std::size_t i : rows) projected.push_back(point(data.row(i)));
  return projected;
}

std::vector<double> Projection::covariance(MatrixView full) const {
  const std::size_t d = origin_.size();
  require(full.rows() == d && full.cols() == d, "Projection: a covariance of ", full.rows(), " x ",
          full.cols(), " where ", d, " x ", d, " was expected");
  using Map = Eigen::Map<const RowMajor>;
  const auto size = static_cast<Index>(d), count = static_cast<Index>(axes_.size());
  const Map directions(directions_.values().data(), count, size);
  const Map matrix(full.values().data(), size, size);
  const RowMajor projected = directions * matrix * directions.transpose();
  return {projected.data(), projected.data() + projected.size()};
}

Figure start_figure(const Projection& projection, MatrixView x, MatrixView y) {
  Figure figure;
  figure.axes = projection.axes();
  figure.x = projection.points(x, spread_indices(x.rows(), kDrawnRows));
  figure.y = projection.points(y, spread_indices(y.rows(), kDrawnRows));
  return figure;
}

std::vector<std::size_t> spread_indices(std::size_t count, std::size_t limit) {
  std::vector<std::size_t> indices(std::min(count, limit));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    indices[i] = count <= limit ? i : (2 * i + 1) * count / (2 * limit);
  }
  return indices;
}

std::vector<std::size_t> sample_by_mass(std::span<const double> mass, std::size_t limit) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0.0) all.push_back(i);
  }
  if (all.size() <= limit || limit == 0) {
    if (limit == 0) all.clear();
    return all;
  }
  // Systematic sampling: the entries that hold the points (i + 1/2) / limit of the total.
  const double total = std::accumulate(mass.begin(), mass.end(), 0.0);
  std::vector<std::size_t> chosen;
  const double step = total / static_cast<double>(limit);
  double before = 0.0, next = 0.5 * step;
  for (const std::size_t i : all) {
    before += mass[i];
    if (before <= next) continue;
    chosen.push_back(i);
    while (next < before) next += step;  // a heavy entry holds several of the points
  }
  return chosen;
}

std::vector<FigureCoupling> draw_couplings(const Projection& projection, MatrixView from,
                                           MatrixView to, std::span<const MassFlow> plan) {
  constexpr std::size_t kMost = 400;  // lines that an eye can follow
  std::vector<double> mass(plan.size());
  std::transform(plan.begin(), plan.end(), mass.begin(), [](const MassFlow& f) { return f.mass; });
  std::vector<FigureCoupling> couplings;
  for (const std::size_t i : sample_by_mass(mass, kMost)) {
    require(plan[i].from < from.rows() && plan[i].to < to.rows(), "draw_couplings: plan[", i,
            "] goes from row ", plan[i].from, " to row ", plan[i].to, " of ", from.rows(), " and ",
            to.rows(), " rows");
    couplings.push_back({projection.point(from.row(plan[i].from)),
                         projection.point(to.row(plan[i].to)), plan[i].mass});
  }
  return couplings;
}

}  // namespace nw::record
