// The kernel estimate has a Gaussian at every row, as wide as a multiple of the distance to its
// tenth neighbour (Breiman, Meisel and Purcell 1977); the multiple is that of the largest
// likelihood when each row is left out of its own estimate. The median makes both insensitive to
// rows that lie far out.
#include "cluster/gaussian_evidence.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "nw/base/matrix_rows.hpp"
#include "nw/cluster/agreement.hpp"
#include "nw/cluster/gaussian_mixture.hpp"

#include "cluster/row_index.hpp"
#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

constexpr std::size_t kFolds = 3, kMostRows = 1500, kNear = 50, kWidthNeighbour = 10;
constexpr std::array kWidths{0.2, 0.3, 0.45, 0.65, 0.9, 1.3};

/// log of the mean over `total` rows of kernels at the neighbours; the others are too far to
/// matter.
std::vector<double> log_kernel_density(const NearestRows& near, const std::vector<double>& width,
                                       double dimension, std::size_t total) {
  const std::size_t n = near.row.size() / near.count;
  std::vector<double> result(n);
  std::vector<double> term(near.count);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < near.count; ++c) {
      const double h = width[near.row[i * near.count + c]];
      term[c] = -0.5 * near.distance[i * near.count + c] / (h * h) - dimension * std::log(h);
    }
    const double most = *std::ranges::max_element(term);
    double sum = 0.0;
    for (const double t : term) sum += std::exp(t - most);
    result[i] = most + std::log(sum) - std::log(static_cast<double>(total)) -
                0.5 * dimension * std::log(2.0 * std::numbers::pi);
  }
  return result;
}

/// Of the rows of `held`, by a kernel estimate from `known`.
std::vector<double> kernel_density(MatrixView known, MatrixView held, int threads) {
  const std::size_t n = known.rows(), count = std::min(kNear, n - 1);
  const RowIndex index(known);
  const auto near = index.nearest(known, count, /*skip_self=*/true, threads);
  std::vector<double> radius(n);
  double mean = 0.0;
  const std::size_t place = std::min(kWidthNeighbour, count) - 1;
  for (std::size_t i = 0; i < n; ++i) {
    radius[i] = std::sqrt(near.distance[i * count + place]);
    mean += radius[i] / static_cast<double>(n);
  }
  const auto d = static_cast<double>(known.cols());
  const auto scaled = [&](double factor) {
    std::vector<double> width(n);
    for (std::size_t i = 0; i < n; ++i) {
      width[i] = factor * std::max(radius[i], 1e-6 * mean + 1e-12) / std::sqrt(d);
    }
    return width;
  };
  std::vector<double> best;
  double most = -std::numeric_limits<double>::infinity();
  for (const double factor : kWidths) {
    auto width = scaled(factor);
    const auto own = log_kernel_density(near, width, d, n - 1);
    const double likelihood = std::accumulate(own.begin(), own.end(), 0.0);
    if (likelihood > most || best.empty()) {
      most = likelihood;
      best = std::move(width);
    }
  }
  return log_kernel_density(index.nearest(held, count, /*skip_self=*/false, threads), best, d, n);
}

/// The other parts of the rows, and part `fold`.
std::pair<std::vector<std::size_t>, std::vector<std::size_t>> parts_of(
    const std::vector<std::size_t>& order, std::size_t fold) {
  std::vector<std::size_t> in, out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    (i % kFolds == fold ? out : in).push_back(order[i]);
  }
  return {std::move(in), std::move(out)};
}

