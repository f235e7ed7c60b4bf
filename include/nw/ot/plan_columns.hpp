// A plan as three columns, the form in which files and arrays hold it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Entry k carries mass[k] from source[k] to target[k].
struct PlanColumns {
  std::vector<std::int64_t> source, target;
  std::vector<double> mass;
};

[[nodiscard]] PlanColumns plan_columns(std::span<const Flow> plan);

}  // namespace nw::ot
