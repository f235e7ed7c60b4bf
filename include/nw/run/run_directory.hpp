// A run directory: everything one training run leaves behind, safe against being killed at any
// moment. docs/runs.md describes the files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/io/safetensors.hpp"
#include "nw/record/run_record.hpp"
#include "nw/run/checkpoint.hpp"
#include "nw/run/metrics_log.hpp"

namespace nw::run {

/// Another process works on the run.
class RunBusy : public IoError {
 public:
  using IoError::IoError;
};

/// What may be in the folder already.
enum class StartMode {
  create,     ///< nothing: a folder with files in it is refused
  resume,     ///< this run, which goes on from its last checkpoint; or nothing, then it starts
  overwrite,  ///< anything: files of an earlier run are removed, others are left alone
};

struct RunOptions {
  StartMode mode = StartMode::create;
  /// Checkpoints kept; older ones are removed once a newer one is on the disk. At least 1; with
  /// less than 2 a damaged checkpoint cannot be replaced by an older one.
  std::size_t keep_checkpoints = 3;
  /// Fields of the configuration that may differ when a run is resumed, such as "threads".
  std::vector<std::string> may_change = {};

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// The directory of a run that this process works on. While it lives no other process can open the
/// same directory. Every member throws IoError, with the file and the system's reason, when the
/// disk refuses.
class RunDirectory {
 public:
  /// `config` is the text of one JSON object: everything that decides the run's numbers.
  /// Throws RunBusy when another process uses the folder, IoError when it cannot be used (not
  /// empty, damaged) and InvalidArgument when a resumed run was started with another configuration.
  RunDirectory(const std::filesystem::path& folder, const std::string& config,
               const RunOptions& options = {});
  RunDirectory(RunDirectory&&) noexcept;
  RunDirectory& operator=(RunDirectory&&) noexcept;
  ~RunDirectory();

  [[nodiscard]] const std::filesystem::path& path() const noexcept;
  /// The configuration as stored, the text of one JSON object.
  [[nodiscard]] const std::string& config() const noexcept;
  /// What went wrong without stopping the run, such as a damaged checkpoint.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept;
  /// Whether result.json is there: then there is nothing left to do, unless the run is reopened.
  [[nodiscard]] bool finished() const noexcept;
  /// Makes a finished run go on: removes its result and its page.
  void reopen();

  /// Where to continue; nothing for a run that starts. The second call returns nothing.
  [[nodiscard]] std::optional<Checkpoint> take_checkpoint();

  /// Appends a row to metrics.jsonl. Call it before the checkpoint of the same step.
  void log(const MetricsRow& row);

  /// Writes checkpoints/step-N.safetensors and removes those beyond `keep_checkpoints`. When this
  /// returns, checkpoint and metrics are on the disk; when the process is killed before, the older
  /// checkpoint is still there. `state` is the text of one JSON value.
  void save(std::int64_t step, std::span<const io::TensorView> tensors,
            const std::string& state = "null");

  /// Goes back to the newest readable checkpoint below `before_step` (default: the newest): drops
  /// what metrics, samples and checkpoints hold beyond it. For runs that diverge. Nothing when
  /// there is none; the run then starts again.
  [[nodiscard]] std::optional<Checkpoint> roll_back(
      std::optional<std::int64_t> before_step = std::nullopt);

  /// samples/step-NSUFFIX, for the caller to write atomically.
  [[nodiscard]] std::filesystem::path sample_file(std::int64_t step,
                                                  const std::string& suffix = ".npy") const;
  /// report.html, for the caller to write.
  [[nodiscard]] std::filesystem::path page_file() const;

  /// Time this run has taken, over all its processes up to their last checkpoints.
  [[nodiscard]] double seconds() const;

  /// Writes result.json, which makes the run a finished one. A record without series gets those of
  /// metrics.jsonl. Returns what was written.
  record::RunRecord finish(record::RunRecord result);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The configuration of the run in `folder`, the text of one JSON object. Throws IoError when there
/// is not a run. Needs no RunDirectory: for commands that only look.
[[nodiscard]] std::string read_config(const std::filesystem::path& folder);

/// The checkpoints and metrics of a run, for commands that only look.
[[nodiscard]] std::filesystem::path checkpoint_folder(const std::filesystem::path& folder);
[[nodiscard]] std::filesystem::path metrics_file(const std::filesystem::path& folder);

/// Where a finished run keeps the model it trained, for those that train one.
[[nodiscard]] std::filesystem::path model_file(const std::filesystem::path& folder);

}  // namespace nw::run
