// Values that can be squared: what moments and squared distances ask of data.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>

#include "nw/base/matrix_view.hpp"

namespace nw {

/// Squares of values up to here can be added up over any table without overflow.
inline constexpr double kLargestSquarable = 1e150;

struct TablePlace {
  std::size_t row = 0, column = 0;
};

/// The first value beyond, or none. What is not finite lies beyond too.
[[nodiscard]] inline std::optional<TablePlace> first_unsquarable(MatrixView table) {
  for (std::size_t i = 0; i < table.rows(); ++i) {
    for (std::size_t j = 0; j < table.cols(); ++j) {
      if (!(std::abs(table(i, j)) <= kLargestSquarable)) return TablePlace{i, j};
    }
  }
  return std::nullopt;
}

}  // namespace nw
