// Private: the mix of given groups of rows that lies nearest to another sample.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"

#include "measure/dense.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

struct ClassedRows {
  RowMatrix points;                     ///< rows of X first, then those of Y
  std::vector<std::uint32_t> class_of;  ///< of the rows of X
  std::size_t classes = 0;

  [[nodiscard]] std::size_t in_x() const noexcept { return class_of.size(); }
};

struct NearestMix {
  Eigen::VectorXd share;      ///< of the classes: their mix with the smallest energy distance to Y
  Eigen::VectorXd deviation;  ///< of each share, from resampled data; 1 for a class without rows
};

/// Resampled data draw both samples from the rows of X, every class as often as it is there and Y
/// in the shares found; the shares are fitted again.
[[nodiscard]] NearestMix nearest_mix(const ClassedRows& rows, int resamplings, int threads,
                                     const Rng& rng, const StopCheck& stop = {});

}  // namespace nw::measure
