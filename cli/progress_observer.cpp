#include "cli/progress_observer.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/interrupt.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {

ProgressObserver training_observer(bool visible) {
  // Functions are copied; the line is one.
  auto line = std::make_shared<std::optional<TrainingProgress>>();
  return [line, visible](const nw::Progress& at) {
    if (!*line) line->emplace(at.stage, visible, std::max<std::int64_t>(0, at.step - 1));
    if ((*line)->due()) {
      (*line)->update({.step = at.step, .total = at.steps, .losses = at.values, .pi = at.pi});
    }
    return !InterruptScope::requested();
  };
}

}  // namespace nw::cli
