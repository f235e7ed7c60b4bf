// Many transport problems at once.
#pragma once

#include <span>
#include <vector>

#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Solves each problem exactly, as solve_exact() would, with the problems spread over
/// `options.threads`. Small problems (up to 768 points a side where all masses are equal) go to
/// dense methods without the fixed costs of the large one: 64 x 64 take ten microseconds. The
/// answers are the same for every number of threads. The observer, when there is one, is called now
/// and then by one of the threads at a time; once it returns false, the remaining problems come
/// back `interrupted` and empty. `options.warm_start` must be null.
[[nodiscard]] std::vector<TransportResult> solve_many(std::span<const PointProblem> problems,
                                                      const ExactOptions& options = {});
[[nodiscard]] std::vector<TransportResult> solve_many(std::span<const MatrixProblem> problems,
                                                      const ExactOptions& options = {});

}  // namespace nw::ot
