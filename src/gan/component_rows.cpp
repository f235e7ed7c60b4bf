#include "nw/gan/component_rows.hpp"

#include <vector>

#include "nw/base/error.hpp"

namespace nw::gan {

torch::Tensor component_rows(const nn::MixtureGenerator& generator, std::int64_t j,
                             std::int64_t count, const Rng& rng) {
  require(j >= 0 && j < generator.components(), "component_rows: component ", j, " of ",
          generator.components());
  std::vector<double> alone(static_cast<std::size_t>(generator.components()), 0.0);
  alone[static_cast<std::size_t>(j)] = 1.0;
  return nn::draw_mixture(generator, alone, count, rng).rows;
}

}  // namespace nw::gan
