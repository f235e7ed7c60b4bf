// Private: the graph of nearest neighbours and the walk on it.
#pragma once

#include <vector>

#include "cluster/leading_eigenvectors.hpp"
#include "cluster/nearest_rows.hpp"

namespace nw::cluster {

/// exp(-squared / (scale other)), 1 for a distance of zero.
[[nodiscard]] double affinity(double squared, double scale, double other);

/// Each point's own scale: the distance to its neighbour number `place`, from 0. Duplicates have
/// none: they get a thousandth of the mean.
[[nodiscard]] std::vector<double> scales_of(const NearestRows& near, std::size_t place);

/// The nearest few of each; `count` is at most near.count.
[[nodiscard]] NearestRows nearest_of(const NearestRows& near, std::size_t count);

/// Weights w_ij = w_ji = affinity wherever one of the two is a neighbour of the other; columns of a
/// row ascend, and none is the row itself.
[[nodiscard]] SparseSymmetric neighbour_graph(const NearestRows& near,
                                              const std::vector<double>& scale);

/// Sums of the rows of a graph, at least 1e-12: a point whose ties have all vanished by underflow
/// stays where it is.
[[nodiscard]] Eigen::VectorXd degrees(const SparseSymmetric& graph);

/// The graph divided by the roots of the degrees on both sides.
[[nodiscard]] SparseSymmetric walk_of(SparseSymmetric graph, const Eigen::VectorXd& degree);

}  // namespace nw::cluster
