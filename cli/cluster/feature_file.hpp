// Diffusion maps on the disk, beside the run that uses them.
#pragma once

#include <filesystem>
#include <optional>

#include "nw/cluster/diffusion_map.hpp"

namespace nw::cli {

/// RUN/features.safetensors.
[[nodiscard]] std::filesystem::path feature_file(const std::filesystem::path& run);

void write_features(const std::filesystem::path& file, const cluster::DiffusionMap& map);

/// Throws IoError for a file that holds no map.
[[nodiscard]] cluster::DiffusionMap read_features(const std::filesystem::path& file);

}  // namespace nw::cli
