// Shares by several routes (share_routes.cpp), and a test of the claim that another mix explains
// Y's scores.
//
// The claim itself: the largest distance, over classes c, between the distribution functions of
// score c in Y and in X reweighted to the shares found. Its null distribution comes from samples of
// both sides drawn from X's classes in those shares, with the shares estimated anew from each.
#include "nw/measure/label_shift.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/parallel.hpp"
#include "nw/base/stopwatch.hpp"

#include "measure/score_calibration.hpp"
#include "measure/share_routes.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {
namespace {

constexpr double kSmallestScore = 1e-12;
constexpr std::size_t kTestedRows = 4000;  // of each side

void check_scores(MatrixView scores, const char* name) {
  require(scores.rows() > 0, "label_shift: ", name, " is empty");
  require(scores.cols() >= 2, "label_shift: ", name, " has ", scores.cols(),
          " columns, but there must be a probability for each of two classes at least");
  for (std::size_t i = 0; i < scores.rows(); ++i) {
    double sum = 0.0;
    for (const double p : scores.row(i)) {
      require(p >= 0.0 && p <= 1.0 + 1e-6, "label_shift: ", name, ", row ", i + 1, ": ", p,
              " is not a probability");
      sum += p;
    }
    require(std::abs(sum - 1.0) < 0.01, "label_shift: ", name, ", row ", i + 1,
            ": the probabilities add up to ", sum, " instead of 1");
  }
}

RowMatrix log_scores(MatrixView scores) {
  return as_eigen(scores).cwiseMax(kSmallestScore).array().log();
}

// sup over classes c and thresholds of |F_Y - F_X reweighted| for score c.
double largest_difference(const RowMatrix& x, const std::vector<double>& weight,
                          const RowMatrix& y) {
  double largest = 0.0;
  const double each = 1.0 / static_cast<double>(y.rows());
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    std::vector<std::pair<double, double>> steps;
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      steps.emplace_back(x(i, c), weight[static_cast<std::size_t>(i)]);
    }
    for (Eigen::Index i = 0; i < y.rows(); ++i) steps.emplace_back(y(i, c), -each);
    std::ranges::sort(steps, {}, &std::pair<double, double>::first);
    double sum = 0.0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      sum += steps[i].second;
      if (i + 1 < steps.size() && steps[i + 1].first == steps[i].first) continue;
      largest = std::max(largest, std::abs(sum));
    }
  }
  return largest;
}

double difference_at(const ClassScores& data, const Eigen::VectorXd& share) {
  std::vector<double> weight(data.class_of.size());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const std::uint32_t c = data.class_of[i];
    weight[i] = share(c) / static_cast<double>(data.rows_of[c].size());
  }
  return largest_difference(data.x, weight, data.y);
}

// At most kTestedRows of each side, X as it is mixed.
ClassScores part_of(const ClassScores& data, Rng& rng) {
  const auto rows_x = choose_rows(static_cast<std::size_t>(data.x.rows()), kTestedRows, rng);
  const auto rows_y = choose_rows(static_cast<std::size_t>(data.y.rows()), kTestedRows, rng);
  std::vector<std::uint32_t> class_of;
  for (const std::size_t i : rows_x) class_of.push_back(data.class_of[i]);
  return class_scores(as_eigen(rows_at(as_view(data.x), rows_x).view()),
                      as_eigen(rows_at(as_view(data.y), rows_y).view()), std::move(class_of));
}

// Both sides drawn from X's classes: X in its own shares, Y in those found.
ClassScores drawn_from_classes(const ClassScores& data, const Eigen::VectorXd& share, Rng& rng) {
  RowMatrix x(data.x.rows(), data.x.cols()), y(data.y.rows(), data.y.cols());
  const auto drawn = [&](std::size_t c) {
    const auto& own = data.rows_of[c];
    return data.x.row(static_cast<Eigen::Index>(own[rng.below(own.size())]));
  };
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    x.row(i) = drawn(data.class_of[static_cast<std::size_t>(i)]);
  }
  const std::vector<double> weights = to_vector(share);
  for (Eigen::Index i = 0; i < y.rows(); ++i) y.row(i) = drawn(rng.categorical(weights));
  return class_scores(std::move(x), std::move(y), data.class_of);
}

bool every_class_has_rows(const ClassScores& data) {
  return std::ranges::none_of(data.rows_of, [](const auto& rows) { return rows.empty(); });
}

