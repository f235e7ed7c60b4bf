// Diffusion maps (Coifman and Lafon 2006) on the symmetric graph of k nearest neighbours with
// weights exp(-|x_i - x_j|^2 / (s_i s_j)) that take their scale from each point's own surroundings
// (Zelnik-Manor and Perona 2004). The walk's right eigenvectors are D^-1/2 times those of
// D^-1/2 W D^-1/2; the constant first one is left out. Cluster of mass p against the rest: their
// coordinates lie sqrt((1 - p) / p) and sqrt(p / (1 - p)) from the middle, so small clusters lie
// far out, which is why imbalance does little harm here. But the order of the eigenvectors is that
// of their rates: a walk needs longer along a cluster of 4000 points than out of one of 80. So the
// coordinates are not the leading ones but those directions of a few more that have two values, as
// Xiang and Gong (2008) choose eigenvectors; directions, because close eigenvalues mix their
// vectors.
#include "nw/cluster/diffusion_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"

#include "cluster/leading_eigenvectors.hpp"
#include "cluster/nearest_rows.hpp"
#include "cluster/two_valued_directions.hpp"
#include "measure/dense.hpp"

namespace nw::cluster {
namespace {

using measure::RowMatrix;

enum Stream : std::uint64_t { kChoice = 1, kAxes = 2, kWalk = 3 };

Matrix choose(MatrixView points, std::size_t count, Rng rng) {
  std::vector<std::size_t> order(points.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  rng.shuffle(std::span(order));
  order.resize(count);
  std::sort(order.begin(), order.end());
  return rows_at(points, order);
}

double affinity(double squared, double scale, double other) {
  return squared == 0.0 ? 1.0 : std::exp(-squared / (scale * other));
}

/// Each point's own scale. Duplicates have none: they get a thousandth of the mean.
std::vector<double> scales_of(const NearestRows& near, std::size_t place) {
  const std::size_t n = near.row.size() / near.count;
  std::vector<double> scale(n);
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    scale[i] = std::sqrt(near.distance[i * near.count + place]);
    mean += scale[i] / static_cast<double>(n);
  }
  constexpr double kSmall = 1e-3;
  for (double& s : scale) s = std::max(s, mean > 0.0 ? kSmall * mean : 1.0);
  return scale;
}

/// W with w_ij = w_ji wherever one of the two is a neighbour of the other, divided by the roots of
/// the degrees; the degrees.
struct Walk {
  SparseSymmetric matrix;
  Eigen::VectorXd degree;
};

Walk make_walk(const NearestRows& near, const std::vector<double>& scale) {
  const std::size_t n = scale.size();
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < near.count; ++c) {
      const std::uint32_t j = near.row[i * near.count + c];
      const double weight = affinity(near.distance[i * near.count + c], scale[i], scale[j]);
      rows[i].emplace_back(j, weight);
      rows[j].emplace_back(static_cast<std::uint32_t>(i), weight);
    }
  }
  Walk walk{.matrix = {.begin = {0}, .column = {}, .value = {}},
            .degree = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n))};
  for (std::size_t i = 0; i < n; ++i) {
    std::sort(rows[i].begin(), rows[i].end());
    // Rounding may tell the two directions of an edge apart by the last digit; one of them stays.
    const auto last = std::unique(rows[i].begin(), rows[i].end(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; });
    for (auto entry = rows[i].begin(); entry != last; ++entry) {
      walk.matrix.column.push_back(entry->first);
      walk.matrix.value.push_back(entry->second);
      walk.degree[static_cast<Eigen::Index>(i)] += entry->second;
    }
    walk.matrix.begin.push_back(walk.matrix.column.size());
  }
  // A point whose ties have all vanished by underflow stays where it is.
  walk.degree = walk.degree.cwiseMax(1e-12);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t e = walk.matrix.begin[i]; e < walk.matrix.begin[i + 1]; ++e) {
      walk.matrix.value[e] /=
          std::sqrt(walk.degree[static_cast<Eigen::Index>(i)] * walk.degree[walk.matrix.column[e]]);
    }
  }
  return walk;
}

