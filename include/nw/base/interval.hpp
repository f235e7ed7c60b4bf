// A closed interval, as every result reports one.
#pragma once

namespace nw {

/// Its level is a setting of the run.
struct Interval {
  double low = 0.0, high = 0.0;
  bool operator==(const Interval&) const = default;
};

}  // namespace nw
