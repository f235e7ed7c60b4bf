// What of a recipe can be replaced, and how options are written into a run.
#pragma once

#include <string>
#include <vector>

#include "nw/adapt/adapt_options.hpp"

#include "io/json_value.hpp"

namespace nw::app {

/// Replaces values of the recipe by "name=value" texts. Throws InvalidArgument naming the known
/// names.
void apply_settings(const std::vector<std::string>& settings, adapt::AdaptOptions& options);

/// The names that apply_settings knows, separated by commas.
[[nodiscard]] std::string setting_names();

/// Everything of the options that decides a run's numbers.
[[nodiscard]] Json options_json(const adapt::AdaptOptions& options);

}  // namespace nw::app
