// Preparation of the data, and the reduction rule for large dimensions.
//
// Reduction: for d <= max_dim nothing is changed. Otherwise the data are projected onto leading
// principal axes of the pooled sample in which X and Y weigh the same: the fewest axes that keep
// `keep_variance`, at most `max_dim`. The projection is an orthogonal one, so every distance, and
// with it W and NW, can only shrink; it does not change when the data lie in that subspace.
#include "measure/working_data.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/value_limit.hpp"

#include "measure/dense.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kMaxRowsForAxes = 4000;

const char* name_of(std::size_t s) {
  return s == 0 ? "x" : "y";
}

Sample gather(const ot::WeightedPoints& data, const std::vector<std::size_t>& rows) {
  Sample sample{.points = rows_at(data.points, rows), .weights = std::vector<double>(rows.size())};
  double total = 0.0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sample.weights[i] = data.weights.empty() ? 1.0 : data.weights[rows[i]];
    total += sample.weights[i];
  }
  require(total > 0.0, "the rows drawn from a data set have no weight: too few positive weights");
  for (auto& weight : sample.weights) weight /= total;
  return sample;
}

struct Moments {
  Eigen::VectorXd mean, variance;
};

Moments pooled_moments(const std::vector<Sample>& samples) {
  const auto dim = static_cast<Eigen::Index>(samples[0].points.cols());
  Moments m{.mean = Eigen::VectorXd::Zero(dim), .variance = Eigen::VectorXd::Zero(dim)};
  const double share = 1.0 / static_cast<double>(samples.size());
  for (const auto& s : samples) {
    m.mean += share * as_eigen(s.points.view()).transpose() * as_eigen(std::span(s.weights));
  }
  for (const auto& s : samples) {
    const RowMatrix centred = as_eigen(s.points.view()).rowwise() - m.mean.transpose();
    m.variance += share * centred.cwiseAbs2().transpose() * as_eigen(std::span(s.weights));
  }
  return m;
}

// Rows of both samples, centred and scaled by the root of their share of the pooled mass, so that
// stacked^T stacked is the pooled covariance.
RowMatrix stacked_rows(const std::vector<Sample>& samples, const Eigen::VectorXd& mean, Rng& rng) {
  const std::vector<Sample> parts = thin(samples, kMaxRowsForAxes / samples.size(), rng);
  Eigen::Index total = 0;
  for (const auto& part : parts) total += static_cast<Eigen::Index>(part.rows());
  RowMatrix stacked(total, mean.size());
  Eigen::Index row = 0;
  for (const auto& part : parts) {
    for (std::size_t i = 0; i < part.rows(); ++i, ++row) {
      const double scale = std::sqrt(part.weights[i] / static_cast<double>(parts.size()));
      stacked.row(row) = scale * (as_eigen(part.points.row(i)) - mean).transpose();
    }
  }
  return stacked;
}

struct Axes {
  RowMatrix rows;          // orthonormal, by falling variance
  Eigen::VectorXd values;  // variance along each
};

Axes principal_axes(const RowMatrix& stacked) {
  // The smaller of covariance and Gram matrix holds the same spectrum.
  const bool gram = stacked.rows() < stacked.cols();
  const RowMatrix square =
      gram ? RowMatrix(stacked * stacked.transpose()) : RowMatrix(stacked.transpose() * stacked);
  const SymmetricEigen eigen = symmetric_eigen(square);
  Axes axes{.rows = {}, .values = eigen.values.reverse().cwiseMax(0.0)};
  const RowMatrix vectors = eigen.vectors.rowwise().reverse().transpose();
  if (!gram) {
    axes.rows = vectors;
  } else {
    axes.rows = vectors * stacked;
    for (Eigen::Index i = 0; i < axes.rows.rows(); ++i) {
      const double norm = axes.rows.row(i).norm();
      if (norm > 0.0) axes.rows.row(i) /= norm;
    }
  }
  // A sign convention, so that the working space does not depend on the eigenvalue routine.
  for (Eigen::Index i = 0; i < axes.rows.rows(); ++i) {
    Eigen::Index largest = 0;
    axes.rows.row(i).cwiseAbs().maxCoeff(&largest);
    if (axes.rows(i, largest) < 0.0) axes.rows.row(i) *= -1.0;
  }
  return axes;
}