std::vector<double> mixture_density(const HeldOutTask& task, MatrixView known, MatrixView held,
                                    std::vector<std::vector<std::uint32_t>> starts,
                                    const Rng& rng) {
  const std::size_t k = task.components;
  const auto fit = gaussian_mixture({.points = known},
                                    {.components = k,
                                     .restarts = 2,
                                     .starts = std::move(starts),
                                     .ridge = task.ridge,
                                     .threads = task.threads},
                                    rng);
  const auto each = measure::ComponentDensity(fit.mixture, task.ridge).log_density(held);
  std::vector<double> result(held.rows());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto row = each.row(static_cast<Eigen::Index>(i));
    const double most = row.maxCoeff();
    double sum = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      sum += fit.pi[j] * std::exp(row(static_cast<Eigen::Index>(j)) - most);
    }
    // ComponentDensity leaves out this constant.
    result[i] = most + std::log(std::max(sum, 1e-300)) -
                0.5 * static_cast<double>(held.cols()) * std::log(2.0 * std::numbers::pi);
  }
  return result;
}

}  // namespace

HeldOutGain gaussian_evidence(const HeldOutTask& task, const Rng& rng) {
  const MatrixView rows = task.rows;
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng shuffling = rng.split(kFolds);
  shuffling.shuffle(std::span(order));
  order.resize(std::min(order.size(), kMostRows));
  // Too few rows for as many Gaussians as are asked for: no evidence.
  if (order.size() < kFolds * (task.components + 1) + kWidthNeighbour) {
    return {.median = -std::numeric_limits<double>::max()};
  }
  std::vector<double> gain;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const auto [in, out] = parts_of(order, fold);
    const Matrix known = rows_at(rows, in), held = rows_at(rows, out);
    std::vector<std::vector<std::uint32_t>> starts;
    if (task.start != nullptr) {
      auto& start = starts.emplace_back();
      for (const std::size_t i : in) start.push_back((*task.start)[i]);
    }
    const auto mixture = mixture_density(task, known, held, std::move(starts), rng.split(fold));
    const auto kernels = kernel_density(known, held, task.threads);
    for (std::size_t i = 0; i < held.rows(); ++i) gain.push_back(mixture[i] - kernels[i]);
  }
  const auto quantile = [&](double share) {
    const auto place =
        gain.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(gain.size() - 1));
    std::nth_element(gain.begin(), place, gain.end());
    return *place;
  };
  // That of the median of a normal variable whose quartiles these are.
  constexpr double kQuartiles = 1.349, kMedian = 1.2533;
  const double deviation = (quantile(0.75) - quantile(0.25)) / kQuartiles;
  return {.median = quantile(0.5),
          .standard_error = kMedian * deviation / std::sqrt(static_cast<double>(gain.size()))};
}

double gaussian_stability(const HeldOutTask& task, measure::Shape shape, const Rng& rng) {
  const MatrixView rows = task.rows;
  const auto& cluster = *task.start;
  std::vector<std::size_t> order(rows.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Rng shuffling = rng.split(kFolds);
  shuffling.shuffle(std::span(order));
  double sum = 0.0;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const auto [in, out] = parts_of(order, fold);
    std::vector<std::uint32_t> start;
    for (const std::size_t i : in) start.push_back(cluster[i]);
    const auto fit = gaussian_mixture({.points = rows_at(rows, in)},
                                      {.components = task.components,
                                       .shape = shape,
                                       .restarts = 0,
                                       .starts = {std::move(start)},
                                       .ridge = task.ridge,
                                       .threads = task.threads},
                                      rng);
    const std::vector<double> weights(out.size(), 1.0);
    const auto posterior = measure::posterior(
        measure::ComponentDensity(fit.mixture, task.ridge).log_density(rows_at(rows, out)), fit.pi,
        weights);
    std::vector<std::int32_t> known;
    std::vector<std::uint32_t> predicted;
    for (std::size_t i = 0; i < out.size(); ++i) {
      Eigen::Index likeliest = 0;
      posterior.probability.row(static_cast<Eigen::Index>(i)).maxCoeff(&likeliest);
      known.push_back(static_cast<std::int32_t>(cluster[out[i]]));
      predicted.push_back(static_cast<std::uint32_t>(likeliest));
    }
    sum += agreement(known, predicted).ari;
  }
  return sum / static_cast<double>(kFolds);
}

}  // namespace nw::cluster