/// Coordinates among which those of the map are sought. The search costs their fourth power, and
/// directions of too many would single out a few points.
std::size_t searched(const DiffusionOptions& options, std::size_t points) {
  constexpr std::size_t kMost = 16;
  const std::size_t most = std::min(kMost, points / options.points_each);
  return std::max(options.dimensions, std::min(options.dimensions + options.spare, most));
}

}  // namespace

void DiffusionOptions::validate() const {
  const auto positive = [](std::size_t value, const char* field) {
    require(value > 0, "DiffusionOptions.", field, " must be positive, got ", value);
  };
  positive(dimensions, "dimensions");
  positive(points_each, "points_each");
  positive(neighbours, "neighbours");
  positive(scale_neighbour, "scale_neighbour");
  positive(principal, "principal");
  require(max_points >= 10, "DiffusionOptions.max_points must be at least 10, got ", max_points);
}

DiffusionMap diffusion_map(MatrixView points, const DiffusionOptions& options, const Rng& rng) {
  options.validate();
  const std::size_t n = std::min(points.rows(), options.max_points);
  require(n > options.neighbours && n > options.dimensions + 1, "diffusion_map: ", n,
          " points are too few for ", options.neighbours, " neighbours and ", options.dimensions,
          " coordinates");
  const int threads = resolve_threads(options.threads);
  DiffusionMap map;
  map.all_points = n == points.rows();
  Matrix chosen;
  if (!map.all_points) {
    chosen = choose(points, n, rng.split(kChoice));
    points = chosen;
  }
  map.axes = principal_axes(points, options.principal, rng.split(kAxes), threads);
  map.reference = map.axes.project(points, threads);
  const auto near =
      nearest_rows(map.reference, map.reference, options.neighbours, /*skip_self=*/true, threads);
  map.scale = scales_of(near, std::min(options.scale_neighbour, options.neighbours) - 1);
  const Walk walk = make_walk(near, map.scale);
  const Eigen::VectorXd root = walk.degree.cwiseSqrt();
  const auto pairs = leading_eigenvectors(walk.matrix, root / root.norm(), searched(options, n),
                                          rng.split(kWalk), threads);
  map.converged = pairs.converged;
  map.eigenvalues = pairs.values;
  // Variance one under the walk's stationary distribution, which is the degree.
  const RowMatrix leading =
      root.cwiseInverse().asDiagonal() * pairs.vectors * std::sqrt(walk.degree.sum());
  auto directions = two_valued_directions(leading, walk.degree, options.dimensions, threads);
  map.coordinates = measure::to_matrix(leading * directions.axes);
  map.bimodality = std::move(directions.bimodality);
  return map;
}

Matrix DiffusionMap::place(MatrixView points, int threads) const {
  constexpr std::size_t kNear = 10, kScale = 7;
  const Matrix projected = axes.project(points, threads);
  const std::size_t count = std::min(kNear, reference.rows());
  const auto near = nearest_rows(projected, reference, count, /*skip_self=*/false, threads);
  const auto own = scales_of(near, std::min(kScale, count) - 1);
  Matrix placed(points.rows(), coordinates.cols());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    double total = 0.0;
    std::vector<double> weight(count);
    for (std::size_t c = 0; c < count; ++c) {
      const std::size_t j = near.row[i * count + c];
      weight[c] = affinity(near.distance[i * count + c], own[i], scale[j]);
      total += weight[c];
    }
    // Far from everything: the nearest point decides.
    if (!(total > 0.0)) weight[0] = total = 1.0;
    for (std::size_t c = 0; c < count; ++c) {
      const auto from = coordinates.row(near.row[i * count + c]);
      for (std::size_t q = 0; q < placed.cols(); ++q) {
        placed(i, q) += weight[c] / total * from[q];
      }
    }
  }
  return placed;
}

}  // namespace nw::cluster
