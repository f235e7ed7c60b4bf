#include "cli/progress_observer.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "cli/interrupt.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {
namespace {

/// The line of the stage that is under way.
struct StageLine {
  std::string stage;
  std::optional<Progress> bar;               // of a stage without steps
  std::optional<TrainingProgress> training;  // of one that trains

  void show(const nw::Progress& at, bool visible) {
    if (at.stage != stage || (!bar && !training)) begin(at, visible);
    if (bar) {
      bar->update(at.share);
    } else if (training->due()) {
      training->update({.step = at.step, .total = at.steps, .losses = at.values, .pi = at.pi});
    }
  }

 private:
  void begin(const nw::Progress& at, bool visible) {
    bar.reset();
    training.reset();
    stage = at.stage;
    if (at.steps > 0) {
      training.emplace(stage, visible, std::max<std::int64_t>(0, at.step - 1));
    } else {
      bar.emplace(stage, visible);
    }
  }
};

}  // namespace

ProgressObserver training_observer(bool visible) {
  // Functions are copied; the line is one.
  return [line = std::make_shared<StageLine>(), visible](const nw::Progress& at) {
    line->show(at, visible);
    return !InterruptScope::requested();
  };
}

}  // namespace nw::cli
