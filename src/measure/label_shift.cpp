// If only the mix of classes changed, Y's scores are a mix of the scores of X's classes. Three
// estimates of that mix: by likelihood from calibrated posteriors (Saerens, Latinne and
// Decaestecker 2002), from mean scores (Lipton, Wang and Smola 2018, with probabilities in place of
// decisions), and the mix nearest to Y's scores in W1 (fit_proportions). They agree where the claim
// holds.
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
#include "nw/measure/likely_shares.hpp"
#include "nw/measure/proportions.hpp"

#include "measure/score_calibration.hpp"
#include "measure/simplex.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {
namespace {

constexpr double kSmallestScore = 1e-12;
constexpr std::size_t kResampledRows = 20000;  // of each side; errors are scaled to all rows
constexpr std::size_t kTestedRows = 4000;      // of each side
constexpr std::size_t kTransportRows = 1000, kAtoms = 200;          // of Y; of each class
constexpr std::size_t kTransportDrawRows = 300, kAtomsOfDraw = 60;  // of the resampled problems
constexpr std::size_t kTransportDraws = 39;

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

/// Rows of X by class, and the probabilities of both sides after calibration.
struct Data {
  RowMatrix x, y;
  std::vector<std::uint32_t> class_of;
  std::vector<std::vector<std::size_t>> rows_of;  // [k]
  Eigen::VectorXd share_x;

