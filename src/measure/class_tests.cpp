// The shares of Y are found from the posteriors of trees by likelihood, and in three other ways
// that say how far to trust them (share_routes.cpp, class_mix.cpp).
//
// The test: if only the mix changed, then X with every row weighted by how much more frequent its
// class is in Y equals Y in law, and trees cannot tell the two apart. It takes the shares of the
// mix of classes that is nearest to Y by the energy distance in a space of columns and posteriors,
// which are consistent whatever the posteriors are worth: those of likelihood are nearer to the
// truth, but where they are wrong, the test would be.
//
// A class that is rare in X and frequent in Y gives few, heavy rows, and their noise would drown
// the rest. Both samples are therefore also multiplied by one function of the row, f = 1 / (1 +
// ratio), with the ratio of Y to X that the posteriors predict there. Equal laws stay equal under
// any f: errors of the posteriors cost power, never level.
#include "measure/class_tests.hpp"

#include <algorithm>
#include <cmath>

#include "measure/class_mix.hpp"
#include "measure/class_posteriors.hpp"
#include "measure/domain_forest.hpp"
#include "measure/score_calibration.hpp"
#include "measure/share_routes.hpp"
#include "measure/weighted_ranks.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kDistanceRows = 1000;  // of each sample in matrices of distances
constexpr double kPosteriorWeight = 3.0;     // of posteriors beside columns of deviation one
constexpr int kSimulations = 999;
constexpr double kSpeaksAgainst = 0.5;  // p_classes from which a reading without classes is dropped

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

ShareEstimate in_intervals(const NearestMix& mix, double rows_y, double confidence) {
  ShareEstimate estimate{.share = to_vector(mix.share), .interval = {}};
  for (Eigen::Index c = 0; c < mix.share.size(); ++c) {
    const double share = mix.share(c), variance = mix.deviation(c) * mix.deviation(c);
    // As many trials as would give a binomial share this deviation.
    const double trials =
        variance > 0.0 ? std::min(share * (1.0 - share) / variance, rows_y) : rows_y;
    estimate.interval.push_back(wilson_interval(share, std::max(trials, 1.0), confidence));
  }
  return estimate;
}

// Shares from posteriors, of the classes that were pooled.
void find_shares(const PooledRows& pool, const std::vector<std::uint32_t>& class_of,
                 const RowMatrix& q, const ShareEstimate& nearest, const ClassOptions& options,
                 const Rng& rng, ClassTests& tests) {
  std::vector<Eigen::Index> seen;
  std::vector<std::uint32_t> place(options.classes, 0);
  for (std::size_t c = 0; c < options.classes; ++c) {
    place[c] = static_cast<std::uint32_t>(seen.size());
    if (tests.share_x[c] > 0.0) seen.push_back(static_cast<Eigen::Index>(c));
  }
  RowMatrix log_q(q.rows(), static_cast<Eigen::Index>(seen.size()));
  for (std::size_t j = 0; j < seen.size(); ++j) {
    log_q.col(static_cast<Eigen::Index>(j)) = q.col(seen[j]).array().log();
  }
  std::vector<std::uint32_t> known;
  for (const std::uint32_t c : class_of) known.push_back(place[c]);
  const auto in_x = static_cast<Eigen::Index>(pool.in_x);
  const Calibration calibration = calibrate(log_q.topRows(in_x), known);
  const RowMatrix calibrated = calibration.apply(log_q);
  const ClassShareRoutes found = find_class_shares(
      class_scores(calibrated.topRows(in_x), calibrated.bottomRows(q.rows() - in_x), known),
      {.resamplings = options.resamplings,
       .confidence = options.confidence,
       .threads = options.threads,
       .stop = options.stop},
      rng);
  const auto of_all = [&](const ShareEstimate& estimate) {
    ShareEstimate all{
        .share = std::vector<double>(options.classes, 0.0),
        .interval = std::vector<Interval>(options.classes, {.low = 0.0, .high = 1.0})};
    for (std::size_t j = 0; j < seen.size(); ++j) {
      all.share[static_cast<std::size_t>(seen[j])] = estimate.share[j];
      all.interval[static_cast<std::size_t>(seen[j])] = estimate.interval[j];
    }
    return all;
  };
  tests.routes = {{"likelihood", of_all(found.likelihood)},
                  {"confusion", of_all(found.confusion)},
                  {"energy", nearest},
                  {"transport", of_all(found.transport)}};
  tests.share_y =
      widened(tests.routes[0].shares, {tests.routes[1].shares, nearest, tests.routes[3].shares});
  for (const auto& error : found.errors) {
    tests.errors.emplace_back(options.classes, 0.0);
    for (std::size_t j = 0; j < seen.size(); ++j) {
      tests.errors.back()[static_cast<std::size_t>(seen[j])] = error[j];
    }
  }
}

}  // namespace

ClassTests test_classes(const PooledRows& pool, const std::vector<std::uint32_t>& class_of,
                        const ClassOptions& options, const Rng& rng) {
  const auto classes = static_cast<Eigen::Index>(options.classes);
  Eigen::VectorXd prior = Eigen::VectorXd::Zero(classes);
  for (const std::uint32_t c : class_of) prior(c) += 1.0 / static_cast<double>(pool.in_x);
  const RankedColumns columns = ranked(pool);
  const RowMatrix q = class_posteriors(pool, columns, class_of,
                                       {.classes = options.classes,
                                        .trees = options.trees,
                                        .threads = options.threads,
                                        .stop = options.stop},
                                       rng.split(1));
  ClassTests tests;
  tests.share_x = to_vector(prior);
  const NearestMix mix = fit_mix(pool, class_of, q, options, rng.split(2));
  const double rows_y = static_cast<double>(pool.in_y);
  find_shares(pool, class_of, q, in_intervals(mix, rows_y, options.confidence), options,
              rng.split(4), tests);

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
