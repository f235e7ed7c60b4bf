// Optimal transport on the line, in closed form.
#pragma once

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Solves W1 or W2 squared between weighted points of one dimension: the monotone coupling with
/// both potentials. Time O((n + m) log(n + m)), memory O(n + m). The gap is rounding only; the plan
/// has the marginals to about 1e-16 for every point. Throws InvalidArgument as
/// PointProblem::validate() does, and for points of more than one coordinate.
[[nodiscard]] TransportResult solve_one_dimensional(const PointProblem& problem);

}  // namespace nw::ot
