// Private: mixtures of Gaussians of every size, from many components down to one.
#pragma once

#include <cstdint>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/mixture.hpp"

namespace nw::cluster {

/// A mixture of some number of components.
struct Rung {
  measure::Mixture mixture;
  std::vector<double> pi;
  double log_likelihood = 0.0;  ///< mean over rows

  [[nodiscard]] std::size_t components() const { return pi.size(); }
};

struct LadderTask {
  MatrixView rows;
  measure::Shape shape = measure::Shape::full;
  std::size_t most = 1;  ///< components to begin with, at most the rows
  double ridge = 0.0;
};

/// The largest mixture first, a single Gaussian last; above 25 components some sizes are left out.
[[nodiscard]] std::vector<Rung> mixture_ladder(const LadderTask& task, const Rng& rng);

/// Numbers that a component of this shape has, its share included.
[[nodiscard]] double numbers_of_component(measure::Shape shape, std::size_t columns);

}  // namespace nw::cluster
