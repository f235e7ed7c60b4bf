// Some rows of a matrix.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "nw/base/matrix_view.hpp"

namespace nw {

/// The rows of `all` at `places`, in the order of these.
[[nodiscard]] inline Matrix rows_at(const MatrixView& all, std::span<const std::size_t> places) {
  Matrix some(places.size(), all.cols());
  for (std::size_t i = 0; i < places.size(); ++i) {
    std::ranges::copy(all.row(places[i]), some.row(i).begin());
  }
  return some;
}

}  // namespace nw
