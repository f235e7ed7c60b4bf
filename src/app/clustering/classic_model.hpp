// The models of all methods but nw.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "nw/app/clustering/model.hpp"
#include "nw/cluster/diffusion_map.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::app {

/// Everything such a model consists of.
struct ClassicParts {
  ClusterMethod method = ClusterMethod::kmeans;
  std::vector<double> pi = {};
  Matrix centres = {};            ///< [k, q]: kmeans and equilibrium
  double alpha = 0.0;             ///< equilibrium: sharpness of memberships
  measure::Mixture mixture = {};  ///< gmm
  double ridge = 0.0;             ///< gmm: added to every variance
  Matrix reference = {};          ///< [m, q]: rows whose cluster is known; a row joins the nearest
  std::vector<std::uint32_t> reference_cluster = {};  ///< [m]
  std::optional<cluster::DiffusionMap> map = {};
};

[[nodiscard]] std::shared_ptr<const ClusterModel> make_classic_model(ClassicParts parts);

}  // namespace nw::app
