// A mixture of Gaussians wins where it predicts rows that it has not seen at least as well as a
// kernel estimate does, which follows any shape: then the rows are such a mixture, and its
// components are the clusters, overlap as they may. Everywhere else clusters are what lies apart,
// and the best separated of many candidates wins: few ties between neighbours lead out of a
// cluster, and the density there is lower than inside. Weights and candidates were settled on half
// of the sets that docs/cluster.md lists; no label chooses anything here.
#include "nw/cluster/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"
#include "nw/cluster/diffusion_map.hpp"
#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/cluster/kmeans.hpp"
#include "nw/cluster/principal_axes.hpp"
#include "nw/cluster/split_merge.hpp"

#include "cluster/cluster_number.hpp"
#include "cluster/gaussian_evidence.hpp"
#include "cluster/linkages.hpp"
#include "cluster/merged_gaussians.hpp"
#include "cluster/walk_map.hpp"
#include "measure/dense.hpp"

namespace nw::cluster {
namespace {

using Clusters = std::vector<std::uint32_t>;

enum Stream : std::uint64_t {
  kChoice = 1,
  kAxes,
  kKMeans,
  kGaussians,
  kMerged,
  kWalk,
  kHeldOut,
  kResample,
  kNumber = 90,
  kStability,
  kObjective = 100
};
constexpr std::size_t kNeighbours = 10, kMostColumns = 20, kStarts = 8;
// In few columns kernel estimates are rivals enough. In more a mixture must know its members, too.
constexpr std::size_t kFewColumns = 6;
constexpr double kStable = 0.9;

double mean_variance(MatrixView rows) {
  const auto x = measure::as_eigen(rows);
  const Eigen::RowVectorXd mean = x.colwise().mean();
  return (x.rowwise() - mean).squaredNorm() / static_cast<double>(x.size());
}

double ridge_of(MatrixView rows) {
  return std::max(1e-6 * mean_variance(rows), 1e-12);
}

std::vector<std::size_t> choose(std::size_t all, std::size_t count, Rng rng) {
  std::vector<std::size_t> order(all);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (count >= all) return order;
  rng.shuffle(std::span(order));
  order.resize(count);
  std::ranges::sort(order);
  return order;
}

/// Makes the largest cluster the first; equally large ones keep their order. Returns the new number
/// of each old one.
std::vector<std::uint32_t> largest_first(Clusters& cluster, std::size_t k) {
  std::vector<std::size_t> size(k, 0), order(k);
  for (const auto c : cluster) ++size[c];
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto a, auto b) { return size[a] > size[b]; });
  std::vector<std::uint32_t> place(k);
  for (std::size_t r = 0; r < k; ++r) place[order[r]] = static_cast<std::uint32_t>(r);
  for (auto& c : cluster) c = place[c];
  return place;
}

bool all_used(const Clusters& cluster, std::size_t k) {
  std::vector<bool> used(k, false);
  for (const auto c : cluster) used[c] = true;
  return std::ranges::count(used, true) == static_cast<std::ptrdiff_t>(k);
}

/// Rows that clusterings compete for.
class Arena {
 public:
  Arena(MatrixView rows, int threads, const Rng& rng)
      : rows_(rows),
        threads_(threads),
        rng_(rng),
        ridge_(ridge_of(rows)),
        around_(neighbourhood(rows, kNeighbours, threads)),
        linkages_(make_linkages(rows, around_, threads)) {}

  struct Entry {
    Candidate candidate;
    Clusters cluster;
  };
  using Visit = std::function<bool(double)>;

  [[nodiscard]] double ridge() const { return ridge_; }

  [[nodiscard]] FoundNumber number(std::size_t most, GaussianSpace space) const {
    return find_number({.rows = rows_,
                        .around = &around_,
                        .linkages = &linkages_,
                        .most = most,
                        .space = space,
                        .threads = threads_},
                       rng_.split(kNumber));
  }

