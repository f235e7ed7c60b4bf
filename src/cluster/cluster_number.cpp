// Two ways to count clusters, and a rule that says which of them counts.
//
// - Gaussians: mixtures of every size, round or of any shape, on 2 to 10 leading principal
//   components, compete by the Bayesian information criterion. What a projection leaves out is
//   taken for one Gaussian, so that criteria of different projections are comparable (Raftery and
//   Dean 2006). The number is believed where the mixture predicts unseen rows as well as a kernel
//   estimate does and every component is needed: parts of a curve can be a few more or fewer.
// - Depth: that of the k-th cluster is the least valley around any cluster of the best separated
//   linkage into k, and the (k - 1)-th deepest valley between modes of the likeliest mixture. Both
//   fall steeply behind the number of clusters that lie apart, where a curve is cut into parts.
//
// The limits were chosen on the sets named in docs/measurements/cluster_measured.md.
#include "cluster/cluster_number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"

#include "base/decompositions.hpp"
#include "cluster/gaussian_evidence.hpp"
#include "cluster/mixture_ladder.hpp"
#include "cluster/mode_depths.hpp"
#include "measure/dense.hpp"
#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

using measure::RowMatrix;

enum Stream : std::uint64_t { kRows = 1, kLadder, kAgain, kHeldOut };

constexpr std::size_t kMostRows = 5000;                      // that mixtures are fitted to
constexpr std::size_t kMostGaussians = 120, kMostWide = 60;  // in the plane; in more columns
constexpr double kRidge = 1e-4;  // of the mean variance: columns of few values
constexpr double kMostDepth = 3.0;

/// Rows along their principal axes, the widest first.
struct Axes {
  Matrix rows;
  std::vector<double> variance;
};

Axes along_axes(MatrixView rows, const std::vector<std::size_t>& chosen) {
  const Matrix some = rows_at(rows, chosen);
  const auto x = measure::as_eigen(some.view());
  const RowMatrix centred = x.rowwise() - x.colwise().mean();
  const auto n = static_cast<double>(some.rows());
  const auto axes = symmetric_eigen(Eigen::MatrixXd(centred.transpose() * centred) / n);
  return {.rows = measure::to_matrix(RowMatrix(centred * axes.vectors.rowwise().reverse())),
          .variance = measure::to_vector(axes.values.reverse().cwiseMax(0.0))};
}

Matrix leading(const Axes& axes, std::size_t columns) {
  Matrix some(axes.rows.rows(), columns);
  for (std::size_t i = 0; i < some.rows(); ++i) {
    std::ranges::copy(axes.rows.row(i).first(columns), some.row(i).begin());
  }
  return some;
}

double ridge_of(const Axes& axes, std::size_t columns) {
  const double sum = std::accumulate(
      axes.variance.begin(), axes.variance.begin() + static_cast<std::ptrdiff_t>(columns), 0.0);
  return std::max(kRidge * sum / static_cast<double>(columns), 1e-12);
}

/// The likeliest mixture for its size in one space.
struct Fit {
  GaussianSpace space;
  Rung rung;
  double criterion = std::numeric_limits<double>::infinity();
  double loss = 0.0;   ///< of the criterion, for a component less
  double next = 0.0;   ///< and for one less again
  double price = 0.0;  ///< of a component, in the criterion
};

