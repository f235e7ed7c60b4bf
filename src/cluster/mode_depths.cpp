// Passes are sought along ridgelines: all modes of two Gaussians lie on the curve
//   x(t) = ((1 - t) S_1^-1 + t S_2^-1)^-1 ((1 - t) S_1^-1 m_1 + t S_2^-1 m_2)
// (Ray and Lindsay 2005, eq. 4); the density along it is that of the whole mixture, so that
// components between the two may fill the valley. Depths are persistences: passes are opened from
// the highest down, and where two groups meet the lower peak ends.
#include "cluster/mode_depths.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/decompositions.hpp"
#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

constexpr Eigen::Index kSteps = 19;

std::vector<double> log_density(const measure::ComponentDensity& density,
                                std::span<const double> pi, const RowMatrix& points) {
  RowMatrix terms = density.log_density(measure::to_matrix(points));
  std::vector<double> result;
  for (Eigen::Index i = 0; i < terms.rows(); ++i) {
    for (std::size_t j = 0; j < pi.size(); ++j) {
      terms(i, static_cast<Eigen::Index>(j)) += std::log(std::max(pi[j], 1e-300));
    }
    const double most = terms.row(i).maxCoeff();
    result.push_back(most + std::log((terms.row(i).array() - most).exp().sum()));
  }
  return result;
}

}  // namespace

std::vector<double> mode_depths(const measure::Mixture& mixture, std::span<const double> pi,
                                double ridge) {
  const std::size_t k = mixture.size();
  const auto d = static_cast<Eigen::Index>(mixture.dim());
  const measure::ComponentDensity density(mixture, ridge);
  RowMatrix means(static_cast<Eigen::Index>(k), d);
  std::vector<RowMatrix> precision(k);
  std::vector<Eigen::VectorXd> pull(k);
  for (std::size_t j = 0; j < k; ++j) {
    const Eigen::VectorXd mean = as_eigen(std::span(mixture.components[j].centre));
    means.row(static_cast<Eigen::Index>(j)) = mean.transpose();
    const Matrix sigma = covariance(mixture.components[j]);
    RowMatrix wide = as_eigen(sigma.view());
    wide.diagonal().array() += ridge;
    precision[j] = solve_semidefinite(wide, RowMatrix::Identity(d, d));
    pull[j] = precision[j] * mean;
  }
  const auto height = log_density(density, pi, means);
  struct Pass {
    double height;
    std::size_t first, second;
  };
  std::vector<Pass> passes;
  RowMatrix ridgeline(kSteps, d);
  for (std::size_t j = 1; j < k; ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      for (Eigen::Index s = 0; s < kSteps; ++s) {
        const double t = static_cast<double>(s + 1) / static_cast<double>(kSteps + 1);
        const RowMatrix between = (1.0 - t) * precision[i] + t * precision[j];
        const RowMatrix towards = (1.0 - t) * pull[i] + t * pull[j];
        ridgeline.row(s) = solve_semidefinite(between, towards).transpose();
      }
      const auto along = log_density(density, pi, ridgeline);
      passes.push_back({std::min({height[i], height[j], *std::ranges::min_element(along)}), i, j});
    }
  }
  std::ranges::stable_sort(passes, std::greater<>(), &Pass::height);
  std::vector<std::size_t> peak(k);  // a tree whose roots are the highest peaks of their groups
  std::iota(peak.begin(), peak.end(), std::size_t{0});
  const auto root = [&](std::size_t j) {
    while (peak[j] != j) j = peak[j];
    return j;
  };
  std::vector<double> depths;
  for (const auto& pass : passes) {
    std::size_t high = root(pass.first), low = root(pass.second);
    if (high == low) continue;
    if (height[high] < height[low]) std::swap(high, low);
    depths.push_back(height[low] - pass.height);
    peak[low] = high;
  }
  std::ranges::sort(depths, std::greater<>());
  return depths;
}

}  // namespace nw::cluster