  [[nodiscard]] GaussianMixtureResult gaussians(std::size_t k, int restarts,
                                                std::vector<Clusters> starts = {}) const {
    return gaussian_mixture({.points = rows_},
                            {.components = k,
                             .shape = shape_of(k),
                             .restarts = restarts,
                             .starts = std::move(starts),
                             .ridge = ridge_,
                             .threads = threads_},
                            rng_.split(kGaussians));
  }

  [[nodiscard]] double stability(const GaussianMixtureResult& gaussian) const {
    const std::size_t k = gaussian.pi.size();
    return gaussian_stability({.rows = rows_,
                               .components = k,
                               .start = &gaussian.assignment,
                               .ridge = ridge_,
                               .threads = threads_},
                              shape_of(k), rng_.split(kStability));
  }

  /// Kernel estimates are weak in many columns, but a projection of a mixture of Gaussians is one
  /// too: of the tests on a few leading principal components and on all columns the first that
  /// fails counts.
  [[nodiscard]] HeldOutGain held_out(const GaussianMixtureResult& gaussian) const {
    for (const std::size_t few : {2, 4, 6}) {
      if (few >= rows_.cols()) break;
      const Matrix shadow =
          principal_axes(rows_, few, rng_.split(kAxes), threads_).project(rows_, threads_);
      const auto gain = held_out(gaussian, shadow, ridge_of(shadow));
      if (!gain.is_mixture()) return gain;
    }
    return held_out(gaussian, rows_, ridge_);
  }

  /// Every method's answer but that of the mixture; false from `show` stops.
  [[nodiscard]] std::vector<Entry> compete(std::size_t k, const Visit& show) const {
    std::vector<Entry> entries;
    for (const auto& linkage : linkages_) add(linkage.name, linkage.cut(k), k, entries);
    add("k-means",
        kmeans({.points = rows_}, {.components = k, .threads = threads_}, rng_.split(kKMeans))
            .assignment,
        k, entries);
    if (!show(0.4)) return entries;
    for (const std::size_t times : {2, 4}) {
      const std::size_t fine =
          std::min(times * std::max<std::size_t>(k, 4), std::max(rows_.rows() / 15, k));
      add(concat("merged gaussians, ", fine), merge_gaussians(rows_, gaussians(fine, 2), ridge_, k),
          k, entries);
    }
    if (!show(0.7)) return entries;
    add_diffusion(k, entries);
    return entries;
  }

  /// W - lambda R of every entry, all by the same rows; the mixture's own where it is one.
  void judge(std::vector<Entry>& entries, const GaussianMixtureResult& gaussian,
             double lambda) const {
    constexpr std::size_t kRows = 100, kApart = 25;  // transport costs more than their square
    const std::size_t k = gaussian.pi.size();
    const SplitMergeOptions options{.diversity = lambda,
                                    .max_moves = 0,
                                    .max_points = kRows,
                                    .apart_points = kApart,
                                    .threads = 1};
    const auto implied = [&](const Entry& entry) -> WeightedMixture {
      if (entry.candidate.name == kGaussianCandidate) return {gaussian.mixture, gaussian.pi};
      std::vector<double> pi(k, 0.0);
      for (const auto c : entry.cluster) pi[c] += 1.0 / static_cast<double>(entry.cluster.size());
      return {gaussians_of_clusters(rows_, entry.cluster, k), std::move(pi)};
    };
    parallel_for(resolve_threads(threads_), entries.size(), 1,
                 [&](std::size_t first, std::size_t last, int) {
                   for (std::size_t e = first; e < last; ++e) {
                     entries[e].candidate.objective =
                         split_and_merge(rows_, {implied(entries[e])}, options,
                                         rng_.split(kObjective))
                             .objective;
                   }
                 });
  }

  /// Without one of no members.
  void add(std::string name, Clusters cluster, std::size_t k, std::vector<Entry>& entries) const {
    if (!all_used(cluster, k)) return;
    largest_first(cluster, k);
    entries.push_back(
        {.candidate = {.name = std::move(name), .separation = separation(around_, cluster, k)},
         .cluster = std::move(cluster)});
  }

