// Components of a mixture that start as the Gaussians of a clustering, instead of at random.
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/nn/mixture_generator.hpp"

namespace nw::gan {

/// Directions of the largest variance.
struct PrincipalComponents {
  torch::Tensor mean;        ///< [d]
  torch::Tensor directions;  ///< [d, count], orthonormal
  torch::Tensor deviation;   ///< [count], falling

  /// Coordinates of rows: [n, d] -> [n, count].
  [[nodiscard]] torch::Tensor project(const torch::Tensor& rows) const;
};

/// By subspace iteration (Halko, Martinsson and Tropp 2011, algorithm 4.4), which needs no d x d
/// matrix. `count` is positive and at most n and d.
[[nodiscard]] PrincipalComponents principal_components(const torch::Tensor& rows,
                                                       std::int64_t count, const Rng& rng);

/// Rows with the cluster of each. Both must outlive it.
struct ClusteredRows {
  const torch::Tensor& rows;
  const std::vector<std::uint32_t>& cluster_of;
};

struct ComponentStartOptions {
  std::int64_t steps = 300;  ///< of Adam. Positive.
  std::int64_t batch = 64;   ///< latents of each component in a step. Positive.
  double rate = 1e-3;        ///< positive

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// Teaches G_j to map z to m_j + A_j z, where m_j is the mean of the rows of cluster j and the
/// columns of A_j are its largest principal components, each as long as its deviation: the affine
/// component that describes the cluster best. Returns the mean squared error at the end. Clusters
/// of fewer rows than two throw InvalidArgument.
double start_at_clusters(nn::MixtureGenerator& generator, const ClusteredRows& clusters,
                         const ComponentStartOptions& options, const Rng& rng);

}  // namespace nw::gan