Fit fit_in(const Axes& axes, GaussianSpace space, const Rng& rng) {
  const Matrix rows = leading(axes, space.columns);
  const auto n = static_cast<double>(rows.rows());
  const bool full = space.shape == measure::Shape::full;
  const std::size_t each = 2 * (full ? space.columns + 1 : 4) + 4;  // rows for a component at least
  std::size_t most = std::min(space.columns > 2 ? kMostWide : kMostGaussians, rows.rows() / each);
  if (space.components > 0) most = std::min(most, 2 * space.components + 5);
  const auto ladder = mixture_ladder({.rows = rows,
                                      .shape = space.shape,
                                      .most = std::max<std::size_t>(most, 1),
                                      .ridge = ridge_of(axes, space.columns)},
                                     rng);
  double rest = 0.0;  // the columns that are left out are one Gaussian
  for (std::size_t c = space.columns; c < axes.variance.size(); ++c) {
    const double variance = std::max(axes.variance[c], kRidge * axes.variance[0]);
    rest += n * (std::log(2.0 * std::numbers::pi * std::max(variance, 1e-300)) + 1.0) +
            2.0 * std::log(n);
  }
  const double numbers = numbers_of_component(space.shape, space.columns);
  Fit best{.space = space, .rung = {}, .price = numbers * std::log(n)};
  std::size_t place = 0;
  std::vector<double> criterion;
  for (std::size_t r = 0; r < ladder.size(); ++r) {
    const double size = static_cast<double>(ladder[r].components()) * numbers - 1.0;
    criterion.push_back(-2.0 * n * ladder[r].log_likelihood + size * std::log(n) + rest);
    if (criterion[r] < best.criterion) {
      best.criterion = criterion[r];
      place = r;
    }
  }
  best.rung = ladder[place];
  best.space.components = best.rung.components();
  const auto loss = [&](std::size_t r) {
    if (r + 1 >= ladder.size()) return 0.0;
    return (criterion[r + 1] - criterion[r]) /
           static_cast<double>(ladder[r].components() - ladder[r + 1].components());
  };
  best.loss = loss(place);
  best.next = loss(place + 1);
  return best;
}

Fit likeliest_fit(const NumberTask& task, const Axes& axes, const Rng& rng) {
  std::vector<GaussianSpace> spaces;
  if (task.space.columns > 0) {
    spaces.push_back(task.space);
  } else {
    const std::size_t d = axes.rows.cols();
    std::vector<std::size_t> columns;
    for (const std::size_t few : {2, 3, 4, 6, 8, 10}) {
      if (few < d) columns.push_back(few);
    }
    if (d <= 10) columns.push_back(d);
    for (const std::size_t c : columns) {
      spaces.push_back({c, measure::Shape::full});
      if (c > 1) spaces.push_back({c, measure::Shape::spherical});
    }
  }
  std::vector<Fit> fits(spaces.size());
  parallel_for(resolve_threads(task.threads), spaces.size(), 1,
               [&](std::size_t first, std::size_t last, int) {
                 for (std::size_t s = first; s < last; ++s) {
                   fits[s] = fit_in(axes, spaces[s], rng.split(kLadder));
                 }
               });
  auto& best = *std::ranges::min_element(fits, {}, &Fit::criterion);
  // EM may end with a component too many, which makes all of them look dispensable: once more.
  auto again = fit_in(axes, {best.space.columns, best.space.shape, best.space.components},
                      rng.split(kAgain));
  return std::move(again.criterion < best.criterion ? again : best);
}

bool explains(const Fit& fit, const Axes& axes, int threads, const Rng& rng) {
  const Matrix rows = leading(axes, fit.space.columns);
  const double ridge = ridge_of(axes, fit.space.columns);
  const std::vector<double> weights(rows.rows(), 1.0);
  const auto posterior = measure::posterior(
      measure::ComponentDensity(fit.rung.mixture, ridge).log_density(rows), fit.rung.pi, weights);
  std::vector<std::uint32_t> nearest(rows.rows());
  for (std::size_t i = 0; i < nearest.size(); ++i) {
    Eigen::Index j = 0;
    posterior.probability.row(static_cast<Eigen::Index>(i)).maxCoeff(&j);
    nearest[i] = static_cast<std::uint32_t>(j);
  }
  return gaussian_evidence({.rows = rows,
                            .components = fit.rung.components(),
                            .start = &nearest,
                            .ridge = ridge,
                            .threads = threads},
                           rng.split(kHeldOut))
      .is_mixture();
}

/// Valley of the best separated linkage into k clusters; 0 where none has as many.
double linked_valley(const NumberTask& task, std::size_t k) {
  std::vector<std::optional<Separation>> each(task.linkages->size());
  parallel_for(resolve_threads(task.threads), each.size(), 1,
               [&](std::size_t first, std::size_t last, int) {
                 for (std::size_t t = first; t < last; ++t) {
                   const auto cluster = (*task.linkages)[t].cut(k);
                   std::vector<bool> used(k, false);
                   for (const auto c : cluster) used[c] = true;
                   if (std::ranges::count(used, true) == static_cast<std::ptrdiff_t>(k)) {
                     each[t] = separation(*task.around, cluster, k);
                   }
                 }
               });
  const Separation* best = nullptr;
  for (const auto& one : each) {
    if (one && (best == nullptr || one->score() > best->score())) best = &*one;
  }
  return best == nullptr ? 0.0 : std::max(best->valley, 0.0);
}

