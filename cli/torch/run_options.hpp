// The run directory of a command that learns: its options.
#pragma once

#include <CLI/CLI.hpp>

#include "nw/app/learning/run_folder.hpp"
#include "nw/base/error.hpp"

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

/// The same as an application takes it.
template <typename Arguments>
[[nodiscard]] app::RunFolder run_folder(const Arguments& arguments) {
  require(!(arguments.resume || arguments.overwrite) || !arguments.run.empty(),
          "--resume and --overwrite need --run");
  return {.path = arguments.run,
          .mode = arguments.resume      ? app::StartMode::resume
                  : arguments.overwrite ? app::StartMode::overwrite
                                        : app::StartMode::create,
          .checkpoint_every = arguments.checkpoint_every};
}

}  // namespace nw::cli
