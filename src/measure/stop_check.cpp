#include "measure/stop_check.hpp"

#include <atomic>
#include <thread>
#include <utility>

#include "nw/base/stopwatch.hpp"

namespace nw::measure {
namespace {

constexpr double kSecondsBetweenQuestions = 0.05;

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
  state_->now.stage = std::move(name);
  state_->now.share = share;
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
