#include "cli/distance/watch_exact.hpp"

#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"

#include "cli/interrupt.hpp"

namespace nw::cli {

std::function<bool(const ot::ExactProgress&)> watch_exact(Progress& progress, double seconds) {
  return [&progress, seconds, clock = Stopwatch()](const ot::ExactProgress& now) {
    std::string text =
        concat("level ", now.level + 1, " of ", now.levels, ", ", now.pivots, " pivots");
    if (std::isfinite(now.gap)) text += concat(", gap ", significant(100.0 * now.gap, 2), " %");
    progress.update({}, text);
    const bool in_time = seconds <= 0.0 || clock.seconds() <= seconds;
    return in_time && !InterruptScope::requested();
  };
}

}  // namespace nw::cli
