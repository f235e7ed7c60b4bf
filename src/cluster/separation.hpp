// Private: how well clusters lie apart, by the points' neighbours alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/cluster/evidence.hpp"

#include "cluster/nearest_rows.hpp"

namespace nw::cluster {

/// Neighbours of every point and what the distances say about the density there.
struct Neighbourhood {
  NearestRows near;                 ///< without the points themselves
  std::vector<double> log_density;  ///< [n], up to a constant
};

/// `count` neighbours each, fewer where there are fewer points.
[[nodiscard]] Neighbourhood neighbourhood(MatrixView rows, std::size_t count, int threads);

/// By neighbours that are known already, of rows of so many columns.
[[nodiscard]] Neighbourhood neighbourhood(NearestRows near, std::size_t columns);

/// Of clusters 0 ... k - 1, none of them empty; k is at least 2.
[[nodiscard]] Separation separation(const Neighbourhood& around,
                                    std::span<const std::uint32_t> cluster, std::size_t k);

}  // namespace nw::cluster
