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

#include "cluster/neighbour_graph.hpp"
#include "cluster/two_valued_directions.hpp"
#include "cluster/walk_map.hpp"
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

Surroundings surroundings(MatrixView points, const DiffusionOptions& options,
                          std::size_t neighbours, const Rng& rng) {
  options.validate();
  const std::size_t n = std::min(points.rows(), options.max_points);
  require(n > options.neighbours && n > options.dimensions + 1, "diffusion_map: ", n,
          " points are too few for ", options.neighbours, " neighbours and ", options.dimensions,
          " coordinates");
  require(!options.image || points.cols() == options.image.values(), "diffusion_map: rows of ",
          points.cols(), " values are no images of ", options.image.height, " x ",
          options.image.width, " x ", options.image.channels);
  const int threads = resolve_threads(options.threads);
  Surroundings around;
  DiffusionMap& map = around.map;
  map.all_points = n == points.rows();
  Matrix chosen;
  if (!map.all_points) {
    chosen = choose(points, n, rng.split(kChoice));
    points = chosen;
  }
  Matrix edges;
  if (std::min(options.image.height, options.image.width) >= kSmallestWithEdges) {
    map.image = options.image;
    edges = oriented_edges(points, map.image, threads);
    points = edges;
  }
  map.axes = principal_axes(points, options.principal, rng.split(kAxes), threads);
  map.reference = map.axes.project(points, threads);
  around.near = nearest_rows(map.reference, map.reference, std::min(neighbours, n - 1),
                             /*skip_self=*/true, threads);
  return around;
}

std::size_t searched_coordinates(const DiffusionOptions& options, std::size_t points) {
  // The search costs their fourth power, and directions of too many would single out a few points.
  constexpr std::size_t kMost = 16;
  const std::size_t most = std::min(kMost, points / options.points_each);
  return std::max(options.dimensions, std::min(options.dimensions + options.spare, most));
}

DiffusionMap walk_map(const Surroundings& around, const DiffusionOptions& options, const Rng& rng) {
  const int threads = resolve_threads(options.threads);
  DiffusionMap map = around.map;
  const std::size_t n = map.reference.rows();
  const auto near = nearest_of(around.near, options.neighbours);
  map.scale = scales_of(near, std::min(options.scale_neighbour, options.neighbours) - 1);
  SparseSymmetric graph = neighbour_graph(near, map.scale);
  const Eigen::VectorXd degree = degrees(graph);
  const SparseSymmetric walk = walk_of(std::move(graph), degree);
  const Eigen::VectorXd root = degree.cwiseSqrt();
  const auto pairs = leading_eigenvectors(
      walk, root / root.norm(), searched_coordinates(options, n), rng.split(kWalk), threads);
  map.converged = pairs.converged;
  map.eigenvalues = pairs.values;
  // Variance one under the walk's stationary distribution, which is the degree.
  const RowMatrix leading =
      root.cwiseInverse().asDiagonal() * pairs.vectors * std::sqrt(degree.sum());
  auto directions = two_valued_directions(leading, degree, options.dimensions, threads);
  map.coordinates = measure::to_matrix(leading * directions.axes);
  map.bimodality = std::move(directions.bimodality);
  return map;
}

DiffusionMap map_of_clusters(const Surroundings& around, const DiffusionOptions& options,
                             std::span<const std::uint32_t> cluster, std::size_t k) {
  DiffusionMap map = around.map;
  const auto near = nearest_of(around.near, options.neighbours);
  map.scale = scales_of(near, std::min(options.scale_neighbour, options.neighbours) - 1);
  const SparseSymmetric graph = neighbour_graph(near, map.scale);
  const auto n = static_cast<Eigen::Index>(graph.rows()), count = static_cast<Eigen::Index>(k);
  // Where one step of the walk leads, and the walk between whole clusters.
  RowMatrix step = RowMatrix::Zero(n, count);
  Eigen::MatrixXd between = Eigen::MatrixXd::Zero(count, count);
  for (std::size_t i = 0; i < graph.rows(); ++i) {
    auto row = step.row(static_cast<Eigen::Index>(i));
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      row[cluster[graph.column[e]]] += graph.value[e];
    }
    between.row(cluster[i]) += row;
    if (const double total = row.sum(); total > 0.0) {
      row /= total;
    } else {
      row[cluster[i]] = 1.0;
    }
  }
  const Eigen::VectorXd share = between.rowwise().sum() / between.sum();
  const Eigen::VectorXd inverse = share.cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
  // The roots of the shares belong to no difference. Parts that no tie joins have eigenvalue one
  // too: that vector goes below all others.
  const Eigen::VectorXd root = share.cwiseSqrt();
  const auto eigen =
      symmetric_eigen(inverse.asDiagonal() * (between / between.sum()) * inverse.asDiagonal() -
                      3.0 * root * root.transpose());
  // Eigenvalues ascend.
  const Eigen::MatrixXd places =
      inverse.asDiagonal() * eigen.vectors.rightCols(count - 1).rowwise().reverse();
  map.coordinates = measure::to_matrix(step * places);
  map.eigenvalues = measure::to_vector(eigen.values.tail(count - 1).reverse());
  map.bimodality.clear();
  for (Eigen::Index q = 0; q < count - 1; ++q) {
    // Coordinates of the places have variance one: (E[y^3]^2 + 1) / E[y^4].
    const Eigen::ArrayXd y = places.col(q).array();
    const double third = (share.array() * y.cube()).sum();
    map.bimodality.push_back((third * third + 1.0) / (share.array() * y.square().square()).sum());
  }
  return map;
}

DiffusionMap diffusion_map(MatrixView points, const DiffusionOptions& options, const Rng& rng) {
  return walk_map(surroundings(points, options, options.neighbours, rng), options, rng);
}

std::size_t DiffusionMap::dimension() const noexcept {
  return image ? image.values() : axes.mean.size();
}

Matrix DiffusionMap::place(MatrixView points, int threads) const {
  constexpr std::size_t kBlock = 4096;
  require(points.cols() == dimension(), "DiffusionMap: rows of ", points.cols(),
          " values, expected ", dimension());
  Matrix placed(points.rows(), coordinates.cols());
  // By blocks, because edges take several times the room of images.
  for (std::size_t first = 0; first < points.rows(); first += kBlock) {
    const std::size_t count = std::min(kBlock, points.rows() - first);
    const MatrixView some(points.values().subspan(first * points.cols(), count * points.cols()),
                          count, points.cols());
    const Matrix part =
        place_block(image ? axes.project(oriented_edges(some, image, threads), threads)
                          : axes.project(some, threads),
                    threads);
    std::ranges::copy(part.values(), placed.row(first).begin());
  }
  return placed;
}

Matrix DiffusionMap::place_block(MatrixView projected, int threads) const {
  constexpr std::size_t kNear = 10, kScale = 7;
  const std::size_t count = std::min(kNear, reference.rows());
  const auto near = nearest_rows(projected, reference, count, /*skip_self=*/false, threads);
  const auto own = scales_of(near, std::min(kScale, count) - 1);
  Matrix placed(projected.rows(), coordinates.cols());
  for (std::size_t i = 0; i < projected.rows(); ++i) {
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
