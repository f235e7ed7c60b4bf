// What a pass over all pairs leaves behind for the next one.
//
// A pass in many dimensions looks at nearly every pair, since boxes rule out nothing. Potentials
// move little from one round to the next, though: if the smallest reduced cost between two blocks
// of points was r, and potentials of the one have risen by at most s since then and those of the
// other by at most t, it is at least r - s - t now. Where that is above the limit nothing has to be
// computed.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace nw::ot {

class PassBounds {
 public:
  /// Brings the bounds to potentials f of the sources and g of the targets, which differ from those
  /// of the last call. False, and no bounds, where they would need much memory.
  [[nodiscard]] bool follow(std::span<const double> f, std::span<const double> g);

  /// Lower bounds of the reduced costs between the sources of block `block` and the targets of each
  /// block, to be renewed by those who look. REQUIRES: follow() said yes.
  [[nodiscard]] std::span<float> row(std::size_t block) {
    return std::span(lowest_).subspan(block * columns_, columns_);
  }

 private:
  std::size_t columns_ = 0;
  std::vector<float> lowest_;  ///< [source blocks, target blocks]
  std::vector<double> f_, g_;
};

}  // namespace nw::ot
