#include "nw/run/run_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "io/io_test_support.hpp"

namespace nw::run {
namespace {

using io::test::content_of_file;
using io::test::io_error;
using io::test::TemporaryFolder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kConfig = R"({"command":"toy","batch":64,"net":{"width":3}})";
constexpr RunOptions kResume{.mode = StartMode::resume};

class ARunDirectory : public testing::Test {
 protected:
  RunDirectory open(const RunOptions& options = {}, const std::string& config = kConfig) {
    return RunDirectory(path(), config, options);
  }
  std::string refusal(const RunOptions& options = {}, const std::string& config = kConfig) {
    return io_error([&] { open(options, config); });
  }
  [[nodiscard]] std::filesystem::path path() const { return folder_.file("run"); }
  [[nodiscard]] std::vector<std::int64_t> steps_on_disk() const {
    std::vector<std::int64_t> steps;
    for (const auto& file : list_checkpoints(checkpoint_folder(path()))) steps.push_back(file.step);
    return steps;
  }

  TemporaryFolder folder_;
};

void train(RunDirectory& run, std::int64_t from, std::int64_t to, std::int64_t every) {
  for (std::int64_t step = from; step <= to; ++step) {
    run.log({.step = step, .values = {{"loss", static_cast<double>(step)}}});
    const std::vector<double> weights = {static_cast<double>(step)};
    const std::vector<io::TensorView> tensors = {
        io::view_tensor("weights", std::span<const double>(weights))};
    if (step % every == 0) run.save(step, tensors, concat(R"({"at":)", step, "}"));
  }
}

record::RunRecord result() {
  record::RunRecord record;
  record.kind = record::RunKind::training;
  record.command = "toy";
  return record;
}

TEST_F(ARunDirectory, HoldsTheFilesOfItsContract) {
  {
    RunDirectory run = open();
    EXPECT_FALSE(run.take_checkpoint().has_value());
    EXPECT_FALSE(run.finished());
    train(run, 1, 20, 10);
    const record::RunRecord written = run.finish(result());
    EXPECT_TRUE(run.finished());
    ASSERT_EQ(written.series.size(), 1U);
    EXPECT_EQ(written.series[0].y.back(), 20.0);
  }
  EXPECT_EQ(read_metrics(metrics_file(path())).size(), 20U);
  EXPECT_EQ(read_config(path()), kConfig);
  EXPECT_EQ(record::read_record(path().string()).command, "toy");
  EXPECT_EQ(steps_on_disk(), (std::vector<std::int64_t>{20, 10}));
  EXPECT_TRUE(std::filesystem::is_directory(path() / "samples"));
}

TEST_F(ARunDirectory, GoesOnFromItsLastCheckpointWithTheLogOfAnUninterruptedRun) {
  {
    RunDirectory run = open();
    train(run, 1, 25, 10);
  }
  RunDirectory run = open(kResume);
  const auto checkpoint = run.take_checkpoint();
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_EQ(checkpoint->step, 20);
  EXPECT_EQ(checkpoint->state, R"({"at":20})");
  EXPECT_EQ(checkpoint->tensor("weights").values<double>(), std::vector<double>{20.0});
  EXPECT_FALSE(run.take_checkpoint().has_value());
  EXPECT_EQ(read_metrics(metrics_file(path())).size(), 20U);
  train(run, 21, 30, 10);
  const auto rows = read_metrics(metrics_file(path()));
  ASSERT_EQ(rows.size(), 30U);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].step, static_cast<std::int64_t>(i + 1));
  }
  EXPECT_TRUE(run.warnings().empty());
}

TEST_F(ARunDirectory, StartsFromTheBeginningWhenThereIsNoCheckpointYet) {
  {
    RunDirectory run = open();
    train(run, 1, 5, 10);
  }
  RunDirectory run = open(kResume);
  EXPECT_FALSE(run.take_checkpoint().has_value());
  EXPECT_TRUE(read_metrics(metrics_file(path())).empty());
}

TEST_F(ARunDirectory, ResumingWhereNothingIsStartsTheRun) {
  RunDirectory run = open(kResume);
  EXPECT_FALSE(run.take_checkpoint().has_value());
  EXPECT_EQ(read_config(path()), kConfig);
}

