// If only the mix of classes changed, Y's scores are a mix of the scores of X's classes. Three
// estimates of that mix: by likelihood from calibrated posteriors (Saerens, Latinne and
// Decaestecker 2002; Alexandari, Kundaje and Shrikumar 2020), from mean scores (Lipton, Wang and
// Smola 2018, with probabilities in place of decisions), and the mix nearest to Y's scores in W1
// (fit_proportions). They agree where the claim holds.
//
// Errors come from both sides resampled, X within its classes, and calibrated anew: without that,
// intervals by likelihood hold 83 instead of 89 % of the true shares (docs/measurements).
#include "measure/share_routes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"
#include "nw/measure/likely_shares.hpp"
#include "nw/measure/proportions.hpp"

#include "measure/shared_fit.hpp"
#include "measure/simplex.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {
namespace {

constexpr double kSmallestScore = 1e-12;
constexpr std::size_t kResampledRows = 20000;  // of each side; errors are scaled to all rows
constexpr std::size_t kTransportDraws = 39;

Eigen::VectorXd nearest_shares(const Eigen::VectorXd& values) {
  const std::vector<double> shares = onto_simplex(to_vector(values));
  return as_eigen(std::span<const double>(shares));
}

// Shares whose mix of mean scores is nearest to the mean score of Y in squares.
Eigen::VectorXd by_confusion(const ClassScores& data) {
  constexpr int kIterations = 2000;
  const Eigen::Index k = data.x.cols();
  RowMatrix mean = RowMatrix::Zero(k, k);  // column j: mean score of class j
  for (std::size_t c = 0; c < data.classes(); ++c) {
    for (const std::size_t i : data.rows_of[c]) {
      mean.col(static_cast<Eigen::Index>(c)) +=
          data.x.row(static_cast<Eigen::Index>(i)).transpose();
    }
    mean.col(static_cast<Eigen::Index>(c)) /= static_cast<double>(data.rows_of[c].size());
  }
  const Eigen::VectorXd target = data.y.colwise().mean();
  const RowMatrix normal = mean.transpose() * mean;
  const Eigen::VectorXd right = mean.transpose() * target;
  const double bound = normal.trace();
  // Projected gradient with the momentum of Nesterov, from the solution without constraints.
  Eigen::VectorXd share = nearest_shares(least_norm_solution(normal, right));
  Eigen::VectorXd ahead = share;
  double momentum = 1.0;
  for (int step = 0; step < kIterations; ++step) {
    const Eigen::VectorXd next = nearest_shares(ahead - (normal * ahead - right) / bound);
    const double after = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    ahead = next + (momentum - 1.0) / after * (next - share);
    momentum = after;
    const double change = (next - share).cwiseAbs().maxCoeff();
    share = next;
    if (step > 10 && change < 1e-9) break;
  }
  return share;
}

struct TransportSize {
  std::size_t rows = 0;   ///< of Y
  std::size_t atoms = 0;  ///< of each class
};

Eigen::VectorXd by_transport(const ClassScores& data, const TransportSize& size, int threads,
                             const StopCheck& stop, Rng rng) {
  const Matrix y = rows_at(as_view(data.y),
                           choose_rows(static_cast<std::size_t>(data.y.rows()), size.rows, rng));
  Mixture mixture;
  for (const auto& own : data.rows_of) {
    std::vector<std::size_t> chosen = choose_rows(own.size(), size.atoms, rng);
    for (auto& i : chosen) i = own[i];
    mixture.components.push_back(sample_component(rows_at(as_view(data.x), chosen)));
  }
  const ProportionResult found = fit_proportions(
      {y, {}}, mixture,
      {.relative_gap = 1e-3, .max_solves = 60, .threads = threads, .observer = stopped_by(stop)});
  return as_eigen(std::span<const double>(found.pi));
}

RowMatrix log_of(const RowMatrix& scores, const std::vector<std::size_t>& rows) {
  RowMatrix log(static_cast<Eigen::Index>(rows.size()), scores.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    log.row(static_cast<Eigen::Index>(i)) =
        scores.row(static_cast<Eigen::Index>(rows[i])).array().max(kSmallestScore).log();
  }
  return log;
}

// Both sides resampled, X within its classes. Scores that were calibrated once are of the family
// again, so that calibrating them anew finds what the raw ones would have given.
ClassScores resampled(const ClassScores& data, bool calibrated, Rng& rng) {
  const auto most = [](Eigen::Index rows) {
    return std::min(static_cast<std::size_t>(rows), kResampledRows);
  };
  std::vector<std::size_t> rows_x, rows_y(most(data.y.rows()));
  std::vector<std::uint32_t> class_of;
  const double part = static_cast<double>(most(data.x.rows())) / static_cast<double>(data.x.rows());
  for (std::size_t c = 0; c < data.classes(); ++c) {
    const auto& own = data.rows_of[c];
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::round(part * static_cast<double>(own.size()))));
    for (std::size_t i = 0; i < count; ++i) {
      rows_x.push_back(own[rng.below(own.size())]);
      class_of.push_back(static_cast<std::uint32_t>(c));
    }
  }
  for (auto& i : rows_y) i = rng.below(static_cast<std::uint64_t>(data.y.rows()));
  const RowMatrix log_x = log_of(data.x, rows_x), log_y = log_of(data.y, rows_y);
  Calibration again{.temperature = 1.0, .bias = Eigen::VectorXd::Zero(log_x.cols())};
  if (calibrated) again = calibrate(log_x, class_of);
  return class_scores(again.apply(log_x), again.apply(log_y), std::move(class_of));
}

