// Two claims are tested.
//
// "X and Y are the same": the energy distance between all rows, and the rank sum of a score by
// which forests tell the samples apart.
//
// "Only the mix changed": members G_j with shares that change by at most a factor R bound the ratio
// of the samples by R in every region, whatever the G_j look like. Two roads lead to rejection.
// (1) Some region exceeds R: needs no family of members, and holds its level for every mix within
// R. (2) Some region exceeds 0.75 R, and no number of Gaussian members in the plausible range
// explains the ratio where it is largest: each k from the best by BIC to twice that predicts a
// ratio at every row, sum_j pi_y,j g_j / sum_j pi_x,j g_j, and p_members is the largest p-value
// over k. Members can be told apart only as well as Gaussians do, so this road counts only together
// with the first look. A single member explains nothing but equality, so k = 1 alone leaves this
// road closed. Classes that overlap wholly pass both: without labels nothing can tell them.
#include "measure/change_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure/domain_forest.hpp"
#include "measure/energy_test.hpp"
#include "measure/normal_quantile.hpp"
#include "measure/ratio_scan.hpp"

namespace nw::measure {
namespace {

constexpr double kNarrow = 0.75;            // narrower bound, as a share of R
constexpr std::size_t kEnergyRows = 1000;   // of each sample in the energy test
constexpr std::size_t kMemberRows = 1500;   // of each sample that members are fitted to
constexpr std::size_t kMemberDims = 10;     // principal components that members are fitted in
constexpr double kMemberVariance = 0.95;    // share of the variance these keep at most
constexpr std::size_t kSmallestRegion = 8;  // rows
constexpr double kSmallestShare = 0.02;     // of a sample
constexpr int kMemberSimulations = 499;

std::vector<std::uint8_t> labels(const PooledRows& pool) {
  std::vector<std::uint8_t> label(pool.rows(), 0);
  std::fill(label.begin() + static_cast<std::ptrdiff_t>(pool.in_x), label.end(), 1);
  return label;
}

std::vector<std::uint8_t> flipped(std::vector<std::uint8_t> label) {
  for (auto& l : label) l = l == 0 ? 1 : 0;
  return label;
}

std::vector<double> negated(std::vector<double> score) {
  for (auto& s : score) s = -s;
  return score;
}

// How much rows look like Y, from columns and principal components.
std::vector<double> domain_score(const PooledRows& pool, const std::vector<std::uint8_t>& label,
                                 const ChangeOptions& options, const Rng& rng) {
  RankedColumns columns;
  columns.append(as_view(pool.scaled));
  columns.append(as_view(pool.principal));
  return domain_scores(columns, label,
                       {.trees = options.trees, .threads = options.threads, .stop = options.stop},
                       rng);
}

double test_energy(const PooledRows& pool, const std::vector<std::uint8_t>& label,
                   const ChangeOptions& options, const Rng& rng) {
  // Rows stand in the order of a hash, so that the first ones are a random part.
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    if ((i < pool.in_x ? i : i - pool.in_x) < kEnergyRows) rows.push_back(i);
  }
  RowMatrix part(static_cast<Eigen::Index>(rows.size()), pool.scaled.cols());
  std::vector<std::uint8_t> part_label;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    part.row(static_cast<Eigen::Index>(i)) = pool.scaled.row(static_cast<Eigen::Index>(rows[i]));
    part_label.push_back(label[rows[i]]);
    rows[i] = i;
  }
  return energy_test(row_distances(part), rows, part_label, options.permutations, rng, options.stop)
      .p;
}

OneSided test_one_side(const PooledRows& pool, const std::vector<double>& score,
                       const std::vector<std::uint8_t>& label, double bound, double alpha,
                       double& rows_needed) {
  const auto ones = static_cast<double>(std::count(label.begin(), label.end(), 1));
  RatioScanOptions scan{
      .bound = bound,
      .min_rows = std::max(kSmallestRegion, static_cast<std::size_t>(kSmallestShare * ones)),
      .alpha = alpha / 2.0};
  RatioScan found = scan_ratio(score, label, scan);
  OneSided side;
  side.p = found.p;
  side.rows = std::move(found.region);
  rows_needed = found.rows_needed;
  side.bound = bound;
  scan.bound = std::max(kNarrow * bound, 1.0);
  RatioScan narrow = scan_ratio(score, label, scan);
  side.p_narrow = narrow.p;
  if (side.rows.empty() || side.p > alpha / 2.0) {
    side.rows = std::move(narrow.region);
    side.bound = scan.bound;
  }
  for (const std::size_t i : side.rows) {
    (pool.from_y(i) ? side.share_y : side.share_x) +=
        1.0 / static_cast<double>(pool.from_y(i) ? pool.in_y : pool.in_x);
  }
  return side;
}

