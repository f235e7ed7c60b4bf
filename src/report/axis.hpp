// One axis of a chart: the range of the data, ticks at round values, and the way to pixels.
#pragma once

#include <string>
#include <vector>

#include "nw/report/svg_chart.hpp"

namespace nw::report {

struct Tick {
  double value = 0.0;
  std::string label;  ///< empty for a minor tick
};

class Axis {
 public:
  /// `low` and `high` are the smallest and largest value to show; both positive if logarithmic.
  Axis(Scale scale, double low, double high);

  /// Where `value` lies between the ends: 0 at the low one, 1 at the high one.
  [[nodiscard]] double position(double value) const;
  [[nodiscard]] bool can_show(double value) const;
  [[nodiscard]] std::vector<Tick> ticks(int about) const;

  [[nodiscard]] double low() const { return low_; }
  [[nodiscard]] double high() const { return high_; }

 private:
  Scale scale_;
  double low_, high_;
};

/// Values 1, 2 or 5 times a power of ten that cover [low, high] with about `about` steps.
[[nodiscard]] std::vector<double> round_values(double low, double high, int about);

}  // namespace nw::report