double quantile(std::vector<double> sorted, double share) {
  std::ranges::sort(sorted);
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Errors of resampled estimates around `at`, turned into intervals around the estimate itself.
ShareEstimate with_intervals(const Eigen::VectorXd& share,
                             const std::vector<Eigen::VectorXd>& draws, const Eigen::VectorXd& at,
                             double scale, double confidence) {
  ShareEstimate estimate{.share = to_vector(share), .interval = {}};
  for (Eigen::Index c = 0; c < share.size(); ++c) {
    std::vector<double> errors;
    for (const auto& d : draws) errors.push_back(scale * (d(c) - at(c)));
    const double low = quantile(errors, 0.5 - 0.5 * confidence);
    const double high = quantile(errors, 0.5 + 0.5 * confidence);
    estimate.interval.push_back({.low = std::clamp(share(c) + std::min(low, 0.0), 0.0, 1.0),
                                 .high = std::clamp(share(c) + std::max(high, 0.0), 0.0, 1.0)});
  }
  return estimate;
}

constexpr TransportSize kTransport{.rows = 1000, .atoms = 200};
constexpr TransportSize kTransportOfDraw{.rows = 300, .atoms = 60};

/// Problems of `used` rows have errors larger than those of `rows` by the inverse of this.
double error_ratio(std::size_t used, std::size_t rows) {
  return std::sqrt(static_cast<double>(std::min(used, rows)) / static_cast<double>(rows));
}

}  // namespace

Eigen::VectorXd shares_by_likelihood(const ClassScores& scores, const Eigen::VectorXd& start,
                                     double tolerance) {
  const std::vector<double> shares =
      likely_shares(as_view(scores.y), to_vector(scores.share_x),
                    {.start = to_vector(start), .tolerance = tolerance, .most_iterations = 2000});
  return as_eigen(std::span<const double>(shares));
}

ClassShareRoutes find_class_shares(const ClassScores& scores, const ShareRouteOptions& options,
                                   const Rng& rng) {
  const Eigen::VectorXd likely = shares_by_likelihood(scores, scores.share_x, 1e-9);
  const Eigen::VectorXd confused = by_confusion(scores);
  const auto draws = static_cast<std::size_t>(options.resamplings);
  std::vector<Eigen::VectorXd> likely_draws(draws), confused_draws(draws);
  std::vector<Eigen::VectorXd> moved_draws(std::min(draws, kTransportDraws));
  parallel_for(options.threads, draws, 2, [&](std::size_t begin, std::size_t end, int) {
    options.stop();
    for (std::size_t b = begin; b < end; ++b) {
      Rng own = rng.split(100 + b);
      const ClassScores drawn = resampled(scores, options.calibrated, own);
      likely_draws[b] = shares_by_likelihood(drawn, likely.cwiseMax(1e-4), 1e-6);
      confused_draws[b] = by_confusion(drawn);
      if (b < moved_draws.size()) {
        moved_draws[b] = by_transport(drawn, kTransportOfDraw, 1, options.stop, own.split(7));
      }
    }
  });
  const auto rows_y = static_cast<std::size_t>(scores.y.rows());
  const double scale = error_ratio(kResampledRows, rows_y);
  ClassShareRoutes routes;
  routes.likelihood = with_intervals(likely, likely_draws, likely, scale, options.confidence);
  routes.confusion = with_intervals(confused, confused_draws, confused, scale, options.confidence);
  for (const auto& d : likely_draws) routes.errors.push_back(to_vector(scale * (d - likely)));
  options.stop();
  const Eigen::VectorXd moved =
      by_transport(scores, kTransport, options.threads, options.stop, rng.split(1));
  options.stop();
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(moved.size());
  for (const auto& d : moved_draws) mean += d / static_cast<double>(moved_draws.size());
  // Problems of fewer rows have larger errors: those of Y scale by the root of their number, and
  // the estimate itself rests on those of kTransport.
  routes.transport = with_intervals(
      moved, moved_draws, mean,
      error_ratio(kTransportOfDraw.rows, std::min(rows_y, kTransport.rows)), options.confidence);
  return routes;
}

ShareEstimate widened(const ShareEstimate& answer, const std::vector<ShareEstimate>& others) {
  ShareEstimate wide = answer;
  for (std::size_t c = 0; c < wide.share.size(); ++c) {
    double least = wide.share[c], most = wide.share[c];
    for (const ShareEstimate& other : others) {
      least = std::min(least, other.share[c]);
      most = std::max(most, other.share[c]);
    }
    Interval& interval = wide.interval[c];
    interval.low = std::max(interval.low - (wide.share[c] - least), 0.0);
    interval.high = std::min(interval.high + (most - wide.share[c]), 1.0);
  }
  return wide;
}

}  // namespace nw::measure