 private:
  /// Full covariances need more rows than they have numbers.
  [[nodiscard]] measure::Shape shape_of(std::size_t k) const {
    const bool few = rows_.rows() < 2 * k * (rows_.cols() + 1);
    return few ? measure::Shape::diagonal : measure::Shape::full;
  }

  void add_diffusion(std::size_t k, std::vector<Entry>& entries) const {
    constexpr std::size_t kFew = 5, kMany = 20, kSpare = 6;
    const std::size_t n = rows_.rows();
    if (n <= std::max(kFew, k)) return;
    DiffusionOptions options{
        .dimensions = k - 1, .neighbours = kFew, .max_points = n + 10, .threads = threads_};
    const auto around = surroundings(rows_, options, kMany, rng_.split(kWalk));
    for (const std::size_t neighbours : {kFew, kNeighbours, kMany}) {
      options.neighbours = neighbours;
      options.spare = 0;
      add_walk(around, options, entries);
      options.spare = kSpare;
      const bool same = searched_coordinates(options, n) == options.dimensions;
      if (neighbours == kNeighbours && !same) add_walk(around, options, entries);
    }
  }

  void add_walk(const Surroundings& around, const DiffusionOptions& options,
                std::vector<Entry>& entries) const {
    const std::size_t k = options.dimensions + 1;
    if (rows_.rows() <= std::max(options.neighbours, k + options.spare)) return;
    const auto map = walk_map(around, options, rng_.split(kWalk));
    add(concat("diffusion ", options.neighbours, options.spare > 0 ? ", two-valued" : ""),
        kmeans({.points = map.coordinates}, {.components = k, .threads = threads_},
               rng_.split(kWalk))
            .assignment,
        k, entries);
  }

  [[nodiscard]] HeldOutGain held_out(const GaussianMixtureResult& gaussian, MatrixView rows,
                                     double ridge) const {
    return gaussian_evidence({.rows = rows,
                              .components = gaussian.pi.size(),
                              .start = &gaussian.assignment,
                              .ridge = ridge,
                              .threads = threads_},
                             rng_.split(kHeldOut));
  }

  MatrixView rows_;
  int threads_;
  Rng rng_;
  double ridge_;
  Neighbourhood around_;
  std::vector<Linkage> linkages_;
};

/// Those that tell the same clusters apart are one candidate, named by the first.
void rank(std::vector<Arena::Entry>& entries) {
  std::map<std::vector<double>, bool> seen;
  std::erase_if(entries, [&](const Arena::Entry& entry) {
    const auto& s = entry.candidate.separation;
    return !seen.emplace(std::vector<double>{s.cut, s.valley, s.balance}, true).second;
  });
  std::ranges::stable_sort(entries, [](const Arena::Entry& a, const Arena::Entry& b) {
    return a.candidate.separation.score() > b.candidate.separation.score();
  });
}

/// All rows decide; resamples say how sure that is.
void find_k(const Arena& arena, MatrixView rows, std::size_t most, const EvidenceOptions& options,
            const Rng& rng, const Arena::Visit& show, EvidenceResult& result) {
  constexpr std::size_t kMostRows = 2000;
  const auto whole = arena.number(most, {});
  result.k = result.k_low = result.k_high = whole.k;
  const std::size_t count = std::min(kMostRows, std::max<std::size_t>(rows.rows() * 4 / 5, 2));
  for (int r = 0; r < options.resamples && show(0.1); ++r) {
    const Rng stream = rng.split(kResample + static_cast<std::uint64_t>(r));
    const Matrix some = rows_at(rows, choose(rows.rows(), count, stream));
    const std::size_t k =
        Arena(some, options.threads, stream)
            .number(std::min(most, std::max<std::size_t>(count / 10, 1)), whole.space)
            .k;
    result.k_low = std::min(result.k_low, k);
    result.k_high = std::max(result.k_high, k);
  }
}

}  // namespace