  [[nodiscard]] std::size_t classes() const { return rows_of.size(); }
};

void set_classes(Data& data) {
  data.rows_of.assign(static_cast<std::size_t>(data.x.cols()), {});
  for (std::size_t i = 0; i < data.class_of.size(); ++i) {
    data.rows_of[data.class_of[i]].push_back(i);
  }
  data.share_x.resize(data.x.cols());
  for (std::size_t c = 0; c < data.classes(); ++c) {
    data.share_x(static_cast<Eigen::Index>(c)) =
        static_cast<double>(data.rows_of[c].size()) / static_cast<double>(data.class_of.size());
  }
}

Eigen::VectorXd by_likelihood(const RowMatrix& q, const Eigen::VectorXd& prior,
                              const Eigen::VectorXd& start, double tolerance) {
  const std::vector<double> shares =
      likely_shares(as_view(q), to_vector(prior),
                    {.start = to_vector(start), .tolerance = tolerance, .most_iterations = 2000});
  return as_eigen(std::span<const double>(shares));
}

Eigen::VectorXd nearest_shares(const Eigen::VectorXd& values) {
  const std::vector<double> shares = onto_simplex(to_vector(values));
  return as_eigen(std::span<const double>(shares));
}

// Shares whose mix of mean scores is nearest to the mean score of Y in squares.
Eigen::VectorXd by_confusion(const Data& data) {
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

Eigen::VectorXd by_transport(const Data& data, std::size_t rows, std::size_t atoms, int threads,
                             Rng rng) {
  const Matrix y =
      rows_at(as_view(data.y), choose_rows(static_cast<std::size_t>(data.y.rows()), rows, rng));
  Mixture mixture;
  for (const auto& own : data.rows_of) {
    std::vector<std::size_t> chosen = choose_rows(own.size(), atoms, rng);
    for (auto& i : chosen) i = own[i];
    mixture.components.push_back(sample_component(rows_at(as_view(data.x), chosen)));
  }
  const ProportionResult found = fit_proportions(
      {y, {}}, mixture, {.relative_gap = 1e-3, .max_solves = 60, .threads = threads});
  return as_eigen(std::span<const double>(found.pi));
}

// Both sides resampled, X within its classes.
Data resampled(const Data& data, Rng& rng) {
  Data drawn;
  const auto draw = [&](const RowMatrix& from, const std::vector<std::size_t>& rows) {
    RowMatrix to(static_cast<Eigen::Index>(rows.size()), from.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      to.row(static_cast<Eigen::Index>(i)) = from.row(static_cast<Eigen::Index>(rows[i]));
    }
    return to;
  };
  const auto most = [](Eigen::Index rows) {
    return std::min(static_cast<std::size_t>(rows), kResampledRows);
  };
  std::vector<std::size_t> rows_x, rows_y(most(data.y.rows()));
  const double part = static_cast<double>(most(data.x.rows())) / static_cast<double>(data.x.rows());
  for (std::size_t c = 0; c < data.classes(); ++c) {
    const auto& own = data.rows_of[c];
    const auto count =
        static_cast<std::size_t>(std::max(1.0, std::round(part * static_cast<double>(own.size()))));
    for (std::size_t i = 0; i < count; ++i) {
      rows_x.push_back(own[rng.below(own.size())]);
      drawn.class_of.push_back(static_cast<std::uint32_t>(c));
    }
  }
  for (auto& i : rows_y) i = rng.below(static_cast<std::uint64_t>(data.y.rows()));
  drawn.x = draw(data.x, rows_x);
  drawn.y = draw(data.y, rows_y);
  set_classes(drawn);
  return drawn;
}

double quantile(std::vector<double> sorted, double share) {
  std::ranges::sort(sorted);
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

// Errors of resampled estimates around the estimate itself, turned into intervals.
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

double difference_at(const Data& data, const Eigen::VectorXd& share) {
  std::vector<double> weight(data.class_of.size());
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const std::uint32_t c = data.class_of[i];
    weight[i] = share(c) / static_cast<double>(data.rows_of[c].size());
  }
  return largest_difference(data.x, weight, data.y);
}

// At most kTestedRows of each side, X as it is mixed.
Data part_of(const Data& data, Rng& rng) {
  const auto rows_x = choose_rows(static_cast<std::size_t>(data.x.rows()), kTestedRows, rng);
  const auto rows_y = choose_rows(static_cast<std::size_t>(data.y.rows()), kTestedRows, rng);
  Data part;
  part.x = as_eigen(rows_at(as_view(data.x), rows_x).view());
  part.y = as_eigen(rows_at(as_view(data.y), rows_y).view());
  for (const std::size_t i : rows_x) part.class_of.push_back(data.class_of[i]);
  set_classes(part);
  return part;
}

// Both sides drawn from X's classes: X in its own shares, Y in those found.
Data drawn_from_classes(const Data& data, const Eigen::VectorXd& share, Rng& rng) {
  Data drawn;
  drawn.x.resize(data.x.rows(), data.x.cols());
  drawn.y.resize(data.y.rows(), data.y.cols());
  for (Eigen::Index i = 0; i < drawn.x.rows(); ++i) {
    const std::uint32_t c = data.class_of[static_cast<std::size_t>(i)];
    drawn.class_of.push_back(c);
    drawn.x.row(i) =
        data.x.row(static_cast<Eigen::Index>(data.rows_of[c][rng.below(data.rows_of[c].size())]));
  }
  const std::vector<double> weights = to_vector(share);
  for (Eigen::Index i = 0; i < drawn.y.rows(); ++i) {
    const auto& own = data.rows_of[rng.categorical(weights)];
    drawn.y.row(i) = data.x.row(static_cast<Eigen::Index>(own[rng.below(own.size())]));
  }
  set_classes(drawn);
  return drawn;
}

bool every_class_has_rows(const Data& data) {
  return std::ranges::none_of(data.rows_of, [](const auto& rows) { return rows.empty(); });
}

double test_tenable(const Data& data, const LabelShiftOptions& options, int threads, Rng rng) {
  Rng choice = rng.split(0);
  Data part = part_of(data, choice);
  if (!every_class_has_rows(part)) part = data;  // a rare class was lost: take all rows
  const auto shares = [](const Data& d, const Eigen::VectorXd& start) {
    return by_likelihood(d.y, d.share_x, start, 1e-6);
  };
  const Eigen::VectorXd share = shares(part, part.share_x);
  const double seen = difference_at(part, share);
  std::vector<double> null(static_cast<std::size_t>(options.resamplings));
  parallel_for(threads, null.size(), 4, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      Rng own = rng.split(1 + b);
      const Data drawn = drawn_from_classes(part, share, own);
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
    if (std::abs(result.likelihood.share[c] - result.share_x[c]) >
        std::abs(result.likelihood.share[most] - result.share_x[most])) {
      most = c;
    }
  }
  return concat("Another mix of the classes explains Y's scores (", p, "); class ",
                most < names.size() ? names[most] : std::to_string(most + 1),
                " changes most, from ", percent(result.share_x[most]), " to ",
                percent(result.likelihood.share[most]), ".");
}

}  // namespace

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
  Data data{.x = calibration.apply(log_x),
            .y = calibration.apply(log_y),
            .class_of = {class_of_x.begin(), class_of_x.end()},
            .rows_of = {},
            .share_x = {}};
  set_classes(data);
  for (std::size_t c = 0; c < data.classes(); ++c) {
    require(!data.rows_of[c].empty(), "label_shift: class ", c + 1, " has no row in X");
  }

