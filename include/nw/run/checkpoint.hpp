// Checkpoints: what a run needs to go on, as safetensors files that carry their own checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nw/io/safetensors.hpp"

namespace nw::run {

/// A checkpoint as it was read. Reading one executes nothing and takes at most twice the memory
/// that the file has bytes.
struct Checkpoint {
  std::int64_t step = 0;            ///< steps done
  std::vector<io::Tensor> tensors;  ///< weights, optimiser moments, random state
  std::string state;                ///< text of one JSON value: whatever is not a tensor
  std::size_t metrics_rows = 0;     ///< rows of metrics.jsonl that belong to it
  double seconds = 0.0;             ///< time the run had taken, over all its processes

  /// Throws IoError when there is no tensor of that name.
  [[nodiscard]] const io::Tensor& tensor(std::string_view name) const;
};

/// What to write into a checkpoint; the tensors are views.
struct CheckpointContent {
  std::int64_t step = 0;
  std::span<const io::TensorView> tensors = {};
  std::string state = "null";
  std::size_t metrics_rows = 0;
  double seconds = 0.0;
};

/// Writes a checkpoint atomically, with a checksum over the whole file. Throws InvalidArgument when
/// `state` is not JSON, IoError when the disk refuses.
void write_checkpoint(const std::filesystem::path& file, const CheckpointContent& content);

/// Reads a checkpoint. Throws IoError when the file is truncated, altered or no checkpoint.
[[nodiscard]] Checkpoint read_checkpoint(const std::filesystem::path& file);

/// The name of the checkpoint of a step: "step-000000001000.safetensors". Names sort by step.
[[nodiscard]] std::string checkpoint_name(std::int64_t step);

/// A checkpoint file of a folder.
struct CheckpointFile {
  std::filesystem::path path;
  std::int64_t step = 0;
};

/// The checkpoints in a folder, the newest first. A folder that is not there holds none.
[[nodiscard]] std::vector<CheckpointFile> list_checkpoints(const std::filesystem::path& folder);

/// The newest checkpoint that can be read.
struct CheckpointChoice {
  std::optional<Checkpoint> checkpoint;           ///< none when there are no files
  std::vector<std::filesystem::path> unreadable;  ///< newer files that had to be passed over
  std::vector<std::string> warnings;              ///< what was wrong with each of them
};

/// Reads the newest checkpoint of a folder whose step is below `before_step`; a damaged one is
/// passed over with a warning. Throws IoError when there are checkpoints and none can be read.
[[nodiscard]] CheckpointChoice read_newest_checkpoint(
    const std::filesystem::path& folder, std::optional<std::int64_t> before_step = std::nullopt);

}  // namespace nw::run
