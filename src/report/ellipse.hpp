// Private: outlines of components.
#pragma once

#include "nw/report/svg_chart.hpp"

namespace nw::report {

/// A centre and a covariance on two axes.
struct Ellipse {
  double centre_x = 0.0, centre_y = 0.0;
  double xx = 0.0, xy = 0.0, yy = 0.0;
};

/// Appends the outline of the points at `deviations` from the centre, and lifts the pen after it:
/// centre + deviations * L u with L the Cholesky factor of the covariance and u on the unit circle.
void append_ellipse(const Ellipse& ellipse, double deviations, ChartSeries& out);

}  // namespace nw::report
