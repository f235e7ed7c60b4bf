#include "report/ellipse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace nw::report {

void append_ellipse(const Ellipse& ellipse, double deviations, ChartSeries& out) {
  const double l00 = std::sqrt(std::max(ellipse.xx, 0.0));
  const double l10 = l00 > 0.0 ? ellipse.xy / l00 : 0.0;
  const double l11 = std::sqrt(std::max(ellipse.yy - l10 * l10, 0.0));
  constexpr int kSteps = 48;
  for (int i = 0; i <= kSteps; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kSteps;
    const double u = deviations * std::cos(angle), v = deviations * std::sin(angle);
    out.x.push_back(ellipse.centre_x + l00 * u);
    out.y.push_back(ellipse.centre_y + l10 * u + l11 * v);
  }
  out.x.push_back(std::numeric_limits<double>::quiet_NaN());
  out.y.push_back(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace nw::report
