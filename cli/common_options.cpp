#include "cli/common_options.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/version.hpp"

#include "cli/output_file.hpp"

namespace nw::cli {

void add_common_options(CLI::App& command, CommonOptions& options) {
  const char* group = "Options of every command";
  command.add_option("--json", options.json, "Write the result as one JSON object; - is stdout")
      ->type_name("FILE|-")
      ->group(group);
  command.add_option("--seed", options.seed, "Seed of everything random")
      ->type_name("N")
      ->capture_default_str()
      ->group(group);
  command.add_option("--threads", options.threads, "Threads; 0 means all cores")
      ->type_name("N")
      ->check(CLI::Range(0, 1024).description(""))
      ->capture_default_str()
      ->group(group);
  command.add_flag("-q,--quiet", options.quiet, "Print only the result, without progress")
      ->group(group);
}

Json start_result(const std::string& command, const CommonOptions& options) {
  return {{"command", command}, {"version", version()}, {"seed", options.seed}};
}

void write_result(const CommonOptions& options, const Json& result) {
  if (!options.json.empty()) write_text(options.json, result.dump(2) + "\n");
}

void write_result(const CommonOptions& options, const record::RunRecord& result) {
  if (!options.json.empty()) write_text(options.json, record::to_json(result) + "\n");
}

}  // namespace nw::cli
