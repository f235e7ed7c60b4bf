// Clusters that were found, ready to be applied to new rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "nw/app/clustering/options.hpp"
#include "nw/base/matrix_view.hpp"

namespace nw::app {

/// The cluster of every row and how much it belongs to each of them.
struct ClusterAssignment {
  std::vector<std::uint32_t> cluster;  ///< [n], from 0, the largest cluster first
  Matrix membership;                   ///< [n, k]; every row sums to one

  /// [n]: membership in the cluster that was chosen.
  [[nodiscard]] std::vector<double> confidence() const;
};

struct AssignOptions {
  /// Of networks that make images; `automatic` is the model's own.
  ClusterRule rule = ClusterRule::automatic;
  int threads = 0;
  std::string device = "auto";  ///< of the method nw
};

class ClusterModel {
 public:
  virtual ~ClusterModel() = default;

  [[nodiscard]] virtual ClusterMethod method() const = 0;
  /// Length of the rows it takes.
  [[nodiscard]] virtual std::size_t dimension() const = 0;
  /// [k]: shares of the clusters in the data it was made from.
  [[nodiscard]] virtual const std::vector<double>& pi() const = 0;
  /// Throws InvalidArgument for rows of another length.
  [[nodiscard]] virtual ClusterAssignment assign(MatrixView rows,
                                                 const AssignOptions& options = {}) const = 0;
  /// A safetensors file in memory.
  [[nodiscard]] virtual std::string to_bytes() const = 0;
};

/// A model of any method but nw from its bytes. Throws
/// IoError that starts with `source`; the method nw has a reader of its own,
/// any_cluster_model_from_bytes (nw/app/clustering/adversarial/cluster_points.hpp).
[[nodiscard]] std::shared_ptr<const ClusterModel> cluster_model_from_bytes(
    const std::string& bytes, const std::string& source = "model");

}  // namespace nw::app