void reduce_dimension(WorkingData& work, const Moments& moments, const NwOptions& options,
                      Rng& rng) {
  const Axes axes = principal_axes(stacked_rows(work.samples, moments.mean, rng));
  const double total = axes.values.sum();
  Eigen::Index keep = 0;
  double kept = 0.0;
  const auto limit = std::min(static_cast<Eigen::Index>(options.max_dim), axes.values.size());
  while (keep < limit && (keep == 0 || kept < options.keep_variance * total)) {
    kept += axes.values(keep++);
  }
  auto& reduction = work.reduction;
  reduction.applied = true;
  reduction.dim = static_cast<std::size_t>(keep);
  reduction.kept_variance = total > 0.0 ? kept / total : 1.0;
  reduction.mean = to_vector(moments.mean);
  reduction.axes = to_matrix(axes.rows.topRows(keep));
  for (auto& sample : work.samples) {
    const RowMatrix centred = as_eigen(sample.points.view()).rowwise() - moments.mean.transpose();
    sample.points = to_matrix(centred * as_eigen(reduction.axes.view()).transpose());
  }
}

// Beyond this ratio of mean to deviation differences of squares lose half of their digits.
constexpr double kFar = 1e6;

bool lies_far_out(const Moments& moments) {
  const double deviation = std::sqrt(moments.variance.mean());
  return moments.mean.cwiseAbs().maxCoeff() > kFar * deviation && deviation > 0.0;
}

/// Moves the origin to the mean, as a reduction that keeps every axis.
void centre(WorkingData& work, const Moments& moments) {
  auto& reduction = work.reduction;
  const auto dim = static_cast<Eigen::Index>(reduction.dim);
  reduction.applied = true;
  reduction.kept_variance = 1.0;
  reduction.mean = to_vector(moments.mean);
  reduction.axes = to_matrix(RowMatrix::Identity(dim, dim));
  for (auto& sample : work.samples) {
    sample.points = to_matrix(as_eigen(sample.points.view()).rowwise() - moments.mean.transpose());
  }
}

}  // namespace

void check_data(const std::vector<ot::WeightedPoints>& data, std::size_t components) {
  for (std::size_t s = 0; s < data.size(); ++s) {
    const auto& points = data[s].points;
    const char* name = name_of(s);
    require(points.rows() > 0, "data set ", name, " is empty");
    require(points.cols() > 0, "data set ", name, " has no columns");
    require(points.cols() == data[0].points.cols(), "x has ", data[0].points.cols(),
            " columns but y has ", points.cols());
    require(points.rows() >= components, "data set ", name, " has ", points.rows(),
            " rows, fewer than the ", components, " components asked for");
    if (const auto place = first_unsquarable(points)) {
      const double value = points(place->row, place->column);
      throw InvalidArgument(
          concat("data set ", name, ", row ", place->row, ", column ", place->column, ": ", value,
                 std::isfinite(value) ? " is too large, its square overflows" : " is not finite"));
    }
    const auto& weights = data[s].weights;
    require(weights.empty() || weights.size() == points.rows(), "data set ", name, " has ",
            points.rows(), " rows but ", weights.size(), " weights");
    double total = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      require(std::isfinite(weights[i]) && weights[i] >= 0.0, "data set ", name, ": weight ", i,
              " must be finite and non-negative, got ", weights[i]);
      total += weights[i];
    }
    require(weights.empty() || total > 0.0, "data set ", name, ": all weights are zero");
  }
}

