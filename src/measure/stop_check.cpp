#include "measure/stop_check.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <string_view>
#include <thread>
#include <utility>

#include "nw/base/stopwatch.hpp"

namespace nw::measure {
namespace {

constexpr double kSecondsBetweenQuestions = 0.05;

/// The part of a comparison that a stage takes, by the time it needs on tables of some thousand
/// rows.
struct StagePart {
  std::string_view name;
  double begin, end;
};
constexpr std::array<StagePart, 5> kStages = {{{"tests", 0.0, 0.4},
                                               {"fit", 0.4, 0.75},
                                               {"members", 0.75, 0.8},
                                               {"components", 0.8, 0.95},
                                               {"intervals", 0.95, 1.0}}};

/// How much of all work is done with this share of a stage.
double share_of_all(std::string_view stage, double share) {
  const auto part = std::ranges::find(kStages, stage, &StagePart::name);
  if (part == kStages.end()) return share;
  return part->begin + std::clamp(share, 0.0, 1.0) * (part->end - part->begin);
}

}  // namespace

struct StopCheck::State {
  ProgressObserver observer;
  Team* team = nullptr;
  std::thread::id owner = std::this_thread::get_id();
  Progress now{.stage = "compare"};  // of the owner alone, as is the time
  Stopwatch since;
  std::atomic<bool> stopped{false};

  void ask() {
    const bool stop = observer && !observer(now);
    stopped = any_of(team, stop);
    since = Stopwatch();
  }
};

StopCheck::StopCheck(ProgressObserver observer, Team* team) {
  if (!observer && team == nullptr) return;
  state_ = std::make_shared<State>();
  state_->observer = std::move(observer);
  state_->team = team;
}

void StopCheck::stage(std::string name, double share) const {
  if (!state_) return;
  // Whoever asks for the same stage twice does not take back what is done.
  state_->now.share = std::max(state_->now.share, share_of_all(name, share));
  state_->now.stage = std::move(name);
  state_->ask();
  if (state_->stopped) throw Stopped();
}

void StopCheck::operator()() const {
  if (!state_) return;
  if (!state_->stopped && state_->team == nullptr && std::this_thread::get_id() == state_->owner &&
      state_->since.seconds() >= kSecondsBetweenQuestions) {
    state_->ask();
  }
  if (state_->stopped) throw Stopped();
}

}  // namespace nw::measure
