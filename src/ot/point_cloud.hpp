// A point cloud as the exact solver sees it: normalised, in spatial order, with integer masses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ot/block_kernels.hpp"

namespace nw::ot {

/// Points in spatial order. Coordinates are centred and of order one: see exact.cpp.
struct PointCloud {
  std::size_t dim = 0;
  std::vector<double> points;      ///< [n, dim]
  std::vector<std::int64_t> mass;  ///< [n], positive

  [[nodiscard]] std::size_t size() const noexcept { return mass.size(); }
  [[nodiscard]] const double* row(std::size_t i) const noexcept { return points.data() + i * dim; }
};

/// The cloud of centres of mass of each run of `cell` consecutive points.
[[nodiscard]] PointCloud coarsen(const PointCloud& fine, std::size_t cell);

/// The same points laid out for the search kernels: blocks of kBlockSize with bounding boxes.
template <typename Real>
struct BlockLayout {
  std::size_t dim = 0, size = 0, blocks = 0;
  std::vector<Real> lanes;              ///< [blocks][dim][kBlockSize]; the last block is padded
  std::vector<Real> box_low, box_high;  ///< [dim][blocks]
  std::vector<Real> radius;             ///< [blocks], largest norm of a point of the block
  std::vector<Real> centre;             ///< [dim][blocks], of the boxes
  std::vector<Real> reach;              ///< [blocks], largest distance of a point from the centre

  BlockLayout() = default;
  explicit BlockLayout(const PointCloud& cloud);
};

extern template struct BlockLayout<float>;
extern template struct BlockLayout<double>;

}  // namespace nw::ot
