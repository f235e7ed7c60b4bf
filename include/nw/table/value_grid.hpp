// The grid on which the values of a column lie, counted from its least value.
//
// People write numbers with a few decimals. Counted in steps of that grid they are whole numbers,
// the same ones in any unit: 4.3, 4.5 and 5.0 are 0, 2 and 7, and so are 4300, 4500 and 5000 or
// 1000004.3, 1000004.5 and 1000005.0, although rounding to binary fractions tells them apart.
#pragma once

#include <span>

namespace nw::table {

struct ValueGrid {
  double origin = 0.0;
  double step = 0.0;  ///< 0: the values lie on no grid, and stay as they are

  /// Steps from the origin: whole where the value is on the grid up to rounding.
  [[nodiscard]] double steps(double value) const;
  [[nodiscard]] double value(double steps) const {
    return step > 0.0 ? origin + step * steps : steps;
  }
  /// A difference of values for a difference of steps.
  [[nodiscard]] double length(double steps) const { return step > 0.0 ? step * steps : steps; }

  bool operator==(const ValueGrid&) const = default;
};

/// The coarsest decimal grid on which nearly all of the values lie, which may be in two parts; NaN
/// is no value. No grid where doubles of this size could not tell its points apart.
[[nodiscard]] ValueGrid find_grid(std::span<const double> first, std::span<const double> second);

}  // namespace nw::table