  const Eigen::VectorXd likely = by_likelihood(data.y, data.share_x, data.share_x, 1e-9);
  const Eigen::VectorXd confused = by_confusion(data);
  const Eigen::VectorXd moved =
      by_transport(data, kTransportRows, kAtoms, threads, streams.split(1));
  const auto draws = static_cast<std::size_t>(options.resamplings);
  std::vector<Eigen::VectorXd> likely_draws(draws), confused_draws(draws);
  std::vector<Eigen::VectorXd> moved_draws(std::min(draws, kTransportDraws));
  parallel_for(threads, draws, 2, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t b = begin; b < end; ++b) {
      Rng own = streams.split(100 + b);
      const Data drawn = resampled(data, own);
      likely_draws[b] = by_likelihood(drawn.y, drawn.share_x, likely.cwiseMax(1e-4), 1e-6);
      confused_draws[b] = by_confusion(drawn);
      if (b < moved_draws.size()) {
        moved_draws[b] = by_transport(drawn, kTransportDrawRows, kAtomsOfDraw, 1, own.split(7));
      }
    }
  });
  const auto ratio = [](std::size_t used, std::size_t rows) {
    return std::sqrt(static_cast<double>(std::min(used, rows)) / static_cast<double>(rows));
  };
  const std::size_t rows_y = scores_y.rows();
  LabelShiftResult result;
  result.share_x = to_vector(data.share_x);
  const double scale = ratio(kResampledRows, rows_y);
  result.likelihood = with_intervals(likely, likely_draws, likely, scale, options.confidence);
  result.confusion = with_intervals(confused, confused_draws, confused, scale, options.confidence);
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(moved.size());
  for (const auto& d : moved_draws) mean += d / static_cast<double>(moved_draws.size());
  // Problems of fewer rows have larger errors: those of Y scale by the root of their number, and
  // the estimate itself rests on kTransportRows.
  result.transport = with_intervals(moved, moved_draws, mean,
                                    ratio(kTransportDrawRows, std::min(rows_y, kTransportRows)),
                                    options.confidence);
  result.p = test_tenable(data, options, threads, streams.split(2));
  result.tenable = result.p >= options.alpha;
  result.temperature = calibration.temperature;
  result.bias = to_vector(calibration.bias);
  const Eigen::VectorXd weights = likely.cwiseQuotient(data.share_x);
  RowMatrix corrected = data.y * weights.asDiagonal();
  const Eigen::VectorXd total = corrected.rowwise().sum().cwiseMax(1e-300);
  corrected.array().colwise() /= total.array();
  result.corrected = to_matrix(corrected);
  result.sentence = in_words(result, options.class_names);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace nw::measure
