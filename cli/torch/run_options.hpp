// The run directory of a command that learns: its options, and opening it.
#pragma once

#include <optional>

#include <CLI/CLI.hpp>

#include "nw/app/learning/run_folder.hpp"
#include "nw/base/error.hpp"
#include "nw/run/run_directory.hpp"

namespace nw::cli {

/// --run, --resume, --overwrite, --checkpoint-every and --device, into the fields of those names.
/// `about` says what the directory of this command holds.
template <typename Arguments>
void add_run_options(CLI::App& command, Arguments& arguments, const char* about) {
  command.add_option("--run", arguments.run, about)->type_name("DIR");
  command.add_flag("--resume", arguments.resume, "Go on where the run in --run stopped");
  command.add_flag("--overwrite", arguments.overwrite, "Replace the run in --run");
  command.add_option("--checkpoint-every", arguments.checkpoint_every, "Steps; 0: 20 in a run")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--device", arguments.device, "Where to compute")
      ->type_name("auto|cpu|cuda")
      ->capture_default_str();
}

/// The same for an application.
template <typename Arguments>
[[nodiscard]] app::RunFolder run_folder(const Arguments& arguments) {
  require(!(arguments.resume || arguments.overwrite) || !arguments.run.empty(),
          "--resume and --overwrite need --run");
  return {.path = arguments.run,
          .mode = arguments.resume      ? run::StartMode::resume
                  : arguments.overwrite ? run::StartMode::overwrite
                                        : run::StartMode::create,
          .checkpoint_every = arguments.checkpoint_every};
}

/// The directory that these options name, or nothing.
template <typename Arguments, typename Config>
[[nodiscard]] std::optional<run::RunDirectory> open_run(const Arguments& arguments,
                                                        const Config& config) {
  if (arguments.run.empty()) return std::nullopt;
  const auto mode = arguments.resume      ? run::StartMode::resume
                    : arguments.overwrite ? run::StartMode::overwrite
                                          : run::StartMode::create;
  return run::RunDirectory(arguments.run, config.dump(), {.mode = mode});
}

}  // namespace nw::cli
