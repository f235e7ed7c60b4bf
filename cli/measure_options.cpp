#include "cli/measure_options.hpp"

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"

#include "cli/interrupt.hpp"

namespace nw::cli {

std::size_t parse_components(const std::string& text) {
  if (text == "auto") return 0;
  std::size_t k = 0;
  require(CLI::detail::lexical_cast(text, k) && k > 0, "--k must be auto or at least 1, got ",
          text);
  return k;
}

ProgressObserver observe(Progress& progress) {
  return [&progress](const nw::Progress& now) {
    progress.update(now.share, now.stage);
    return !InterruptScope::requested();
  };
}

}  // namespace nw::cli
