// The order of writing is what makes a run safe against being killed:
//   config.json is written last when a run starts: a folder without it holds no run;
//   metrics are synced before the checkpoint that counts their rows;
//   a checkpoint replaces older ones only when it is on the disk;
//   result.json is written last of all: a run with it is finished.
// Each file appears by a rename, so that none is ever seen in part, and metrics.jsonl, which grows
// in place, is cut to the rows of the checkpoint from which a run goes on.
#include "nw/run/run_directory.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "nw/base/stopwatch.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/run/training_record.hpp"

#include "io/failure.hpp"
#include "run/run_config.hpp"
#include "run/run_lock.hpp"

namespace nw::run {
namespace {

namespace fs = std::filesystem;
using io::fail;

constexpr const char* kFolders[] = {"checkpoints", "samples"};
constexpr std::string_view kStepPrefix = "step-", kDamagedSuffix = ".damaged";

fs::path result_file(const fs::path& folder) {
  return folder / "result.json";
}
fs::path sample_folder(const fs::path& folder) {
  return folder / "samples";
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail(folder.string(), "cannot be created: ", error.message());
  io::sync_folder(fs::absolute(folder).parent_path());
}

void remove_file(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) fail(file.string(), "cannot be removed: ", error.message());
}

/// The first thing in the folder that a run which only just started would not have left.
std::optional<std::string> foreign_entry(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool skeleton = std::ranges::find(kFolders, name) != std::end(kFolders) &&
                          entry.is_directory() && fs::is_empty(entry.path());
    if (skeleton || name == "lock" || name.ends_with(".nw-tmp")) continue;
    if (name == "metrics.jsonl" && entry.file_size() == 0) continue;
    return name;
  }
  return std::nullopt;
}

std::string describe_run(const fs::path& folder) {
  if (fs::exists(result_file(folder))) return "holds a finished run";
  const auto checkpoints = list_checkpoints(checkpoint_folder(folder));
  if (checkpoints.empty()) return "holds a run without checkpoint";
  return concat("holds an unfinished run, at step ", checkpoints.front().step);
}

void require_usable(const fs::path& folder, StartMode mode) {
  if (mode == StartMode::overwrite) return;
  if (has_config(folder)) {
    if (mode == StartMode::resume) return;
    fail(folder.string(), describe_run(folder),
         "; resume it, overwrite it, or choose another folder");
  }
  if (const auto entry = foreign_entry(folder)) {
    fail(folder.string(), "is not empty and holds no run of nw (found ", io::shown(*entry),
         "); choose another folder or overwrite explicitly");
  }
}

/// The step in a name such as step-000000000100.npy; -1 when there is none.
std::int64_t step_of(const fs::path& file) {
  const std::string name = file.filename().string();
  if (!name.starts_with(kStepPrefix)) return -1;
  std::int64_t step = -1;
  std::from_chars(name.data() + kStepPrefix.size(), name.data() + name.size(), step);
  return step;
}

/// Files that were set aside stay.
void remove_steps_beyond(const fs::path& folder, std::int64_t step) {
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    if (entry.path().extension() == kDamagedSuffix) continue;
    if (step_of(entry.path()) > step) remove_file(entry.path());
  }
  io::sync_folder(folder);
}

/// Removes what an earlier run left but its configuration, which the new one replaces: no moment
/// shows the files of one run under the configuration of another.
void remove_run(const fs::path& folder) {
  for (const auto& file : {result_file(folder), folder / "report.html", model_file(folder)}) {
    remove_file(file);
  }
  for (const char* name : kFolders) {
    for (const auto& entry : fs::directory_iterator(folder / name)) {
      if (step_of(entry.path()) >= 0) remove_file(entry.path());
    }
    io::sync_folder(folder / name);
  }
  remove_file(metrics_file(folder));
  io::sync_folder(folder);
}

}  // namespace

struct RunDirectory::State {
  State(const fs::path& path, RunOptions given)
      : folder(path), options(std::move(given)), lock(path) {}

  fs::path folder;
  RunOptions options;
  RunLock lock;
  std::string config;
  std::vector<std::string> warnings;
  std::optional<MetricsLog> metrics;
  std::optional<Checkpoint> checkpoint;
  std::int64_t saved_step = -1;
  std::size_t saved_rows = 0;
  double seconds_before = 0.0;
  Stopwatch clock;

  void start(const std::string& asked) {
    config = normal_config(asked);
    remove_run(folder);
    metrics.emplace(metrics_file(folder), 0);
    write_config(folder, config);
  }

  void resume(const std::string& asked) {
    config = read_config(folder);
    if (require_same_config(config, asked, options.may_change)) {
      config = normal_config(asked);
      write_config(folder, config);
    }
    checkpoint = choose_checkpoint(std::nullopt);
    // The log of a finished run may go beyond its last checkpoint, and stays as it is.
    if (!fs::exists(result_file(folder))) go_back_to_saved_step();
  }

  std::optional<Checkpoint> choose_checkpoint(std::optional<std::int64_t> before_step) {
    CheckpointChoice choice = read_newest_checkpoint(checkpoint_folder(folder), before_step);
    for (const fs::path& damaged : choice.unreadable) set_aside(damaged);
    warnings.insert(warnings.end(), choice.warnings.begin(), choice.warnings.end());
    saved_step = choice.checkpoint ? choice.checkpoint->step : -1;
    seconds_before = choice.checkpoint ? choice.checkpoint->seconds : 0.0;
    clock = Stopwatch();
    saved_rows = choice.checkpoint ? choice.checkpoint->metrics_rows : 0;
    return std::move(choice.checkpoint);
  }

