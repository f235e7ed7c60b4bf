#include "app/clustering/evidence_method.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/cluster/genie.hpp"

#include "cluster/even_noise.hpp"
#include "cluster/row_index.hpp"

namespace nw::app {
namespace {

enum Stream : std::uint64_t { kEvidence = 301, kTree = 303 };

// lambda of the recipe best for affine components.
constexpr double kAffineDiversity = 0.1;
// Trees cost the square of their points; more points are represented by a random choice.
constexpr std::size_t kMostTreePoints = 10000;

/// Gives the largest cluster of all rows the first number, in the model too.
void order_by_size(ClassicParts& parts, ClusteringResult& result) {
  const std::size_t k = parts.pi.size();
  std::vector<double> size(k, 0.0);
  for (const auto c : result.assignment) size[c] += 1.0;
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](auto a, auto b) { return size[a] > size[b]; });
  std::vector<std::uint32_t> place(k);
  for (std::size_t r = 0; r < k; ++r) {
    place[order[r]] = static_cast<std::uint32_t>(r);
    parts.pi[r] = size[order[r]] / static_cast<double>(result.assignment.size());
  }
  for (auto& c : result.assignment) c = place[c];
  for (auto& c : parts.reference_cluster) c = place[c];
}

Matrix means_of(MatrixView rows, const std::vector<std::uint32_t>& assignment, std::size_t k) {
  Matrix means(k, rows.cols());
  std::vector<double> members(k, 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    members[assignment[i]] += 1.0;
    for (std::size_t c = 0; c < rows.cols(); ++c) means(assignment[i], c) += rows(i, c);
  }
  for (std::size_t j = 0; j < k; ++j) {
    for (double& value : means.row(j)) value /= std::max(members[j], 1.0);
  }
  return means;
}

/// Every row's cluster by the model that `parts` are.
void assign_rows(MatrixView rows, const ClusteringOptions& options, ClassicParts& parts,
                 ClusteringResult& result) {
  const auto assigned = make_classic_model(parts)->assign(rows, {.threads = options.threads});
  result.confidence = assigned.confidence();
  result.assignment = assigned.cluster;
}

ClassicParts known_rows(MatrixView rows, const std::vector<std::size_t>& fitted,
                        std::vector<std::uint32_t> cluster, std::size_t k) {
  return {.pi = std::vector<double>(k, 0.0),
          .reference = rows_at(rows, fitted),
          .reference_cluster = std::move(cluster)};
}

}  // namespace

ClassicParts run_evidence(const io::PointSet& points, const ClusteringOptions& options,
                          const std::function<bool(double)>& observer, ClusteringResult& result) {
  const MatrixView rows = points.values;
  auto found =
      cluster::cluster_by_evidence(rows,
                                   {.components = options.k,
                                    .diversity = options.diversity.value_or(kAffineDiversity),
                                    .threads = options.threads,
                                    .observer = observer},
                                   Rng(options.seed).split(kEvidence));
  // A mixture of many columns is one of their principal components: rows stand for it.
  const bool mixture = found.gaussian && found.mixture.dim() == rows.cols();
  result.evidence = ClusterEvidence{.candidates = found.candidates,
                                    .margin = found.margin,
                                    .gaussian = found.gaussian_evidence,
                                    .mixture_won = found.gaussian,
                                    .stability = found.gaussian_stability,
                                    .k_low = found.k_low,
                                    .k_high = found.k_high};
  result.criterion = "separation";
  result.value = found.candidates.front().separation.score();
  result.interrupted = found.interrupted;
  result.converged = !found.interrupted;
  ClassicParts parts;
  if (mixture) {
    for (const auto& component : found.mixture.components) {
      result.covariances.push_back(covariance(component));
    }
    parts = {.pi = found.pi, .mixture = std::move(found.mixture), .ridge = found.ridge};
    assign_rows(rows, options, parts, result);
  } else {
    parts = known_rows(rows, found.fitted, std::move(found.cluster), found.k);
    assign_rows(rows, options, parts, result);
    order_by_size(parts, result);
  }
  result.pi = parts.pi;
  result.centres = means_of(rows, result.assignment, found.k);
  return parts;
}

ClassicParts run_genie(MatrixView rows, std::size_t k, const ClusteringOptions& options,
                       ClusteringResult& result) {
  std::vector<std::size_t> chosen(rows.rows());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (chosen.size() > std::max(kMostTreePoints, k)) {
    Rng rng = Rng(options.seed).split(kTree);
    rng.shuffle(std::span(chosen));
    chosen.resize(std::max(kMostTreePoints, k));
    std::ranges::sort(chosen);
  }
  const auto merges = cluster::genie(rows_at(rows, chosen), {.threads = options.threads});
  ClassicParts parts = known_rows(rows, chosen, cluster::cut_tree(merges, k), k);
  assign_rows(rows, options, parts, result);
  order_by_size(parts, result);
  result.pi = parts.pi;
  result.centres = means_of(rows, result.assignment, k);
  result.converged = true;
  return parts;
}

void set_noise_apart(MatrixView rows, const ClusteringOptions& options, ClusteringResult& result) {
  // Radii to the tenth neighbour, on a log scale: of a Gaussian cluster in the plane 7 in 1000 lie
  // beyond the limit, of an even one none.
  constexpr std::size_t kNeighbour = 10;
  constexpr double kDeviations = 6.0, kNormal = 1.4826;
  const std::size_t n = rows.rows(), k = result.pi.size(), m = std::min(kNeighbour, n - 1);
  result.noise.assign(n, false);
  if (m == 0) return;
  const auto near = cluster::RowIndex(rows).nearest(rows, m, /*skip_self=*/true, options.threads);
  std::vector<double> radius(n);
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    radius[i] = std::sqrt(near.distance[i * m + m - 1]);
    mean += radius[i] / static_cast<double>(n);
  }
  std::vector<std::vector<double>> inside(k);
  for (std::size_t i = 0; i < n; ++i) {
    radius[i] = std::log(std::max(radius[i], 1e-6 * mean + 1e-300));
    inside[result.assignment[i]].push_back(radius[i]);
  }
  const auto median = [](std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
  };
  std::vector<double> limit(k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    if (inside[j].empty()) continue;
    const double centre = median(inside[j]);
    for (double& value : inside[j]) value = std::abs(value - centre);
    limit[j] = centre + kDeviations * kNormal * median(inside[j]);
  }
  const auto even = cluster::even_noise(rows, options.threads);
  for (std::size_t i = 0; i < n; ++i) {
    result.noise[i] = radius[i] > limit[result.assignment[i]] || (even && even->noise[i]);
  }
}

}  // namespace nw::app