/// Depth of the k-th cluster for k = 2, 3, ...
std::vector<double> depths_of(const NumberTask& task, const std::vector<double>& modes,
                              std::size_t wanted) {
  constexpr double kShallow = 0.15;
  constexpr std::size_t kShallowOnes = 6;  // so many in a row: no more clusters lie apart
  std::vector<double> depths;
  std::size_t shallow = 0;
  for (std::size_t k = 2; k <= task.most && (shallow < kShallowOnes || k <= wanted); ++k) {
    const double valley = linked_valley(task, k);
    shallow = valley < kShallow ? shallow + 1 : 0;
    const double mode = k - 2 < modes.size() ? modes[k - 2] : 0.0;
    depths.push_back(std::min(valley, kMostDepth) + std::min(mode, kMostDepth));
  }
  return depths;
}

/// The number behind which the depth falls most, by its ratio, among those that are deep enough.
std::size_t deepest_fall(const std::vector<double>& depths) {
  constexpr double kDeep = 1.6, kNoise = 0.75;  // of a depth where nothing lies apart
  std::size_t k = 1;
  double most = 0.0;
  for (std::size_t t = 0; t < depths.size(); ++t) {
    const double fall = depths[t] / ((t + 1 < depths.size() ? depths[t + 1] : 0.0) + kNoise);
    if (depths[t] >= kDeep && fall >= most) {
      most = fall;
      k = t + 2;
    }
  }
  return k;
}

}  // namespace

FoundNumber find_number(const NumberTask& task, const Rng& rng) {
  constexpr double kNeeded = 0.08;  // log-likelihood that a component's rows lose without it
  constexpr double kMode = 0.35, kApart = 1.0, kSurelyApart = 1.5, kSure = 2.5;
  std::vector<std::size_t> chosen(task.rows.rows());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() > kMostRows) {
    Rng shuffling = rng.split(kRows);
    shuffling.shuffle(std::span(chosen));
    chosen.resize(kMostRows);
    std::ranges::sort(chosen);
  }
  const Axes axes = along_axes(task.rows, chosen);
  const Fit fit = likeliest_fit(task, axes, rng);
  const std::size_t gaussians = fit.rung.components();
  const auto modes = mode_depths(fit.rung.mixture, fit.rung.pi, ridge_of(axes, fit.space.columns));
  const auto depths = depths_of(task, modes, gaussians);
  FoundNumber found{.k = 1,
                    .apart = deepest_fall(depths),
                    .gaussians = gaussians,
                    .explained = explains(fit, axes, task.threads, rng),
                    .space = fit.space};
  // A component that is no mode may be noise around the others.
  const auto with_mode = static_cast<std::size_t>(std::ranges::count_if(
                             modes, [](double depth) { return depth >= kMode; })) +
                         1;
  const std::size_t counted = with_mode > 1 && with_mode + 1 == gaussians ? with_mode : gaussians;
  const double price =
      fit.price + kNeeded * static_cast<double>(chosen.size()) / static_cast<double>(gaussians);
  const auto depth = [&](std::size_t k) {
    return k >= 2 && k - 2 < depths.size() ? depths[k - 2] : 0.0;
  };
  // Components that overlap lie at no depth, but a part of a curve costs little to do without.
  const double sure = kSure * fit.price;
  const auto agrees = [&](std::size_t k, double least, double loss) {
    return found.explained && k >= found.apart &&
           (found.apart == 1 || loss >= sure || depth(k) >= least);
  };
  if ((gaussians == 1 || fit.loss >= price || modes.back() >= kApart) &&
      agrees(counted, kApart, fit.loss)) {
    found.k = counted;
  } else if (gaussians > 2 && fit.next >= price && depth(gaussians - 1) >= kSurelyApart &&
             agrees(gaussians - 1, kSurelyApart, 0.0)) {
    found.k = gaussians - 1;  // EM ended with one too many, which is not needed
  } else if (found.apart > 1) {
    found.k = found.apart;
  } else {
    found.k = found.explained ? gaussians : 1;
  }
  found.k = std::min(found.k, task.most);
  return found;
}

}  // namespace nw::cluster