  /// Drops everything that came after the checkpoint.
  void go_back_to_saved_step() {
    for (const char* name : kFolders) remove_steps_beyond(folder / name, saved_step);
    const std::size_t rows = saved_rows;
    metrics.emplace(metrics_file(folder), rows);
    if (metrics->rows() < rows) {
      warnings.push_back(concat(metrics_file(folder).string(), ": ", rows - metrics->rows(), " of ",
                                rows, " rows before the checkpoint are lost"));
    }
  }

  /// Keeps a damaged file for those who want to look, out of the way of the run.
  static void set_aside(const fs::path& file) {
    std::error_code error;
    fs::path aside = file;
    aside += kDamagedSuffix;
    fs::rename(file, aside, error);
  }

  void rotate() {
    const auto files = list_checkpoints(checkpoint_folder(folder));
    for (std::size_t i = options.keep_checkpoints; i < files.size(); ++i) {
      remove_file(files[i].path);
    }
  }
};

void RunOptions::validate() const {
  require(keep_checkpoints >= 1, "RunOptions.keep_checkpoints must be at least 1, got ",
          keep_checkpoints);
}

RunDirectory::RunDirectory(const fs::path& folder, const std::string& config,
                           const RunOptions& options) {
  options.validate();
  static_cast<void>(normal_config(config));
  require(!folder.empty(), "a run needs a folder");
  if (fs::exists(folder) && !fs::is_directory(folder)) {
    fail(folder.string(), "is a file where the folder of a run is expected");
  }
  const bool existed = fs::exists(folder);
  if (existed) require_usable(folder, options.mode);  // before anything is touched
  make_folder(folder);
  state_ = std::make_unique<State>(folder, options);
  require_usable(folder, options.mode);  // again, now that nobody else can interfere
  for (const char* name : kFolders) {
    make_folder(folder / name);
    io::remove_unfinished_files(folder / name);
  }
  io::remove_unfinished_files(folder);
  if (options.mode == StartMode::resume && has_config(folder)) {
    state_->resume(config);
  } else {
    state_->start(config);
  }
}

RunDirectory::RunDirectory(RunDirectory&&) noexcept = default;
RunDirectory& RunDirectory::operator=(RunDirectory&&) noexcept = default;
RunDirectory::~RunDirectory() = default;

const fs::path& RunDirectory::path() const noexcept {
  return state_->folder;
}

const std::string& RunDirectory::config() const noexcept {
  return state_->config;
}

const std::vector<std::string>& RunDirectory::warnings() const noexcept {
  return state_->warnings;
}

bool RunDirectory::finished() const noexcept {
  std::error_code error;
  return fs::exists(result_file(state_->folder), error);
}

void RunDirectory::reopen() {
  remove_file(result_file(state_->folder));
  remove_file(page_file());
  remove_file(model_file(state_->folder));
  io::sync_folder(state_->folder);
  state_->go_back_to_saved_step();
}

std::optional<Checkpoint> RunDirectory::take_checkpoint() {
  return std::exchange(state_->checkpoint, std::nullopt);
}

void RunDirectory::log(const MetricsRow& row) {
  require(!finished(), "the run is finished; reopen it before it goes on");
  require(row.step > state_->saved_step, "metrics of step ", row.step,
          " come after the checkpoint of step ", state_->saved_step);
  state_->metrics->append(row);
}

void RunDirectory::save(std::int64_t step, std::span<const io::TensorView> tensors,
                        const std::string& state) {
  require(!finished(), "the run is finished; reopen it before it goes on");
  state_->metrics->sync();
  write_checkpoint(checkpoint_folder(state_->folder) / checkpoint_name(step),
                   {.step = step,
                    .tensors = tensors,
                    .state = state,
                    .metrics_rows = state_->metrics->rows(),
                    .seconds = seconds()});
  state_->saved_step = step;
  state_->saved_rows = state_->metrics->rows();
  state_->rotate();
}

std::optional<Checkpoint> RunDirectory::roll_back(std::optional<std::int64_t> before_step) {
  auto checkpoint = state_->choose_checkpoint(before_step);
  state_->go_back_to_saved_step();
  return checkpoint;
}

fs::path RunDirectory::sample_file(std::int64_t step, const std::string& suffix) const {
  fs::path name = checkpoint_name(step);
  name.replace_extension(suffix);
  return sample_folder(state_->folder) / name;
}

fs::path RunDirectory::page_file() const {
  return state_->folder / "report.html";
}

double RunDirectory::seconds() const {
  return state_->seconds_before + state_->clock.seconds();
}

record::RunRecord RunDirectory::finish(record::RunRecord result) {
  if (state_->metrics) state_->metrics->sync();
  if (result.series.empty()) {
    result.series = metric_series(read_metrics(metrics_file(state_->folder)));
  }
  result.validate();
  record::write_record(result_file(state_->folder).string(), result);
  return result;
}

fs::path checkpoint_folder(const fs::path& folder) {
  return folder / "checkpoints";
}

fs::path metrics_file(const fs::path& folder) {
  return folder / "metrics.jsonl";
}

fs::path model_file(const fs::path& folder) {
  return folder / "model.safetensors";
}

}  // namespace nw::run
