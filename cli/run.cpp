#include "cli/run.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/base/team.hpp"
#include "nw/base/version.hpp"

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/misuse.hpp"
#include "cli/option_names.hpp"

namespace nw::cli {
namespace {

constexpr const char* kAbout =
    "The Normalized Wasserstein measure: tells whether two data sets differ in their members or\n"
    "only in the proportions of the same sub-populations.";

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 2 misuse, 3 bad or missing input or output, 4 did not converge.\n"
    "`nw help COMMAND` shows the options of a command and examples.";

int fail(ExitCode code, const std::string& message) {
  std::cout.flush();
  std::cerr << "nw: " << message << '\n';
  return code;
}

/// `nw help COMMAND` is `nw COMMAND --help`.
std::vector<std::string> with_help_as_option(std::vector<std::string> arguments) {
  if (arguments.empty() || arguments.front() != "help") return arguments;
  arguments.erase(arguments.begin());
  arguments.emplace_back("--help");
  return arguments;
}

int parse_and_run(const std::vector<std::string>& given) {
  const std::vector<std::string> arguments = with_help_as_option(given);
  CLI::App app{kAbout, "nw"};
  app.footer(kExitCodes);
  app.set_version_flag("--version", std::string("nw ") + version());
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  Context context;
  for (const AddCommand add : kCommands) add(app, context);

  if (arguments.empty()) {
    std::cout << app.help();
    return kMisuse;
  }
  if (arguments.size() > 1 && given.front() == "help" &&
      std::ranges::count(command_names(app), arguments.front()) == 0) {
    return fail(kMisuse, explain_extra(app, arguments.front()));
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // last first
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();  // of the subcommand, if one was given
    return kDone;
  } catch (const CLI::CallForVersion&) {
    std::cout << "nw " << version() << '\n';
    return kDone;
  } catch (const CLI::ParseError& error) {
    return fail(kMisuse, explain(app, error));
  }
  try {
    return context.action ? context.action() : kDone;
  } catch (const InvalidArgument& error) {
    return fail(kMisuse, in_words_of_options(innermost(app), with_option_names(error.what())));
  }
}

}  // namespace

int run(const std::vector<std::string>& arguments) {
  try {
    const int code = parse_and_run(arguments);
    if (!std::cout.flush()) return fail(kBadFile, "standard output: cannot write");
    return code;
  } catch (const InvalidArgument& error) {
    return fail(kMisuse, with_option_names(error.what()));
  } catch (const IoError& error) {
    return fail(kBadFile, with_option_names(error.what()));
  } catch (const TeamLost& error) {
    return fail(kNotConverged, concat(error.what(),
                                      "; a run with --run continues from its last checkpoint with "
                                      "--resume"));
  } catch (const std::bad_alloc&) {
    return fail(kInternalError, "out of memory");
  } catch (const std::exception& error) {
    return fail(kInternalError, concat("internal error: ", error.what()));
  }
}

}  // namespace nw::cli