TEST_F(ARunDirectory, KeepsTheNewestCheckpointsOnly) {
  RunDirectory run = open({.keep_checkpoints = 2});
  train(run, 1, 50, 10);
  EXPECT_EQ(steps_on_disk(), (std::vector<std::int64_t>{50, 40}));
  EXPECT_THROW(open({.keep_checkpoints = 0}), InvalidArgument);
}

TEST_F(ARunDirectory, UsesTheOlderCheckpointWhenTheNewestIsDamagedAndKeepsTheDamagedFile) {
  {
    RunDirectory run = open();
    train(run, 1, 30, 10);
  }
  const auto newest = checkpoint_folder(path()) / checkpoint_name(30);
  std::filesystem::resize_file(newest, 40);
  RunDirectory run = open(kResume);
  EXPECT_THAT(run.warnings(), ElementsAre(AllOf(HasSubstr(checkpoint_name(30)),
                                                HasSubstr("step 20 is used instead"))));
  EXPECT_EQ(run.take_checkpoint()->step, 20);
  EXPECT_EQ(read_metrics(metrics_file(path())).size(), 20U);
  EXPECT_EQ(steps_on_disk(), (std::vector<std::int64_t>{20, 10}));
  EXPECT_TRUE(std::filesystem::exists(newest.string() + ".damaged"));
}

TEST_F(ARunDirectory, IsNotOverwrittenUnlessAsked) {
  {
    RunDirectory run = open();
    train(run, 1, 10, 10);
  }
  EXPECT_THAT(refusal(), AllOf(HasSubstr("unfinished run, at step 10"), HasSubstr("resume")));
  open(kResume).finish(result());
  EXPECT_THAT(refusal(), HasSubstr("holds a finished run"));
  EXPECT_TRUE(open(kResume).finished());

  folder_.write("run/notes.txt", "mine");
  RunDirectory run = open({.mode = StartMode::overwrite}, R"({"batch":1})");
  EXPECT_FALSE(run.finished());
  EXPECT_TRUE(steps_on_disk().empty());
  EXPECT_EQ(run.config(), R"({"batch":1})");
  EXPECT_TRUE(read_metrics(metrics_file(path())).empty());
  EXPECT_EQ(content_of_file(path() / "notes.txt"), "mine");
}

TEST_F(ARunDirectory, RefusesAFolderOfSomebodyElse) {
  folder_.write("run/thesis.tex", "years of work");
  for (const StartMode mode : {StartMode::create, StartMode::resume}) {
    EXPECT_THAT(refusal({.mode = mode}),
                AllOf(HasSubstr("holds no run of nw"), HasSubstr("thesis.tex")));
  }
  EXPECT_FALSE(std::filesystem::exists(path() / "lock"));
  folder_.write("run/config.json", R"({"compilerOptions":{}})");
  EXPECT_THAT(refusal(kResume), HasSubstr("is not of a run of nw"));
  folder_.write("run/config.json", R"({"nw_run":7})");
  EXPECT_THAT(refusal(kResume), HasSubstr("nw_run is \"7\""));
  folder_.write("run/config.json", "{");
  EXPECT_THAT(refusal(kResume), HasSubstr("config.json: is not JSON"));
}

TEST_F(ARunDirectory, RefusesAFileInItsPlace) {
  folder_.write("run", "text");
  EXPECT_THAT(refusal(), HasSubstr("is a file where the folder of a run is expected"));
}

TEST_F(ARunDirectory, IsOpenedOnceAtATime) {
  std::optional<RunDirectory> run = open();
  EXPECT_THAT(refusal(kResume), HasSubstr(concat("is in use by process ", getpid())));
  EXPECT_THAT(refusal({.mode = StartMode::overwrite}), HasSubstr("is in use"));
  run.reset();
  EXPECT_FALSE(open(kResume).finished());
}

