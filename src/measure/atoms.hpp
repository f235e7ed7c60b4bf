// Private: atoms from base points that are computed once.
#pragma once

#include "nw/measure/mixture.hpp"

namespace nw::measure {

/// Atoms of a valid mixture, whose affine components map the rows of `base`: [s, dim].
[[nodiscard]] Atoms map_atoms(const Mixture& mixture, const Matrix& base);

}  // namespace nw::measure
