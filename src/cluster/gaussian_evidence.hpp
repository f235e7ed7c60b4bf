// Private: whether points are a mixture of Gaussians.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::cluster {

/// Whether a mixture tells rows it has not seen better than a kernel estimate does.
struct HeldOutGain {
  double median = 0.0;          ///< over rows, of the log density of the first over the second
  double standard_error = 0.0;  ///< of `median`

  /// The mixture is worse by less than its standard error.
  [[nodiscard]] bool is_mixture() const { return median >= -standard_error; }
};

struct HeldOutTask {
  MatrixView rows;
  std::size_t components = 1;
  const std::vector<std::uint32_t>* start = nullptr;  ///< [n] clusters that EM may begin from
  double ridge = 0.0;
  int threads = 0;
};

[[nodiscard]] HeldOutGain gaussian_evidence(const HeldOutTask& task, const Rng& rng);

/// How well a mixture knows its members: fitted to two thirds of the rows, from the members that
/// the mixture of all has there, it is asked whose members the others are. Mean over the thirds of
/// the ARI with those that `task.start` tells: far below one where components have more numbers
/// than their rows can tell.
[[nodiscard]] double gaussian_stability(const HeldOutTask& task, measure::Shape shape,
                                        const Rng& rng);

}  // namespace nw::cluster
