// Runs that stop, break or go wrong, and go on.
#include "nw/train/training_loop.hpp"

#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include "nw/base/error.hpp"

#include "train/game_fixture.hpp"

namespace nw::train {
namespace {

namespace fs = std::filesystem;

/// A folder that is gone after the test.
class Scratch {
 public:
  Scratch() {
    static int count = 0;
    path_ = fs::temp_directory_path() /
            ("nw-loop-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
  }
  ~Scratch() { fs::remove_all(path_); }
  [[nodiscard]] fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

const LoopOptions kLoop{.steps = 24, .log_every = 4, .checkpoint_every = 6};

std::unique_ptr<MixtureGame> game() {
  return two_mode_game(quick_options(), {{0.7, 0.3}});
}

void expect_same_state(const Game& a, const Game& b) {
  const auto x = a.state(), y = b.state();
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_TRUE(torch::equal(x[i].second, y[i].second)) << x[i].first;
  }
}

TEST(TrainingLoop, ResumesToTheSameNumbersAsARunThatWasNeverInterrupted) {
  const Scratch scratch;
  const auto whole = game();
  {
    run::RunDirectory directory(scratch / "whole", "{}");
    EXPECT_EQ(play(*whole, kLoop, {.directory = &directory}).end, LoopEnd::finished);
  }
  for (const std::int64_t stop_at : {4, 12, 20}) {
    const std::string name = "stopped" + std::to_string(stop_at);
    {
      run::RunDirectory directory(scratch / name, "{}");
      const auto first = game();
      const auto result = play(
          *first, kLoop, {.directory = &directory, .observer = [&](const LoopProgress& progress) {
                            return progress.step < stop_at;
                          }});
      EXPECT_EQ(result.end, LoopEnd::interrupted);
      EXPECT_EQ(result.steps, stop_at);
    }
    run::RunDirectory directory(scratch / name, "{}", {.mode = run::StartMode::resume});
    const auto second = game();
    const auto result = play(*second, kLoop, {.directory = &directory});
    EXPECT_EQ(result.resumed, stop_at);
    EXPECT_EQ(result.end, LoopEnd::finished);
    expect_same_state(*whole, *second);
    EXPECT_EQ(text_of(run::metrics_file(scratch / "whole")),
              text_of(run::metrics_file(scratch / name)));
  }
}

TEST(TrainingLoop, StopsBetweenTwoLinesOfTheLogAtAHeartbeat) {
  const Scratch scratch;
  LoopOptions every_step = kLoop;
  every_step.heartbeat = 0.0;
  const auto whole = game();
  run::RunDirectory quiet(scratch / "whole", "{}");
  EXPECT_EQ(play(*whole, kLoop, {.directory = &quiet}).end, LoopEnd::finished);
  std::vector<std::int64_t> lines, beats;
  {
    run::RunDirectory directory(scratch / "stopped", "{}");
    const auto first = game();
    const auto observer = [&](const LoopProgress& at) {
      (at.logged ? lines : beats).push_back(at.step);
      return at.step < 7;
    };
    EXPECT_EQ(play(*first, every_step, {.directory = &directory, .observer = observer}).steps, 7);
  }
  EXPECT_EQ(lines, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(beats, (std::vector<std::int64_t>{1, 2, 3, 5, 6, 7}));
  run::RunDirectory directory(scratch / "stopped", "{}", {.mode = run::StartMode::resume});
  const auto second = game();
  EXPECT_EQ(play(*second, kLoop, {.directory = &directory}).resumed, 7);
  expect_same_state(*whole, *second);
  EXPECT_EQ(text_of(run::metrics_file(scratch / "whole")),
            text_of(run::metrics_file(scratch / "stopped")));
}

/// A game whose loss is not a number at one step, unless the rates are low.
class FragileGame final : public Game {
 public:
  FragileGame(std::int64_t breaks_at, double bearable)
      : breaks_at_(breaks_at), bearable_(bearable) {}
  StepValues step(std::int64_t step, std::int64_t, double rate) override {
    position_.add_(rate);
    const bool broken = step == breaks_at_ && rate > bearable_;
    const float loss = broken ? std::numeric_limits<float>::quiet_NaN() : 1.0F;
    if (broken) position_.fill_(loss);
    return {{{"loss", torch::tensor(loss)}}};
  }
  std::vector<NamedTensor> state() const override { return {{"position", position_}}; }
  std::vector<std::vector<double>> proportions() const override { return {{1.0}}; }
  nn::MixtureDraw sample(std::int64_t, std::size_t, const Rng&) const override { return {}; }
  [[nodiscard]] double position() const { return position_.item<double>(); }

 private:
  torch::Tensor position_ = torch::zeros({}, torch::kFloat64);
  std::int64_t breaks_at_;
  double bearable_;
};

constexpr LoopOptions kEveryStep{.steps = 20, .log_every = 1, .checkpoint_every = 5};

TEST(TrainingLoop, GoesBackToTheLastGoodStateWithHalfTheRatesWhenItDiverges) {
  FragileGame fragile(12, 0.3);
  const auto result = play(fragile, kEveryStep);
  EXPECT_EQ(result.end, LoopEnd::finished);
  EXPECT_EQ(result.recoveries, 2);
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_NE(result.warnings[0].find("diverged at step 13"), std::string::npos)
      << result.warnings[0];
  // Ten steps at rate 1, then ten at a quarter.
  EXPECT_DOUBLE_EQ(fragile.position(), 10.0 + 10.0 * 0.25);
}

TEST(TrainingLoop, LetsNoHeartbeatDecideOverADivergence) {
  // The loss is bad at step 13 only, between two lines of the log.
  FragileGame fragile(12, 0.3);
  const LoopOptions sparse{.steps = 20, .log_every = 10, .heartbeat = 0.0, .checkpoint_every = 20};
  const auto result = play(fragile, sparse, {.observer = [](const LoopProgress&) { return true; }});
  EXPECT_EQ(result.recoveries, 0);
}

TEST(TrainingLoop, DropsTheLogOfADivergenceFromTheRun) {
  const Scratch scratch;
  run::RunDirectory directory(scratch / "run", "{}");
  FragileGame fragile(12, 0.6);
  const auto result = play(fragile, kEveryStep, {.directory = &directory});
  EXPECT_EQ(result.end, LoopEnd::finished);
  EXPECT_EQ(result.recoveries, 1);
  const auto rows = run::read_metrics(run::metrics_file(scratch / "run"));
  ASSERT_EQ(rows.size(), 20U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].step, static_cast<std::int64_t>(i + 1));
  }
}

TEST(TrainingLoop, StartsAgainWhenThereIsNoCheckpointToGoBackTo) {
  const Scratch scratch;
  run::RunDirectory directory(scratch / "run", "{}");
  FragileGame fragile(2, 0.6);
  EXPECT_EQ(play(fragile, kEveryStep, {.directory = &directory}).end, LoopEnd::finished);
  EXPECT_DOUBLE_EQ(fragile.position(), 20.0 * 0.5);
}

TEST(TrainingLoop, GivesUpAfterTooManyWaysBack) {
  FragileGame hopeless(7, 0.0);
  const auto result = play(hopeless, kEveryStep);
  EXPECT_EQ(result.end, LoopEnd::diverged);
  EXPECT_EQ(result.recoveries, kEveryStep.max_recoveries);
}

}  // namespace
}  // namespace nw::train
