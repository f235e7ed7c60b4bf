#include "cli/measure_options.hpp"

#include "nw/base/error.hpp"

#include "cli/interrupt.hpp"
#include "cli/option_kinds.hpp"

namespace nw::cli {

using measure::Shape;

void add_fit_options(CLI::App& command, measure::NwOptions& options) {
  add_choice<int>(command, "--p", options.order, {{"1", 1}, {"2", 2}},
                  "Order of the Wasserstein distance; 1 is the paper's");
  add_choice<Shape>(
      command, "--shape", options.shape,
      {{"full", Shape::full}, {"diagonal", Shape::diagonal}, {"spherical", Shape::spherical}},
      "Family of the components");
  const auto number = [&](const char* name, auto& value, const char* help) {
    command.add_option(name, value, help)->type_name("N")->capture_default_str();
  };
  number("--restarts", options.restarts, "Starting points of the fit");
  number("--max-points", options.max_points, "Rows of each data set in a transport problem");
  number("--max-dim", options.max_dim, "Work on at most this many principal axes");
}

std::size_t parse_components(const std::string& text) {
  if (text == "auto") return 0;
  std::size_t k = 0;
  require(CLI::detail::lexical_cast(text, k) && k > 0, "--k must be auto or at least 1, got ",
          text);
  return k;
}

measure::ProgressObserver observe(Progress& progress) {
  return [&progress](const measure::Progress& now) {
    progress.update(now.fraction, now.stage);
    return !InterruptScope::requested();
  };
}

}  // namespace nw::cli
