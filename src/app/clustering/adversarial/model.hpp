// The model of clusters that are components of a mixture GAN.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "nw/app/clustering/model.hpp"
#include "nw/cluster/diffusion_map.hpp"

#include "app/clustering/adversarial/training.hpp"

namespace nw::app {

/// The model of what was trained, as the bytes that ClusterModel::to_bytes gives.
[[nodiscard]] std::string adversarial_model_bytes(const ClusterTask& task,
                                                  const ClusterOutcome& outcome,
                                                  const std::optional<cluster::DiffusionMap>& map);

/// Throws IoError that starts with `source`.
[[nodiscard]] std::shared_ptr<const ClusterModel> adversarial_model(const std::string& bytes,
                                                                    const std::string& source);

}  // namespace nw::app
