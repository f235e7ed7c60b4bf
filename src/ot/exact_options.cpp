#include "nw/base/parallel.hpp"
#include "nw/ot/exact.hpp"

namespace nw::ot {

void ExactOptions::validate() const {
  require(tolerance >= 1e-15 && tolerance <= 1e-3,
          "ExactOptions.tolerance must lie in [1e-15, 1e-3], got ", tolerance);
  require(gap >= 0.0 && gap < 1.0, "ExactOptions.gap must lie in [0, 1), got ", gap);
  require(max_pivots >= 0, "ExactOptions.max_pivots must be >= 0, got ", max_pivots);
  (void)resolve_threads(threads);
}

}  // namespace nw::ot
