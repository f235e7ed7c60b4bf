// The shares of Y are those of the mix of classes nearest to it, by the energy distance in a space
// of columns and class posteriors. If only the mix changed, then X with every row weighted by how
// much more frequent its class is in Y equals Y in law, and trees cannot tell the two apart.
//
// A class that is rare in X and frequent in Y gives few, heavy rows, and their noise would drown
// the rest. Both samples are therefore also multiplied by one function of the row, f = 1 / (1 +
// ratio), with the ratio of Y to X that the posteriors predict there. Equal laws stay equal under
// any f: errors of the posteriors cost power, never level.
#include "measure/class_tests.hpp"

#include <algorithm>
#include <cmath>

#include "measure/class_mix.hpp"
#include "measure/domain_forest.hpp"
#include "measure/weighted_ranks.hpp"

namespace nw::measure {
namespace {

constexpr double kSureness = 0.005;          // posteriors of 0 and 1 come from few trees
constexpr std::size_t kDistanceRows = 1000;  // of each sample in matrices of distances
constexpr double kPosteriorWeight = 3.0;     // of posteriors beside columns of deviation one
constexpr int kSimulations = 999;
constexpr double kSpeaksAgainst = 0.5;  // p_classes from which a reading without classes is dropped

RankedColumns ranked(const PooledRows& pool) {
  RankedColumns columns;
  columns.append(as_view(pool.scaled));
  columns.append(as_view(pool.principal));
  return columns;
}

// From forests trained on X, one class against the others; rows of X get theirs from trees that
// never saw them.
RowMatrix class_posteriors(const PooledRows& pool, const RankedColumns& columns,
                           const std::vector<std::uint32_t>& class_of, const ClassOptions& options,
                           const Rng& rng) {
  ForestOptions forest{
      .trees = options.trees, .min_leaf = 2, .threads = options.threads, .stop = options.stop};
  forest.weight.assign(pool.rows(), 0.0);
  std::fill_n(forest.weight.begin(), pool.in_x, 1.0);
  RowMatrix q(static_cast<Eigen::Index>(pool.rows()), static_cast<Eigen::Index>(options.classes));
  for (std::size_t c = 0; c < options.classes; ++c) {
    std::vector<std::uint8_t> label(pool.rows(), 0);
    for (std::size_t i = 0; i < pool.in_x; ++i) label[i] = class_of[i] == c;
    const auto score = out_of_bag_scores(columns, label, forest, rng.split(c));
    for (std::size_t i = 0; i < pool.rows(); ++i) {
      q(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) =
          std::clamp(score[i], kSureness, 1.0 - kSureness);
    }
  }
  const Eigen::VectorXd total = q.rowwise().sum();
  q.array().colwise() /= total.array();
  return q;
}

// The first rows of each sample, which are a random part.
std::vector<std::size_t> rows_for_distances(const PooledRows& pool) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    if ((i < pool.in_x ? i : i - pool.in_x) < kDistanceRows) rows.push_back(i);
  }
  return rows;
}

NearestMix fit_mix(const PooledRows& pool, const std::vector<std::uint32_t>& class_of,
                   const RowMatrix& q, const ClassOptions& options, const Rng& rng) {
  ClassedRows rows;
  rows.classes = options.classes;
  const std::vector<std::size_t> part = rows_for_distances(pool);
  rows.points.resize(static_cast<Eigen::Index>(part.size()), pool.scaled.cols() + q.cols());
  const double per_column =
      1.0 / std::sqrt(static_cast<double>(std::max<Eigen::Index>(pool.scaled.cols(), 1)));
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i), row = static_cast<Eigen::Index>(part[i]);
    rows.points.row(at) << per_column * pool.scaled.row(row), kPosteriorWeight * q.row(row);
    if (part[i] < pool.in_x) rows.class_of.push_back(class_of[part[i]]);
  }
  return nearest_mix(rows, options.resamplings, options.threads, rng, options.stop);
}

}  // namespace

ClassTests test_classes(const PooledRows& pool, const std::vector<std::uint32_t>& class_of,
                        const ClassOptions& options, const Rng& rng) {
  const auto classes = static_cast<Eigen::Index>(options.classes);
  Eigen::VectorXd prior = Eigen::VectorXd::Zero(classes);
  for (const std::uint32_t c : class_of) prior(c) += 1.0 / static_cast<double>(pool.in_x);
  const RankedColumns columns = ranked(pool);
  const RowMatrix q = class_posteriors(pool, columns, class_of, options, rng.split(1));
  const NearestMix mix = fit_mix(pool, class_of, q, options, rng.split(2));
  ClassTests tests{.share_x = to_vector(prior),
                   .share_y = to_vector(mix.share),
                   .share_y_interval = {},
                   .p = 1.0};
  const double rows_y = static_cast<double>(pool.in_y);
  for (Eigen::Index c = 0; c < classes; ++c) {
    const double share = mix.share(c), variance = mix.deviation(c) * mix.deviation(c);
    // As many trials as would give a binomial share this deviation.
    const double trials =
        variance > 0.0 ? std::min(share * (1.0 - share) / variance, rows_y) : rows_y;
    tests.share_y_interval.push_back(
        wilson_interval(share, std::max(trials, 1.0), options.confidence));
  }

  // A class of which no row was tested has no share in either sample.
  const Eigen::VectorXd ratio = (prior.array() > 0.0).select(mix.share.cwiseQuotient(prior), 0.0);
  const double size_ratio = rows_y / static_cast<double>(pool.in_x);
  std::vector<std::uint8_t> label(pool.rows(), 0);
  std::vector<double> weight(pool.rows());
  double total[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    label[i] = pool.from_y(i);
    weight[i] = 1.0 / (1.0 + size_ratio * q.row(static_cast<Eigen::Index>(i)).dot(ratio));
    if (!pool.from_y(i)) weight[i] *= ratio(class_of[i]);
    total[label[i]] += weight[i];
  }
  for (std::size_t i = 0; i < pool.rows(); ++i) weight[i] /= total[label[i]];
  const std::vector<double> score = domain_scores(columns, label,
                                                  {.trees = options.domain_trees,
                                                   .threads = options.threads,
                                                   .weight = weight,
                                                   .stop = options.stop},
                                                  rng.split(3));
  options.stop();
  tests.p = weighted_ranks(score, label, weight, kSimulations).p;
  return tests;
}

double with_classes(double p_without, double p_classes, double alpha) {
  return std::min(p_classes, std::max(p_without, p_classes * alpha / kSpeaksAgainst));
}

}  // namespace nw::measure
