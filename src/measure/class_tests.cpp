// Posteriors of the classes come from forests trained on X, one class against the others; rows of X
// get theirs from trees that never saw them. The shares of Y follow by EM (Saerens, Latinne and
// Decaestecker 2002): posteriors reweighted by the shares they imply. If only the mix changed, a
// row is sum_c share_y,c / share_x,c q_c(x) times as likely in Y as in X. A region where the
// samples differ by more than that, with some room for errors of the posteriors, shows a class that
// is new or has changed.
#include "measure/class_tests.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/parallel.hpp"

#include "measure/domain_forest.hpp"
#include "measure/ratio_scan.hpp"

namespace nw::measure {
namespace {

constexpr double kRoom = 1.5;            // factor left for errors of the posteriors
constexpr double kSmallestShare = 1e-3;  // of Y, so that no ratio is zero
constexpr double kSureness = 0.005;
constexpr int kIterations = 100;

RowMatrix class_posteriors(const PooledRows& pool, const std::vector<std::uint32_t>& class_of,
                           const ClassOptions& options, const Rng& rng) {
  RankedColumns columns;
  columns.append(as_view(pool.scaled));
  columns.append(as_view(pool.principal));
  ForestOptions forest{
      .trees = options.trees, .min_leaf = 2, .threads = options.threads, .weight = {}};
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

// Shares of the rows listed, whose posteriors hold for the shares `prior`.
Eigen::VectorXd shares_by_em(const RowMatrix& q, const std::vector<Eigen::Index>& rows,
                             const Eigen::VectorXd& prior) {
  Eigen::VectorXd share = prior;
  for (int step = 0; step < kIterations; ++step) {
    const Eigen::VectorXd ratio = share.cwiseQuotient(prior);
    Eigen::VectorXd next = Eigen::VectorXd::Zero(share.size());
    for (const Eigen::Index i : rows) {
      const Eigen::VectorXd p = q.row(i).transpose().cwiseProduct(ratio);
      next += p / p.sum();
    }
    next /= static_cast<double>(rows.size());
    const double change = (next - share).cwiseAbs().sum();
    share = next;
    if (change < 1e-6) break;
  }
  return share;
}

}  // namespace

ClassTests test_classes(const PooledRows& pool, const std::vector<std::uint32_t>& class_of,
                        const std::vector<double>& score, const ClassOptions& options,
                        const Rng& rng) {
  const auto classes = static_cast<Eigen::Index>(options.classes);
  Eigen::VectorXd prior = Eigen::VectorXd::Zero(classes);
  for (const std::uint32_t c : class_of) prior(c) += 1.0 / static_cast<double>(pool.in_x);
  const RowMatrix q = class_posteriors(pool, class_of, options, rng.split(1));
  std::vector<Eigen::Index> rows_y;
  for (std::size_t i = pool.in_x; i < pool.rows(); ++i) {
    rows_y.push_back(static_cast<Eigen::Index>(i));
  }
  const Eigen::VectorXd share = shares_by_em(q, rows_y, prior);
  ClassTests tests{
      .share_x = to_vector(prior), .share_y = to_vector(share), .share_y_interval = {}};

  // Intervals from resampled rows of Y.
  std::vector<Eigen::VectorXd> draws(static_cast<std::size_t>(options.resamplings));
  parallel_for(options.threads, draws.size(), 8, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      Rng own = rng.split(100 + b);
      std::vector<Eigen::Index> drawn(rows_y.size());
      for (auto& i : drawn) i = rows_y[own.below(rows_y.size())];
      draws[b] = shares_by_em(q, drawn, prior);
    }
  });
  for (Eigen::Index c = 0; c < classes; ++c) {
    double mean = 0.0, square = 0.0;
    for (const auto& d : draws) mean += d(c) / static_cast<double>(draws.size());
    for (const auto& d : draws) {
      square += (d(c) - mean) * (d(c) - mean) / static_cast<double>(draws.size() - 1);
    }
    const double rows = static_cast<double>(pool.in_y);
    const double trials = square > 0.0 ? std::min(mean * (1.0 - mean) / square, rows) : rows;
    tests.share_y_interval.push_back(
        wilson_interval(share(c), std::max(trials, 1.0), options.confidence));
  }

  // The scan along score minus prediction, both ways.
  const Eigen::VectorXd ratio = share.cwiseMax(kSmallestShare).cwiseQuotient(prior);
  const double odds = static_cast<double>(pool.in_y) / static_cast<double>(pool.in_x);
  double smallest = 1.0;
  for (const bool in_y : {true, false}) {
    std::vector<double> beyond(pool.rows()), chance(pool.rows());
    std::vector<std::uint8_t> label(pool.rows());
    for (std::size_t i = 0; i < pool.rows(); ++i) {
      const double sign = in_y ? 1.0 : -1.0;
      const double s = std::clamp(score[i], kSureness, 1.0 - kSureness);
      const double allowed =
          sign * std::log(odds * q.row(static_cast<Eigen::Index>(i)).dot(ratio)) + std::log(kRoom);
      beyond[i] = sign * std::log(s / (1.0 - s)) - allowed;
      chance[i] = 1.0 / (1.0 + std::exp(-allowed));
      label[i] = pool.from_y(i) == in_y;
    }
    smallest = std::min(smallest, scan_beyond(beyond, label, chance, {.simulations = 999}));
  }
  tests.p = std::min(1.0, 2.0 * smallest);
  return tests;
}

}  // namespace nw::measure