// Does a mixture with k members and free proportions explain where the samples differ? The scan
// goes from the rows whose score exceeds the prediction most.
double test_members(const RowMatrix& points, std::size_t in_x, const std::vector<double>& score,
                    const std::vector<std::uint8_t>& label, const MemberFit& fit, double ridge,
                    double most) {
  constexpr double kSureness = 0.005;  // scores of 0 and 1 come from few trees
  const std::vector<double> ratio = explained_ratio(points, in_x, fit, ridge, most);
  const std::size_t rows = score.size();
  const double odds =
      static_cast<double>(rows - in_x) / static_cast<double>(std::max<std::size_t>(in_x, 1));
  std::vector<double> beyond(rows), chance(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const double s = std::clamp(score[i], kSureness, 1.0 - kSureness);
    beyond[i] = std::log(s / (1.0 - s)) - std::log(ratio[i]);
    chance[i] = odds * ratio[i] / (1.0 + odds * ratio[i]);
  }
  const auto least = [](std::size_t part) {
    return std::max(kSmallestRegion,
                    static_cast<std::size_t>(kSmallestShare * static_cast<double>(part)));
  };
  RatioScanOptions scan{.min_rows = least(rows - in_x), .simulations = kMemberSimulations};
  const double more_y = scan_beyond(beyond, label, chance, scan);
  for (auto& c : chance) c = 1.0 - c;
  scan.min_rows = least(in_x);
  const double more_x = scan_beyond(negated(beyond), flipped(label), chance, scan);
  return std::min(1.0, 2.0 * std::min(more_y, more_x));
}

// At most kMemberRows rows of each sample: the first ones, which are a random part.
struct MemberRows {
  std::vector<std::size_t> rows;
  std::size_t in_x = 0;
};

MemberRows member_rows(const PooledRows& pool) {
  MemberRows part;
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    if ((i < pool.in_x ? i : i - pool.in_x) >= kMemberRows) continue;
    part.rows.push_back(i);
    part.in_x += pool.from_y(i) ? 0 : 1;
  }
  return part;
}

// A region that one sample has and the other lacks, both ways.
void test_ratio(const PooledRows& pool, const std::vector<std::uint8_t>& label,
                const ChangeOptions& options, ChangeTests& tests) {
  tests.share_bound = options.share_bound > 0.0
                          ? options.share_bound
                          : default_share_bound(std::min(pool.in_x, pool.in_y));
  double needed_y = 0.0, needed_x = 0.0;
  tests.more_in_y =
      test_one_side(pool, tests.score, label, tests.share_bound, options.alpha, needed_y);
  options.stop();
  tests.more_in_x = test_one_side(pool, negated(tests.score), flipped(label), tests.share_bound,
                                  options.alpha, needed_x);
  tests.p_ratio = std::min(1.0, 2.0 * std::min(tests.more_in_y.p, tests.more_in_x.p));
  tests.p_ratio_narrow =
      std::min(1.0, 2.0 * std::min(tests.more_in_y.p_narrow, tests.more_in_x.p_narrow));
  tests.smallest_share =
      std::max(needed_y / static_cast<double>(std::max<std::size_t>(pool.in_y, 1)),
               needed_x / static_cast<double>(std::max<std::size_t>(pool.in_x, 1)));
}