std::vector<std::size_t> choose_rows(std::size_t rows, std::size_t count, Rng& rng) {
  std::vector<std::size_t> chosen;
  if (count >= rows) {
    chosen.resize(rows);
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
    return chosen;
  }
  // Floyd's selection would need a set; walking once and keeping each row with the right
  // conditional probability gives the rows in order.
  chosen.reserve(count);
  for (std::size_t i = 0; chosen.size() < count; ++i) {
    if (rng.below(rows - i) < count - chosen.size()) chosen.push_back(i);
  }
  return chosen;
}

Sample take(const Sample& sample, const std::vector<std::size_t>& rows) {
  return gather(sample.view(), rows);
}

std::vector<Sample> thin(const std::vector<Sample>& samples, std::size_t rows, Rng& rng) {
  std::vector<Sample> parts;
  parts.reserve(samples.size());
  for (const auto& s : samples) parts.push_back(take(s, choose_rows(s.rows(), rows, rng)));
  return parts;
}

WorkingData prepare(const std::vector<ot::WeightedPoints>& data, std::size_t components,
                    const NwOptions& options, Rng& rng) {
  check_data(data, components);
  WorkingData work;
  work.given = data;
  for (const auto& d : data) {
    work.samples.push_back(gather(d, choose_rows(d.points.rows(), options.max_points, rng)));
  }
  const Moments moments = pooled_moments(work.samples);
  auto& reduction = work.reduction;
  reduction.original_dim = reduction.dim = data[0].points.cols();
  const double floor = 1e-24 * moments.mean.cwiseAbs2().maxCoeff();
  reduction.constant_columns =
      static_cast<std::size_t>((moments.variance.array() <= floor).count());
  if (reduction.dim > options.max_dim) {
    reduce_dimension(work, moments, options, rng);
  } else if (lies_far_out(moments)) {
    centre(work, moments);
  }
  work.variance = pooled_moments(work.samples).variance.mean();
  return work;
}

std::vector<double> reduce(const Reduction& reduction, std::span<const double> row) {
  if (!reduction.applied) return {row.begin(), row.end()};
  return to_vector(as_eigen(reduction.axes.view()) *
                   (as_eigen(row) - as_eigen(std::span(reduction.mean))));
}

std::vector<double> restore_direction(const Reduction& reduction,
                                      std::span<const double> direction) {
  if (!reduction.applied) return {direction.begin(), direction.end()};
  return to_vector(as_eigen(reduction.axes.view()).transpose() * as_eigen(direction));
}

std::vector<double> restore(const Reduction& reduction, std::span<const double> point) {
  std::vector<double> result = restore_direction(reduction, point);
  if (reduction.applied) {
    for (std::size_t c = 0; c < result.size(); ++c) result[c] += reduction.mean[c];
  }
  return result;
}

Mixture restore(const Reduction& reduction, const Mixture& mixture) {
  if (!reduction.applied) return mixture;
  const auto axes = as_eigen(reduction.axes.view());
  Mixture result;
  for (const auto& c : mixture.components) {
    Component out{.centre = restore(reduction, c.centre),
                  .factor = to_matrix(axes.transpose() * as_eigen(c.factor.view()) * axes),
                  .samples = {}};
    if (!c.is_affine()) {
      RowMatrix rows = as_eigen(c.samples.view()) * axes;
      rows.rowwise() += as_eigen(std::span(reduction.mean)).transpose();
      out.samples = to_matrix(rows);
    }
    result.components.push_back(std::move(out));
  }
  return result;
}

Mixture reduce(const Reduction& reduction, const Mixture& mixture) {
  if (!reduction.applied) return mixture;
  const auto axes = as_eigen(reduction.axes.view());
  Mixture result;
  for (const auto& c : mixture.components) {
    const RowMatrix factor = axes * as_eigen(c.factor.view());
    Component out =
        gaussian_component(reduce(reduction, c.centre), to_matrix(factor * factor.transpose()));
    if (!c.is_affine()) {
      const RowMatrix centred =
          as_eigen(c.samples.view()).rowwise() - as_eigen(std::span(reduction.mean)).transpose();
      out.samples = to_matrix(centred * axes.transpose());
    }
    result.components.push_back(std::move(out));
  }
  return result;
}

}  // namespace nw::measure