double test_tenable(const ClassScores& data, const LabelShiftOptions& options, int threads,
                    Rng rng) {
  Rng choice = rng.split(0);
  ClassScores part = part_of(data, choice);
  if (!every_class_has_rows(part)) part = data;  // a rare class was lost: take all rows
  const auto shares = [](const ClassScores& d, const Eigen::VectorXd& start) {
    return shares_by_likelihood(d, start, 1e-6);
  };
  const Eigen::VectorXd share = shares(part, part.share_x);
  const double seen = difference_at(part, share);
  std::vector<double> null(static_cast<std::size_t>(options.resamplings));
  parallel_for(threads, null.size(), 4, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      Rng own = rng.split(1 + b);
      const ClassScores drawn = drawn_from_classes(part, share, own);
      null[b] = difference_at(drawn, shares(drawn, share.cwiseMax(1e-3)));
    }
  });
  double at_least = 1.0;
  for (const double value : null) at_least += value >= seen - 1e-12;
  return at_least / static_cast<double>(null.size() + 1);
}

std::string in_words(const LabelShiftResult& result, const std::vector<std::string>& names) {
  const std::string p =
      result.p < 0.001 ? std::string("p < 0.001") : concat("p = ", significant(result.p, 2));
  if (!result.tenable) {
    return concat("No mix of X's classes gives the scores of Y (", p,
                  "): a class has changed or is new, and shares and corrected probabilities are not"
                  " to be trusted.");
  }
  std::size_t most = 0;
  for (std::size_t c = 1; c < result.share_x.size(); ++c) {
    if (std::abs(result.shares.share[c] - result.share_x[c]) >
        std::abs(result.shares.share[most] - result.share_x[most])) {
      most = c;
    }
  }
  return concat("Another mix of the classes explains Y's scores (", p, "); class ",
                most < names.size() ? names[most] : std::to_string(most + 1),
                " changes most, from ", percent(result.share_x[most]), " to ",
                percent(result.shares.share[most]), " [", percent(result.shares.interval[most].low),
                ", ", percent(result.shares.interval[most].high), "].");
}

}  // namespace

std::vector<ShareRoute> LabelShiftResult::routes() const {
  return {{"likelihood", likelihood}, {"confusion", confusion}, {"transport", transport}};
}

void LabelShiftOptions::validate() const {
  require_fields_in_range("LabelShiftOptions", *this);
}

LabelShiftResult label_shift(const ScoredSamples& samples, const LabelShiftOptions& options,
                             Rng& rng) {
  const auto& [scores_x, class_of_x, scores_y] = samples;
  const Stopwatch watch;
  options.validate();
  check_scores(scores_x, "scores of X");
  check_scores(scores_y, "scores of Y");
  require(scores_x.cols() == scores_y.cols(), "label_shift: scores of X have ", scores_x.cols(),
          " classes but those of Y ", scores_y.cols());
  require(class_of_x.size() == scores_x.rows(), "label_shift: ", class_of_x.size(),
          " classes for the ", scores_x.rows(), " rows of X");
  for (const std::uint32_t c : class_of_x) {
    require(c < scores_x.cols(), "label_shift: class ", c, " has no column of scores");
  }
  const int threads = resolve_threads(options.threads);
  const Rng streams(rng.bits());
  const RowMatrix log_x = log_scores(scores_x), log_y = log_scores(scores_y);
  Calibration calibration{.temperature = 1.0, .bias = Eigen::VectorXd::Zero(log_x.cols())};
  if (options.calibrate) calibration = calibrate(log_x, class_of_x);
  const ClassScores data = class_scores(calibration.apply(log_x), calibration.apply(log_y),
                                        {class_of_x.begin(), class_of_x.end()});
  for (std::size_t c = 0; c < data.classes(); ++c) {
    require(!data.rows_of[c].empty(), "label_shift: class ", c + 1, " has no row in X");
  }

  ClassShareRoutes routes = find_class_shares(data,
                                              {.calibrated = options.calibrate,
                                               .resamplings = options.resamplings,
                                               .confidence = options.confidence,
                                               .threads = threads},
                                              streams);
  LabelShiftResult result;
  result.share_x = to_vector(data.share_x);
  result.likelihood = std::move(routes.likelihood);
  result.confusion = std::move(routes.confusion);
  result.transport = std::move(routes.transport);
  result.shares = widened(result.likelihood, {result.confusion, result.transport});
  result.p = test_tenable(data, options, threads, streams.split(2));
  result.tenable = result.p >= options.alpha;
  result.temperature = calibration.temperature;
  result.bias = to_vector(calibration.bias);
  const Eigen::VectorXd weights =
      as_eigen(std::span<const double>(result.likelihood.share)).cwiseQuotient(data.share_x);
  RowMatrix corrected = data.y * weights.asDiagonal();
  const Eigen::VectorXd total = corrected.rowwise().sum().cwiseMax(1e-300);
  corrected.array().colwise() /= total.array();
  result.corrected = to_matrix(corrected);
  result.sentence = in_words(result, options.class_names);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace nw::measure
