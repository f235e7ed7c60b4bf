// Private: the steps of a diffusion map, for maps that share some of them.
#pragma once

#include <cstdint>
#include <span>

#include "nw/cluster/diffusion_map.hpp"

#include "cluster/nearest_rows.hpp"

namespace nw::cluster {

/// Points of a graph and their neighbours, before anything walks on it.
struct Surroundings {
  DiffusionMap map;  ///< without scales, coordinates and what is known of them
  NearestRows near;  ///< of each point of the reference
};

/// `neighbours` of each, fewer where there are fewer points.
[[nodiscard]] Surroundings surroundings(MatrixView points, const DiffusionOptions& options,
                                        std::size_t neighbours, const Rng& rng);

/// Leading coordinates that the map's own are sought among, of a graph of so many points: no fewer
/// than options.dimensions, and as many where nothing is spare.
[[nodiscard]] std::size_t searched_coordinates(const DiffusionOptions& options, std::size_t points);

/// The map of a walk between options.neighbours of each point, which are among those known.
[[nodiscard]] DiffusionMap walk_map(const Surroundings& around, const DiffusionOptions& options,
                                    const Rng& rng);

/// A map in which every cluster 0 ... k - 1, none of them empty, lies at one place, and a point
/// between those of the clusters that its neighbours are in: k - 1 coordinates of mean 0 and
/// variance one under the walk, those first between which it goes least. Eigenvalues are those of
/// the walk between clusters.
[[nodiscard]] DiffusionMap map_of_clusters(const Surroundings& around,
                                           const DiffusionOptions& options,
                                           std::span<const std::uint32_t> cluster, std::size_t k);

}  // namespace nw::cluster
