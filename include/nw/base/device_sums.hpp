// Sums over a team of numbers that lie in the memory of GPUs.
#pragma once

#include <cstddef>

namespace nw {

/// What a Team may be besides.
class DeviceSums {
 public:
  virtual ~DeviceSums() = default;
  /// Every element of `values`, which lie on GPU number `device`, becomes its sum over the
  /// processes, ordered with the work of that GPU's current stream. False, and nothing is done,
  /// where this team cannot: then it cannot in any process.
  [[nodiscard]] virtual bool sum_on_device(float* values, std::size_t count, int device) = 0;
};

}  // namespace nw
