#include "ot/point_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nw::ot {

PointCloud coarsen(const PointCloud& fine, std::size_t cell) {
  const std::size_t cells = (fine.size() + cell - 1) / cell;
  PointCloud coarse{.dim = fine.dim,
                    .points = std::vector<double>(cells * fine.dim, 0.0),
                    .mass = std::vector<std::int64_t>(cells, 0)};
  for (std::size_t c = 0; c < cells; ++c) {
    const std::size_t begin = c * cell, end = std::min(fine.size(), begin + cell);
    for (std::size_t i = begin; i < end; ++i) coarse.mass[c] += fine.mass[i];
    const double total = static_cast<double>(coarse.mass[c]);
    for (std::size_t i = begin; i < end; ++i) {
      const double share = static_cast<double>(fine.mass[i]) / total;
      for (std::size_t k = 0; k < fine.dim; ++k) {
        coarse.points[c * fine.dim + k] += share * fine.row(i)[k];
      }
    }
  }
  return coarse;
}

template <typename Real>
BlockLayout<Real>::BlockLayout(const PointCloud& cloud)
    : dim(cloud.dim),
      size(cloud.size()),
      blocks((cloud.size() + kBlockSize - 1) / kBlockSize),
      lanes(blocks * kBlockSize * dim, Real(0)),
      box_low(blocks * dim, std::numeric_limits<Real>::max()),
      box_high(blocks * dim, std::numeric_limits<Real>::lowest()),
      radius(blocks, Real(0)),
      centre(blocks * dim, Real(0)),
      reach(blocks, Real(0)) {
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t b = i / kBlockSize;
    double norm = 0.0;
    for (std::size_t k = 0; k < dim; ++k) {
      const double value = cloud.row(i)[k];
      const Real rounded = static_cast<Real>(value);
      norm += value * value;
      lanes[(b * dim + k) * kBlockSize + i % kBlockSize] = rounded;
      box_low[k * blocks + b] = std::min(box_low[k * blocks + b], rounded);
      box_high[k * blocks + b] = std::max(box_high[k * blocks + b], rounded);
    }
    radius[b] = std::max(radius[b], static_cast<Real>(std::sqrt(norm)));
  }
  for (std::size_t k = 0; k < dim * blocks; ++k) {
    centre[k] = Real(0.5) * (box_low[k] + box_high[k]);
  }
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t b = i / kBlockSize;
    double square = 0.0;
    for (std::size_t k = 0; k < dim; ++k) {
      const double difference = cloud.row(i)[k] - static_cast<double>(centre[k * blocks + b]);
      square += difference * difference;
    }
    reach[b] = std::max(reach[b], static_cast<Real>(1.000001 * std::sqrt(square)));  // rounded up
  }
}

template struct BlockLayout<float>;
template struct BlockLayout<double>;

}  // namespace nw::ot
