// Private: columns of tables in the configuration of a run.
#pragma once

#include "nw/app/learning/run_folder.hpp"

#include "io/json_value.hpp"

namespace nw::app {

/// Adds how columns became coordinates to what decides the numbers of a run.
void add_columns(const RunFolder& folder, Json& config);

}  // namespace nw::app
