// `nw describe FOLDER` (hidden): man pages, completions and the manual in Markdown, for packages,
// `cmake --install` and the documentation's site.
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"

#include "cli/commands.hpp"
#include "cli/describe/completion.hpp"
#include "cli/describe/man_page.hpp"
#include "cli/describe/markdown_page.hpp"
#include "cli/exit_code.hpp"

namespace nw::cli {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    throw IoError(concat(file.parent_path().string(), ": cannot be created: ", error.message()));
  }
  io::write_file_atomically(file, text);
}

/// Where Debian looks for each kind of file, below share/.
int describe_all(const CommandTree& tree, const std::filesystem::path& share) {
  write(share / "man/man1/nw.1", man_page(tree));
  write(share / "doc/nw/commands/commands.md", markdown_page(tree));
  for (const CommandInfo& command : tree.commands) {
    write(share / "man/man1" / ("nw-" + command.name + ".1"), man_page(command));
    write(share / "doc/nw/commands" / ("nw-" + command.name + ".md"), markdown_page(command));
  }
  write(share / "bash-completion/completions/nw", bash_completion(tree));
  write(share / "zsh/vendor-completions/_nw", zsh_completion(tree));
  write(share / "fish/vendor_completions.d/nw.fish", fish_completion(tree));
  return kDone;
}

}  // namespace

void add_describe(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("describe", "Write man pages, completions and the manual in Markdown")
          ->group("");
  const auto folder = std::make_shared<std::string>();
  command->add_option("folder", *folder, "Gets man/, doc/, bash-completion/, zsh/ and fish/")
      ->type_name("FOLDER")
      ->required();
  command->callback([folder, &app, &context] {
    context.action = [folder, &app] { return describe_all(read_command_tree(app), *folder); };
  });
}

}  // namespace nw::cli
