// Rows are resampled and the proportions re-estimated for fixed components by likelihood, whose
// densities are computed once, so that hundreds of resamplings cost milliseconds. The deviation
// found is turned into the number of trials of an equivalent binomial count, and the interval is
// Wilson's for that count: bootstrap percentiles are too short for proportions near zero.
#include "measure/proportion_bootstrap.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/parallel.hpp"

#include "measure/normal_quantile.hpp"

namespace nw::measure {
namespace {

constexpr int kIterations = 40;

// Maximum-likelihood proportions for weighted rows of the density matrix.
std::vector<double> reweighted(const RowMatrix& density, const Eigen::VectorXd& weights,
                               Eigen::VectorXd pi) {
  for (int step = 0; step < kIterations; ++step) {
    const Eigen::VectorXd total = density * pi;
    const Eigen::VectorXd next =
        pi.cwiseProduct(density.transpose() * weights.cwiseQuotient(total.cwiseMax(1e-300)));
    const double change = (next - pi).cwiseAbs().sum();
    pi = next / next.sum();
    if (change < 1e-5) break;
  }
  return to_vector(pi);
}

}  // namespace

Interval wilson_interval(double p, double trials, double confidence) {
  const double z = normal_quantile(0.5 + 0.5 * confidence), zz = z * z / trials;
  const double centre = (p + 0.5 * zz) / (1.0 + zz);
  const double half = std::sqrt(p * (1.0 - p) * zz + 0.25 * zz * zz) / (1.0 + zz);
  return {.low = std::max(centre - half, 0.0), .high = std::min(centre + half, 1.0)};
}

ProportionSpread proportion_spread(const EstimatedProportions& estimate,
                                   const SpreadOptions& options, Rng& rng) {
  const Sample& sample = estimate.sample;
  const double rows = estimate.rows;
  const std::size_t k = estimate.pi.size();
  if (k == 1) return {.interval = {Interval{.low = 1.0, .high = 1.0}}, .errors = {}};
  const ComponentDensity components(estimate.mixture, options.ridge);
  RowMatrix density = components.log_density(sample.points);
  density = (density.colwise() - density.rowwise().maxCoeff().eval()).array().exp();
  // No proportion starts at zero, where EM would keep it.
  const Eigen::VectorXd start =
      (0.99 * as_eigen(std::span(estimate.likely))).array() + 0.01 / static_cast<double>(k);
  const Rng streams(rng.bits());
  std::vector<std::vector<double>> draws(static_cast<std::size_t>(options.resamplings));
  parallel_for(options.threads, draws.size(), 8, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      options.stop();
      Rng own = streams.split(b);
      Eigen::VectorXd weights = Eigen::VectorXd::Zero(density.rows());
      for (Eigen::Index i = 0; i < density.rows(); ++i) {
        const auto row = own.below(sample.rows());
        weights(static_cast<Eigen::Index>(row)) += sample.weights[row];
      }
      weights /= weights.sum();
      draws[b] = reweighted(density, weights, start);
    }
  });
  ProportionSpread spread;
  const double count = options.resamplings;
  const double to_all_rows = std::sqrt(static_cast<double>(sample.rows()) / rows);
  for (std::size_t j = 0; j < k; ++j) {
    double mean = 0.0, square = 0.0;
    for (const auto& d : draws) mean += d[j] / count;
    for (const auto& d : draws) square += (d[j] - mean) * (d[j] - mean) / (count - 1.0);
    // The subsample's variance, scaled to all rows.
    const double variance = square * static_cast<double>(sample.rows()) / rows;
    const double trials = variance > 0.0 ? std::min(mean * (1.0 - mean) / variance, rows) : rows;
    spread.interval.push_back(
        wilson_interval(estimate.pi[j], std::max(trials, 1.0), options.confidence));
    for (auto& d : draws) d[j] = to_all_rows * (d[j] - mean);
  }
  spread.errors = std::move(draws);
  return spread;
}

}  // namespace nw::measure