// Does any plausible number of members explain the difference? Fewer members than BIC chooses, but
// no fewer than it allows, are asked for what they say; they decide nothing, because what a member
// too few leaves unexplained refutes no mix.
void test_all_members(const PooledRows& pool, const std::vector<std::uint8_t>& label,
                      const ChangeOptions& options, const Rng& rng, ChangeTests& tests) {
  const RowMatrix space = leading_components(pool, kMemberVariance, kMemberDims);
  if (space.cols() == 0) return;
  const MemberRows part = member_rows(pool);
  RowMatrix points(static_cast<Eigen::Index>(part.rows.size()), space.cols());
  std::vector<double> score;
  std::vector<std::uint8_t> part_label;
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    points.row(static_cast<Eigen::Index>(i)) = space.row(static_cast<Eigen::Index>(part.rows[i]));
    score.push_back(tests.score[part.rows[i]]);
    part_label.push_back(label[part.rows[i]]);
  }
  tests.member_points = points;
  tests.member_rows = part.rows;
  tests.choice = choose_members(
      points, part.in_x, {.max_k = options.max_k, .threads = options.threads, .stop = options.stop},
      rng);
  options.stop.stage("tests", 0.9);
  const std::size_t best = tests.choice.k, last = std::min(2 * best, tests.choice.fits.size());
  double most = 0.0;
  for (std::size_t k = std::min(best, std::max<std::size_t>(tests.choice.k_low, 2)); k <= last;
       ++k) {
    options.stop();
    const double p = test_members(points, part.in_x, score, part_label, tests.choice.fit(k),
                                  tests.choice.ridge, tests.share_bound);
    tests.members.push_back({k, p});
    if (k >= best) most = std::max(most, p);
  }
  tests.p_members = last < 2 ? 1.0 : most;
}

void run_tests(const PooledRows& pool, const ChangeOptions& options, ChangeTests& tests) {
  const Rng rng(pool.fingerprint);
  const std::vector<std::uint8_t> label = labels(pool);
  const StopCheck& stop = options.stop;
  stop.stage("tests", 0.0);
  tests.score = domain_score(pool, label, options, rng);
  stop.stage("tests", 0.3);
  tests.p_score = rank_sum_p(tests.score, label);
  tests.p_energy = test_energy(pool, label, options, rng.split(3));
  tests.p_same = std::min(1.0, 2.0 * std::min(tests.p_energy, tests.p_score));
  stop.stage("tests", 0.5);
  test_ratio(pool, label, options, tests);
  stop.stage("tests", 0.6);
  test_all_members(pool, label, options, rng.split(4), tests);
  tests.p_components = std::min(tests.p_ratio, std::max(tests.p_ratio_narrow, tests.p_members));
}

}  // namespace

// Few rows show no more than a small R. From a thousand on, a new or moved member drives the ratio
// far beyond any R that mixes have in practice, so that R may grow to cover those.
double default_share_bound(std::size_t rows) {
  const auto n = static_cast<double>(rows);
  return std::clamp(0.66 * std::cbrt(n) * std::max(1.0, std::pow(n / 1000.0, 2.0 / 3.0)), 2.7,
                    15.0);
}

double rank_sum_p(const std::vector<double>& score, const std::vector<std::uint8_t>& label) {
  const std::size_t rows = score.size();
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return score[a] < score[b]; });
  double ones = 0.0, rank_sum = 0.0, ties = 0.0;
  for (std::size_t begin = 0, end = 0; begin < rows; begin = end) {
    while (end < rows && score[order[end]] == score[order[begin]]) ++end;
    const double size = static_cast<double>(end - begin);
    ties += size * size * size - size;
    for (std::size_t i = begin; i < end; ++i) {
      if (label[order[i]] == 0) continue;
      rank_sum += 0.5 * static_cast<double>(begin + end + 1);
      ones += 1.0;
    }
  }
  const double all = static_cast<double>(rows), pairs = ones * (all - ones);
  const double variance = pairs / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
  if (!(variance > 0.0)) return 1.0;
  const double excess = rank_sum - ones * (ones + 1.0) / 2.0 - 0.5 * pairs;
  return normal_cdf((0.5 - excess) / std::sqrt(variance));
}

ChangeTests test_changes(const PooledRows& pool, const ChangeOptions& options) {
  ChangeTests tests;
  try {
    run_tests(pool, options, tests);
  } catch (const Stopped&) {
    tests.interrupted = true;
  }
  return tests;
}

}  // namespace nw::measure
