// Where an application keeps its run, and how it starts there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "nw/record/run_record.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/table/encoding.hpp"

namespace nw::app {

struct RunFolder {
  std::filesystem::path path = {};  ///< empty: nothing is kept
  run::StartMode mode = run::StartMode::create;
  std::int64_t checkpoint_every = 0;  ///< steps; 0: twenty times in a run. Not negative.
  /// How the columns of tables became coordinates, kept with the run so that further rows can be
  /// given by name. None: the data are arrays or images.
  std::optional<table::Encoding> columns = {};
  /// Completes the record before it is kept; may be empty. Called with or without `path`.
  std::function<void(record::RunRecord&)> complete = {};
};

/// The columns of the data that a run learnt from; nothing for arrays and images. Throws IoError.
[[nodiscard]] std::optional<table::Encoding> columns_of_run(const std::filesystem::path& run);

}  // namespace nw::app