void EvidenceOptions::validate() const {
  require(most_components > 0, "EvidenceOptions.most_components must be positive, got ",
          most_components);
  require(diversity.value_or(0.0) >= 0.0, "EvidenceOptions.diversity must not be negative, got ",
          diversity.value_or(0.0));
  require(resamples >= 0, "EvidenceOptions.resamples must not be negative, got ", resamples);
  require(max_points >= 10, "EvidenceOptions.max_points must be at least 10, got ", max_points);
}

EvidenceResult cluster_by_evidence(MatrixView given, const EvidenceOptions& options,
                                   const Rng& rng) {
  options.validate();
  const std::size_t n = given.rows();
  require(n >= 2, "cluster_by_evidence: ", n, " points");
  require(options.components <= n, "cluster_by_evidence: ", options.components, " clusters of ", n,
          " points");
  EvidenceResult result;
  const Arena::Visit show = [&](double share) {
    if (options.observer && !options.observer(share)) result.interrupted = true;
    return !result.interrupted;
  };
  result.fitted = choose(n, std::max(options.max_points, options.components), rng.split(kChoice));
  Matrix rows = result.fitted.size() < n
                    ? rows_at(given, result.fitted)
                    : Matrix({given.values().begin(), given.values().end()}, n, given.cols());
  if (rows.cols() > kMostColumns) {
    rows = principal_axes(rows, kMostColumns, rng.split(kAxes), options.threads)
               .project(rows, options.threads);
  }
  const Arena arena(rows, options.threads, rng);
  result.ridge = arena.ridge();
  result.k = options.components;
  if (result.k == 0) {
    const std::size_t most = std::min(options.most_components, std::max<std::size_t>(n / 10, 1));
    find_k(arena, rows, most, options, rng, show, result);
  }
  const std::size_t k = result.k;
  auto entries = k > 1 ? arena.compete(k, show) : std::vector<Arena::Entry>();
  rank(entries);
  // EM climbs the nearest hill: answers of other methods are good places to begin, above all where
  // one cluster is far smaller than another.
  std::vector<Clusters> starts;
  for (const auto& entry : entries) {
    if (starts.size() < kStarts) starts.push_back(entry.cluster);
  }
  auto gaussian = arena.gaussians(k, 5, std::move(starts));
  const auto gain = arena.held_out(gaussian);
  result.gaussian_evidence = gain.median;
  result.gaussian = gain.is_mixture() && all_used(gaussian.assignment, k);
  if (result.gaussian && k > 1 && rows.cols() > kFewColumns) {
    result.gaussian_stability = arena.stability(gaussian);
    result.gaussian = *result.gaussian_stability >= kStable;
  }
  if (k == 1) {
    result.cluster.assign(rows.rows(), 0);
    result.candidates = {{.name = "one cluster", .separation = {}}};
    result.margin = result.gaussian_evidence;
  } else {
    arena.add(kGaussianCandidate, gaussian.assignment, k, entries);
    // Before those that found the same clusters: it knows more about them.
    if (!entries.empty()) std::rotate(entries.begin(), entries.end() - 1, entries.end());
    rank(entries);
    if (result.gaussian) {
      const auto place = std::ranges::find(entries, std::string(kGaussianCandidate),
                                           [](const auto& e) { return e.candidate.name; });
      if (place != entries.end()) std::rotate(entries.begin(), place, place + 1);
    }
    if (result.gaussian) {
      result.cluster = gaussian.assignment;
      result.margin = result.gaussian_evidence;
    } else {
      require(!entries.empty(), "cluster_by_evidence: no method finds ", k, " clusters");
      result.cluster = entries[0].cluster;
      result.margin = entries.size() > 1 ? entries[0].candidate.separation.score() -
                                               entries[1].candidate.separation.score()
                                         : 0.0;
    }
    if (options.diversity && show(0.9)) arena.judge(entries, gaussian, *options.diversity);
    for (auto& entry : entries) result.candidates.push_back(std::move(entry.candidate));
  }
  result.mixture = std::move(gaussian.mixture);
  result.pi = std::move(gaussian.pi);
  return result;
}

}  // namespace nw::cluster
