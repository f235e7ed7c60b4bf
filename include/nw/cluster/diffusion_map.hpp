// Features by which points that a chain of near neighbours connects lie close together: coordinates
// of a random walk on the graph of nearest neighbours.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/cluster/oriented_edges.hpp"
#include "nw/cluster/principal_axes.hpp"

namespace nw::cluster {

struct DiffusionOptions {
  /// Coordinates: k - 1 tell k clusters apart. Positive.
  std::size_t dimensions = 2;
  /// Leading coordinates of the walk beyond `dimensions`. The map's coordinates are then the
  /// directions of all these along which points come nearest to two values, because beside a large
  /// cluster the leading ones run along that cluster before they reach a small one. 0: the leading
  /// coordinates themselves. At most 16 are searched in all, and one per `points_each` points.
  std::size_t spare = 6;
  /// Directions of more coordinates would single out a few points. Positive.
  std::size_t points_each = 300;
  /// Neighbours that a point is tied to. Positive.
  std::size_t neighbours = 10;
  /// The neighbour whose distance is a point's own scale (Zelnik-Manor and Perona 2004 use 7).
  /// Positive; at most `neighbours` counts.
  std::size_t scale_neighbour = 7;
  /// Neighbours are sought among the leading principal components: at most this many. Positive.
  std::size_t principal = 50;
  /// Points that the graph is made of; of more, a random choice stands for all. At least 10.
  std::size_t max_points = 20000;
  /// Where rows are images, neighbours are sought by their oriented edges instead of their pixels.
  /// Images of a side below kSmallestWithEdges are rows like others.
  ImageGrid image = {};
  /// 0: every core. The result does not depend on it.
  int threads = 0;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// A map from points to features, and what it was learnt from.
struct DiffusionMap {
  PrincipalAxes axes;               ///< the space in which neighbours are sought
  Matrix reference;                 ///< [n, m] the points of the graph
  std::vector<double> scale;        ///< [n] of each of them
  Matrix coordinates;               ///< [n, q] of each of them: mean 0, variance 1
  std::vector<double> eigenvalues;  ///< of the walk, descending, spare ones too; 1: a part apart
  std::vector<double> bimodality;   ///< [q] 1: the coordinate has two values; 2/3: a cosine
  bool all_points = true;           ///< the graph has every point, in their order
  bool converged = true;
  ImageGrid image = {};  ///< rows are images, and neighbours are sought by their edges
  /// Of diffusion_map_for_clusters: mean ARI of the clusters that it was chosen for with those that
  /// communities of two graphs at three resolutions are. Low: points say little about clusters.
  std::optional<double> agreement = {};
  /// Of diffusion_map_for_clusters: Separation::valley of these clusters. Negative: around one of
  /// them points lie more densely than inside.
  std::optional<double> valley = {};

  /// Length of the rows that it maps.
  [[nodiscard]] std::size_t dimension() const noexcept;
  /// Features of any points: the mean over near ones of the graph (Nystroem's extension, Bengio et
  /// al. 2004). Throws InvalidArgument for rows of another length.
  [[nodiscard]] Matrix place(MatrixView points, int threads = 0) const;

 private:
  [[nodiscard]] Matrix place_block(MatrixView projected, int threads) const;
};

/// Learns a map from the rows of `points`, of which there are more than `neighbours`.
[[nodiscard]] DiffusionMap diffusion_map(MatrixView points, const DiffusionOptions& options,
                                         const Rng& rng);

/// The map for k clusters, options.dimensions being k - 1. Two kinds compete, and the one wins
/// whose clusters lie best apart (Separation::apart). Coordinates of a walk with k-means there: one
/// map; where there are too few points for all spare coordinates, nothing says beforehand how many
/// of them help, nor how far neighbours reach: then maps of 0, 2, 4 and 6 of them and of half, as
/// many and twice as many neighbours. And communities of the graph of as many and of twice as many
/// neighbours, at three resolutions, joined until k are left; then a point's coordinates say which
/// of them its neighbours are in.
[[nodiscard]] DiffusionMap diffusion_map_for_clusters(MatrixView points,
                                                      const DiffusionOptions& options,
                                                      const Rng& rng);

/// Mean ARI of several ways to find clusters from which on they agree. Below it lay 8 of 9 wrong
/// clusterings of digits and 5 of 74 right ones (docs/measurements/cluster_measured.md).
inline constexpr double kSureAgreement = 0.9;

/// Valley around clusters below which nothing shows that they are any. Of digits to choose by, all
/// right clusterings that ways to find them agree about lie above it, and wrong ones below.
inline constexpr double kSureValley = -0.05;

/// The largest number of clusters up to `most` that communities of two graphs at three resolutions
/// agree about, cluster by cluster, or the one they agree most about where none is sure; nothing
/// where the points are too few for communities. Long chains of points fall into pieces that all of
/// them agree about, so this is for images and other clouds. options.dimensions means nothing here.
[[nodiscard]] std::optional<std::size_t> agreed_clusters(MatrixView points,
                                                         const DiffusionOptions& options,
                                                         std::size_t most, const Rng& rng);

}  // namespace nw::cluster