TEST_F(ARunDirectory, IsNotResumedWithOtherSettingsExceptThoseThatMayChange) {
  { RunDirectory run = open(); }
  const auto message = [&](const std::string& config, const RunOptions& options) -> std::string {
    try {
      open(options, config);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message(R"({"command":"toy","batch":128,"net":{"width":4}})", kResume),
              AllOf(HasSubstr("batch is \"64\", not \"128\""), HasSubstr("net.width is \"3\"")));
  EXPECT_THAT(message(R"({"command":"toy","net":{"width":3},"x":1})", kResume),
              AllOf(HasSubstr("batch is \"64\", not absent"), HasSubstr("x is absent")));
  const RunOptions free{.mode = StartMode::resume, .may_change = {"batch"}};
  EXPECT_EQ(message(R"({"command":"toy","batch":128,"net":{"width":3}})", free), "");
  EXPECT_THAT(read_config(path()), HasSubstr("128"));
}

TEST_F(ARunDirectory, ForgetsWhatAKilledProcessLeftUnfinished) {
  { RunDirectory run = open(); }
  folder_.write("run/checkpoints/.step-000000000010.safetensors.1-0.nw-tmp", "half");
  folder_.write("run/.result.json.1-0.nw-tmp", "{");
  const RunDirectory run = open(kResume);
  EXPECT_TRUE(std::filesystem::is_empty(path() / "checkpoints"));
  EXPECT_FALSE(std::filesystem::exists(path() / ".result.json.1-0.nw-tmp"));
}

TEST_F(ARunDirectory, StartsInAFolderWhereAProcessWasKilledBeforeItsConfigurationWasThere) {
  std::filesystem::create_directories(path() / "checkpoints");
  folder_.write("run/lock", "1\n");
  folder_.write("run/metrics.jsonl", "");
  folder_.write("run/.config.json.1-0.nw-tmp", "{");
  EXPECT_FALSE(open().finished());
}

TEST_F(ARunDirectory, RollsBackBehindAStepThatWentWrong) {
  RunDirectory run = open();
  train(run, 1, 35, 10);
  folder_.write("run/samples/step-000000000030.npy", "x");
  const auto checkpoint = run.roll_back(30);
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_EQ(checkpoint->step, 20);
  EXPECT_EQ(steps_on_disk(), (std::vector<std::int64_t>{20, 10}));
  EXPECT_FALSE(std::filesystem::exists(path() / "samples/step-000000000030.npy"));
  train(run, 21, 30, 10);
  EXPECT_EQ(read_metrics(metrics_file(path())).size(), 30U);
  EXPECT_FALSE(run.roll_back(5).has_value());
  EXPECT_TRUE(read_metrics(metrics_file(path())).empty());
}

TEST_F(ARunDirectory, IsReopenedToGoOnAfterItsEnd) {
  RunDirectory run = open();
  train(run, 1, 10, 10);
  run.finish(result());
  EXPECT_THROW(train(run, 11, 20, 10), InvalidArgument);
  run.reopen();
  EXPECT_FALSE(run.finished());
  train(run, 11, 20, 10);
  EXPECT_EQ(read_metrics(metrics_file(path())).size(), 20U);
}

TEST_F(ARunDirectory, RefusesMetricsOfAStepThatIsAlreadyInACheckpoint) {
  RunDirectory run = open();
  train(run, 1, 10, 10);
  EXPECT_THROW(run.log({.step = 10}), InvalidArgument);
}

TEST_F(ARunDirectory, CountsTheTimeOfAllItsProcesses) {
  {
    RunDirectory run = open();
    train(run, 1, 10, 10);
  }
  const double before = read_checkpoint(checkpoint_folder(path()) / checkpoint_name(10)).seconds;
  EXPECT_GT(before, 0.0);
  EXPECT_GT(open(kResume).seconds(), before);
}

TEST_F(ARunDirectory, NamesSamplesAfterTheirStep) {
  const RunDirectory run = open();
  EXPECT_EQ(run.sample_file(7), path() / "samples" / "step-000000000007.npy");
  EXPECT_EQ(run.sample_file(7, ".png").filename(), "step-000000000007.png");
  EXPECT_EQ(run.page_file(), path() / "report.html");
}

}  // namespace
}  // namespace nw::run
