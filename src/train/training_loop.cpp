#include "nw/train/training_loop.hpp"

#include <cmath>
#include <optional>
#include <span>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/train/state_tensors.hpp"

namespace nw::train {
namespace {

/// What a resumed loop needs besides tensors.
struct LoopState {
  std::int64_t step = 0;
  double rate = 1.0;
  int recoveries = 0;

  [[nodiscard]] std::string to_json() const {
    return nlohmann::json{{"rate", rate}, {"recoveries", recoveries}}.dump();
  }
  static LoopState from(const run::Checkpoint& checkpoint) {
    const auto json = nlohmann::json::parse(checkpoint.state);
    return {.step = checkpoint.step,
            .rate = json.value("rate", 1.0),
            .recoveries = json.value("recoveries", 0)};
  }
};

class Loop {
 public:
  Loop(Game& game, const LoopOptions& options, const LoopSurroundings& around)
      : game_(game),
        options_(options),
        directory_(around.directory),
        observer_(around.observer),
        metrics_(around.metrics),
        team_(around.team) {}

  LoopResult run() {
    resume();
    while (state_.step < options_.steps) {
      const StepValues values = game_.step(state_.step, options_.steps, state_.rate);
      ++state_.step;
      const bool last = state_.step == options_.steps;
      const bool line = last || state_.step % options_.log_every == 0;
      // A team's clocks differ, and its processes must speak at the same steps.
      const bool beat =
          team_ == nullptr && observer_ && clock_.seconds() - last_word_ >= options_.heartbeat;
      if (!line && !beat && !checkpoint_due()) continue;
      const auto numbers = numbers_of(values);
      if (diverged(numbers)) {
        // Heartbeats come by the clock, which must not decide what becomes of a run.
        if (!line && !checkpoint_due()) continue;
        if (!go_back(numbers)) return finish(LoopEnd::diverged);
        continue;
      }
      const bool go_on = !(line || beat) || report_progress(numbers, line);
      if (last || checkpoint_due() || !go_on) save();
      if (!go_on && !last) return finish(LoopEnd::interrupted);
    }
    return finish(LoopEnd::finished);
  }

 private:
  using Numbers = std::vector<std::pair<std::string, double>>;

  [[nodiscard]] bool checkpoint_due() const { return state_.step % options_.checkpoint_every == 0; }

  static Numbers numbers_of(const StepValues& values) {
    Numbers numbers;
    for (const auto& [name, tensor] : values.values) {
      numbers.emplace_back(name, tensor.item<double>());
    }
    return numbers;
  }

  [[nodiscard]] bool diverged(const Numbers& numbers) const {
    for (const auto& [name, value] : numbers) {
      if (!std::isfinite(value) || std::abs(value) > options_.divergence_limit) return true;
    }
    return false;
  }

  void resume() {
    if (directory_ != nullptr) {
      if (const auto checkpoint = directory_->take_checkpoint()) {
        restore(*checkpoint, game_.state());
        state_ = LoopState::from(*checkpoint);
        saved_ = state_.step;
      }
    }
    agree();
    saved_ = state_.step;
    result_.resumed = state_.step;
    keep_in_memory();
  }

  /// Everyone goes on from the first process's state: it alone reads checkpoints.
  void agree() {
    if (team_ == nullptr) return;
    double numbers[] = {static_cast<double>(state_.step), state_.rate,
                        static_cast<double>(state_.recoveries)};
    team_->share(std::as_writable_bytes(std::span(numbers)));
    state_ = {.step = static_cast<std::int64_t>(numbers[0]),
              .rate = numbers[1],
              .recoveries = static_cast<int>(numbers[2])};
    for (const auto& [name, tensor] : game_.state()) {
      const torch::NoGradGuard no_grad;
      torch::Tensor host = tensor.detach().to(torch::kCPU).clone().contiguous();
      team_->share({static_cast<std::byte*>(host.data_ptr()), host.nbytes()});
      torch::Tensor target = tensor.detach();
      target.copy_(host);
    }
  }

