#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
namespace nw::cli {
void add_distance(CLI::App& app, Context&) {
  app.add_subcommand("distance", "soon");
}
}  // namespace nw::cli
