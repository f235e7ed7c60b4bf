// Private: noise that fills the whole region evenly.
#pragma once

#include <optional>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::cluster {

struct EvenNoise {
  double expected = 0.0;    ///< rows that noise has in the box around all rows
  std::vector<bool> noise;  ///< [n]: the row's neighbourhood is no denser than noise
};

/// Even noise among the rows, where there is some: between clusters it leaves no empty places, and
/// cells there hold numbers of rows as a Poisson process of one rate does. Of at most three
/// columns; none else, and none where no such rate is seen.
[[nodiscard]] std::optional<EvenNoise> even_noise(MatrixView rows, int threads);

}  // namespace nw::cluster