  /// Back to the last good state with half the rates; false when there were enough ways back.
  bool go_back(const Numbers& numbers) {
    std::string what;
    for (const auto& [name, value] : numbers) what += concat(" ", name, " = ", value);
    result_.warnings.push_back(concat("diverged at step ", state_.step, ":", what));
    if (state_.recoveries >= options_.max_recoveries) return false;
    LoopState next{.step = 0, .rate = state_.rate / 2.0, .recoveries = state_.recoveries + 1};
    if (directory_ != nullptr) {
      // Rows of the log beyond the checkpoint go too.
      if (const auto checkpoint = directory_->roll_back()) {
        restore(*checkpoint, game_.state());
        next.step = checkpoint->step;
      } else {
        first_->restore(game_.state());
      }
    } else {
      kept_->restore(game_.state());
      next.step = saved_;
    }
    state_ = next;
    agree();
    saved_ = state_.step;
    result_.warnings.back() +=
        concat("; went back to step ", state_.step, " with rates times ", state_.rate);
    return true;
  }

  /// Writes a line of metrics and tells the observer. False when that asks to stop.
  bool report_progress(const Numbers& numbers, bool line) {
    LoopProgress progress{.step = state_.step,
                          .steps = options_.steps,
                          .values = numbers,
                          .proportions = game_.proportions(),
                          .seconds = clock_.seconds(),
                          .logged = line};
    progress.steps_per_second =
        static_cast<double>(state_.step - result_.resumed) / std::max(progress.seconds, 1e-9);
    if (directory_ != nullptr && line) {
      run::MetricsRow row{.step = state_.step};
      for (const auto& [name, value] : numbers) row.values.emplace_back(name, value);
      for (std::size_t s = 0; s < progress.proportions.size(); ++s) {
        row.values.emplace_back(proportions_name(s, progress.proportions.size()),
                                progress.proportions[s]);
      }
      if (metrics_) {
        for (auto& entry : metrics_(state_.step)) row.values.push_back(std::move(entry));
      }
      directory_->log(row);
    }
    last_word_ = progress.seconds;
    return !any_of(team_, observer_ && !observer_(progress));
  }

  void save() {
    if (state_.step == saved_) return;
    if (directory_ != nullptr) {
      const StateTensors tensors(game_.state());
      directory_->save(state_.step, tensors.views(), state_.to_json());
    }
    saved_ = state_.step;
    keep_in_memory();
  }

  void keep_in_memory() {
    if (!first_) first_.emplace(game_.state());
    if (directory_ == nullptr) kept_.emplace(game_.state());
  }

  LoopResult finish(LoopEnd end) {
    result_.end = end;
    result_.steps = state_.step;
    result_.recoveries = state_.recoveries;
    result_.seconds = clock_.seconds();
    return result_;
  }

  Game& game_;
  const LoopOptions& options_;
  run::RunDirectory* directory_;
  const LoopObserver& observer_;
  const LoopMetrics& metrics_;
  Team* team_;
  Stopwatch clock_;
  LoopState state_;
  std::int64_t saved_ = 0;
  double last_word_ = 0.0;  // seconds of the clock when the observer was called last
  std::optional<StateTensors> first_, kept_;
  LoopResult result_;
};

}  // namespace

const char* proportions_name(std::size_t side, std::size_t sides) {
  return sides == 1 ? "pi" : (side == 0 ? "pi_x" : "pi_y");
}

const char* to_string(LoopEnd end) {
  switch (end) {
    case LoopEnd::finished:
      return "finished";
    case LoopEnd::interrupted:
      return "interrupted";
    case LoopEnd::diverged:
      return "diverged";
  }
  return "unknown";
}

void LoopOptions::validate() const {
  const auto positive = [](auto value, const char* field) {
    require(value > 0, "LoopOptions.", field, " must be positive, got ", value);
  };
  positive(steps, "steps");
  positive(log_every, "log_every");
  positive(checkpoint_every, "checkpoint_every");
  positive(divergence_limit, "divergence_limit");
  require(heartbeat >= 0.0, "LoopOptions.heartbeat must not be negative, got ", heartbeat);
  require(max_recoveries >= 0, "LoopOptions.max_recoveries must not be negative, got ",
          max_recoveries);
}

LoopResult play(Game& game, const LoopOptions& options, const LoopSurroundings& around) {
  options.validate();
  return Loop(game, options, around).run();
}

}  // namespace nw::train
