#include "nw/score/image_scores.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"

#include "base/decompositions.hpp"

namespace nw::score {
namespace {

using RowMajor = RowMajorMatrix;
using Eigen::Index;
using Eigen::MatrixXd;

Eigen::Map<const RowMajor> as_eigen(MatrixView m) {
  return {m.values().data(), static_cast<Index>(m.rows()), static_cast<Index>(m.cols())};
}

Eigen::Map<const Eigen::VectorXd> as_eigen(const std::vector<double>& v) {
  return {v.data(), static_cast<Index>(v.size())};
}

constexpr double kSumTolerance = 1e-3;

/// Roots of the eigenvalues of a symmetric positive matrix; rounding below zero counts as zero.
double trace_of_root(const MatrixXd& matrix) {
  return symmetric_eigenvalues(matrix).cwiseMax(0.0).cwiseSqrt().sum();
}

MatrixXd root_of(const MatrixXd& matrix) {
  const auto [values, vectors] = symmetric_eigen(matrix);
  return vectors * values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * vectors.transpose();
}

double score_of_part(const Eigen::Ref<const RowMajor>& p) {
  const Eigen::RowVectorXd mean = p.colwise().mean();
  double divergence = 0.0;
  for (Index i = 0; i < p.rows(); ++i) {
    for (Index y = 0; y < p.cols(); ++y) {
      if (p(i, y) > 0.0) divergence += p(i, y) * std::log(p(i, y) / mean(y));
    }
  }
  return std::exp(divergence / static_cast<double>(p.rows()));
}

}  // namespace

ClassScore class_score(MatrixView probabilities, int parts) {
  require(parts > 0, "class_score: parts must be positive, got ", parts);
  const auto count = static_cast<std::size_t>(parts);
  require(probabilities.rows() >= count, "class_score: ", probabilities.rows(), " images for ",
          parts, " parts");
  for (std::size_t i = 0; i < probabilities.rows(); ++i) {
    double sum = 0.0;
    for (const double p : probabilities.row(i)) sum += p;
    require(std::abs(sum - 1.0) < kSumTolerance, "class_score: the probabilities of image ", i + 1,
            " sum to ", sum);
  }
  const auto all = as_eigen(probabilities);
  std::vector<double> scores;
  for (std::size_t part = 0; part < count; ++part) {
    const auto begin = static_cast<Index>(part * probabilities.rows() / count);
    const auto end = static_cast<Index>((part + 1) * probabilities.rows() / count);
    scores.push_back(score_of_part(all.middleRows(begin, end - begin)));
  }
  const auto values = as_eigen(scores);
  const double mean = values.mean();
  return {.mean = mean, .deviation = std::sqrt((values.array() - mean).square().mean())};
}

FeatureMoments feature_moments(MatrixView features) {
  require(features.rows() >= 2, "feature_moments: at least two rows, got ", features.rows());
  const auto x = as_eigen(features);
  const Eigen::RowVectorXd mean = x.colwise().mean();
  const RowMajor centred = x.rowwise() - mean;
  const RowMajor covariance =
      centred.transpose() * centred / static_cast<double>(features.rows() - 1);
  FeatureMoments moments{.mean = {mean.data(), mean.data() + mean.size()},
                         .covariance = Matrix(features.cols(), features.cols()),
                         .count = features.rows()};
  std::copy_n(covariance.data(), covariance.size(), moments.covariance.values().begin());
  return moments;
}

// (S1 S2)^(1/2) has the trace of (R S2 R)^(1/2) with R = S1^(1/2): both have the eigenvalues of
// S1 S2, and the second is symmetric.
double frechet_distance(const FeatureMoments& x, const FeatureMoments& y) {
  require(x.mean.size() == y.mean.size(), "frechet_distance: features of ", x.mean.size(), " and ",
          y.mean.size(), " dimensions");
  const MatrixXd first = as_eigen(x.covariance.view()), second = as_eigen(y.covariance.view());
  const MatrixXd root = root_of(first);
  const double shift = (as_eigen(x.mean) - as_eigen(y.mean)).squaredNorm();
  return shift + first.trace() + second.trace() - 2.0 * trace_of_root(root * second * root);
}

}  // namespace nw::score
