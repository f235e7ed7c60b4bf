// The options every subcommand has, and what they decide about output.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "nw/record/run_record.hpp"

namespace CLI {
class App;
}

namespace nw::cli {

/// An object keeps the order in which its fields were written.
using Json = nlohmann::ordered_json;

struct CommonOptions {
  /// Where the result goes as one JSON object: a file, "-" for standard output, or nowhere.
  std::string json;
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0 means all cores
  bool quiet = false;

  /// Text for people goes to standard output unless the JSON does.
  [[nodiscard]] bool human_output() const { return json != "-"; }
  [[nodiscard]] bool show_progress() const { return !quiet; }
};

/// Adds --json, --seed, --threads and --quiet to a subcommand.
void add_common_options(CLI::App& command, CommonOptions& options);

/// Starts the JSON of a command whose result is not a run record.
[[nodiscard]] Json start_result(const std::string& command, const CommonOptions& options);

/// Writes the result where --json says, if anywhere. A file appears complete or not at all.
void write_result(const CommonOptions& options, const Json& result);
void write_result(const CommonOptions& options, const record::RunRecord& result);

}  // namespace nw::cli
