#include "nw/adapt/label_shift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/measure/likely_shares.hpp"

#include "measure/simplex.hpp"

namespace nw::adapt {
namespace {

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

void require_prior(MatrixView posterior, std::span<const double> prior) {
  require(posterior.rows() > 0 && posterior.cols() == prior.size(), "posteriors of ",
          posterior.cols(), " classes, proportions of ", prior.size());
  for (const double p : prior) require(p > 0.0, "a prior must be positive, got ", p);
}

}  // namespace

std::vector<double> likely_proportions(MatrixView posterior, std::span<const double> prior,
                                       std::span<const std::uint32_t> counts) {
  return measure::likely_shares(posterior, prior, {.counts = counts});
}

std::vector<double> confused_proportions(MatrixView confusion, std::span<const double> predicted,
                                         std::span<const double> prior, double ridge) {
  constexpr int kIterations = 3000;
  const std::size_t k = prior.size();
  require(confusion.rows() == k && confusion.cols() == k && predicted.size() == k,
          "confused_proportions: ", k, " classes, a confusion of ", confusion.rows(), " x ",
          confusion.cols(), ", ", predicted.size(), " shares");
  // Projected gradient with the momentum of Nesterov. No eigenvalue of A^T A exceeds the sum of
  // squares of A.
  double bound = ridge;
  for (const double value : confusion.values()) bound += value * value;
  std::vector<double> q(prior.begin(), prior.end()), ahead = q, gradient(k), residual(k);
  double momentum = 1.0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    for (std::size_t i = 0; i < k; ++i) {
      residual[i] = -predicted[i];
      for (std::size_t j = 0; j < k; ++j) residual[i] += confusion(i, j) * ahead[j];
    }
    for (std::size_t j = 0; j < k; ++j) {
      gradient[j] = ridge * (ahead[j] - prior[j]);
      for (std::size_t i = 0; i < k; ++i) gradient[j] += confusion(i, j) * residual[i];
    }
    std::vector<double> moved(k);
    for (std::size_t j = 0; j < k; ++j) moved[j] = ahead[j] - gradient[j] / bound;
    moved = measure::onto_simplex(std::move(moved));
    const double after = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    for (std::size_t j = 0; j < k; ++j) {
      ahead[j] = moved[j] + (momentum - 1.0) / after * (moved[j] - q[j]);
    }
    momentum = after;
    q.swap(moved);
  }
  return q;
}

ProportionIntervals bootstrap_proportions(const Posteriors& rows, std::span<const double> estimate,
                                          const Rng& rng, const BootstrapOptions& options) {
  const auto& [posterior, prior] = rows;
  const auto& [samples, level] = options;
  require_prior(posterior, prior);
  require(estimate.size() == prior.size(), "bootstrap_proportions: ", estimate.size(),
          " estimates for ", prior.size(), " classes");
  require(samples > 1 && level > 0.0 && level < 1.0, "bootstrap_proportions: ", samples,
          " samples at level ", level);
  const std::size_t n = posterior.rows(), k = prior.size();
  ProportionIntervals result{.likely = likely_proportions(posterior, prior), .low = {}, .high = {}};
  std::vector<std::vector<double>> drawn(k);
  for (int s = 0; s < samples; ++s) {
    Rng own = rng.split(static_cast<std::uint64_t>(s));
    std::vector<std::uint32_t> counts(n, 0);
    for (std::size_t i = 0; i < n; ++i) ++counts[static_cast<std::size_t>(own.below(n))];
    // Resamples differ little from the whole: from its answer a few iterations are enough.
    const auto pi = measure::likely_shares(
        posterior, prior, {.counts = counts, .start = result.likely, .tolerance = 1e-5});
    for (std::size_t j = 0; j < k; ++j) drawn[j].push_back(pi[j]);
  }
  for (std::size_t j = 0; j < k; ++j) {
    const auto [least, most] = std::minmax(estimate[j], result.likely[j]);
    const double below = percentile(drawn[j], 0.5 * (1.0 - level)) - result.likely[j];
    const double above = percentile(drawn[j], 0.5 * (1.0 + level)) - result.likely[j];
    result.low.push_back(std::clamp(least + std::min(below, 0.0), 0.0, 1.0));
    result.high.push_back(std::clamp(most + std::max(above, 0.0), 0.0, 1.0));
  }
  return result;
}

Scores score(std::span<const std::int64_t> class_of, std::span<const std::int64_t> predicted,
             std::size_t classes) {
  require(class_of.size() == predicted.size() && !class_of.empty(), "score: ", class_of.size(),
          " classes for ", predicted.size(), " predictions");
  Scores scores{.class_accuracy = std::vector<double>(classes),
                .proportions = std::vector<double>(classes, 0.0),
                .confusion = Matrix(classes, classes)};
  double right = 0.0;
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    if (class_of[i] < 0) {
      ++scores.unknown_rows;
      continue;
    }
    const auto truth = static_cast<std::size_t>(class_of[i]);
    scores.confusion(truth, static_cast<std::size_t>(predicted[i])) += 1.0;
    if (class_of[i] == predicted[i]) right += 1.0;
  }
  scores.accuracy = right / static_cast<double>(class_of.size());
  const auto known = static_cast<double>(class_of.size() - scores.unknown_rows);
  int present = 0;
  for (std::size_t j = 0; j < classes; ++j) {
    const auto row = scores.confusion.row(j);
    const double rows = std::accumulate(row.begin(), row.end(), 0.0);
    scores.proportions[j] = known > 0.0 ? rows / known : 0.0;
    scores.class_accuracy[j] =
        rows > 0.0 ? row[j] / rows : std::numeric_limits<double>::quiet_NaN();
    if (rows == 0.0) continue;
    ++present;
    scores.mean_class_accuracy += scores.class_accuracy[j];
  }
  if (present > 0) scores.mean_class_accuracy /= present;
  return scores;
}

}  // namespace nw::adapt
