// Private: what of a recipe can be replaced, and how options are written into a run.
#pragma once

#include <string>
#include <vector>

#include "nw/adapt/adapt_options.hpp"

#include "io/json_value.hpp"

namespace nw::app {

/// Replaces values of the recipe by "name=value" texts. Throws InvalidArgument naming the known
/// names.
void apply_settings(const std::vector<std::string>& settings, adapt::AdaptOptions& options);

/// Everything of the options that decides a run's numbers.
[[nodiscard]] Json options_json(const adapt::AdaptOptions& options);

}  // namespace nw::app
