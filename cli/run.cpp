#include "cli/run.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <map>
#include <new>
#include <regex>

#include <CLI/CLI.hpp>

#include "nw/base/error.hpp"
#include "nw/base/suggestion.hpp"
#include "nw/base/team.hpp"
#include "nw/base/version.hpp"

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

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

/// The subcommands given on the command line, the innermost last.
const CLI::App& innermost(const CLI::App& app) {
  const CLI::App* current = &app;
  for (;;) {
    const auto chosen = current->get_subcommands();
    if (chosen.empty()) return *current;
    current = chosen.front();
  }
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App* candidate) {
         return !candidate->get_group().empty();  // hidden commands have no group
       })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string help_hint(const CLI::App& app) {
  std::string command = app.get_name();
  for (const CLI::App* parent = app.get_parent(); parent != nullptr; parent = parent->get_parent())
    command = concat(parent->get_name(), " ", command);
  return "; see `" + command + " --help`";
}

/// An argument nothing expected: what was probably meant.
std::string explain_extra(const CLI::App& command, const std::string& extra) {
  const std::string name = extra.substr(0, extra.find('='));
  if (name.starts_with("-") && name != "-")
    return "unknown option '" + name + "'" + did_you_mean(name, option_names(command)) +
           help_hint(command);
  const auto commands = command_names(command);
  if (!commands.empty())
    return "unknown command '" + extra + "'" + did_you_mean(extra, commands) + help_hint(command);
  return "unexpected argument '" + extra + "'" + help_hint(command);
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = innermost(app);
  if (const auto extras = command.remaining(); !extras.empty()) {
    // The misspelt option comes before what was meant as its value.
    const auto option = std::find_if(extras.begin(), extras.end(),
                                     [](const std::string& text) { return text.starts_with("-"); });
    return explain_extra(command, option != extras.end() ? *option : extras.front());
  }
  std::string message = error.what();
  if (message.ends_with('\n')) message.pop_back();
  return message + help_hint(command);
}

/// The library names fields of its options; people know the option that sets the field.
std::string in_words_of_options(const CLI::App& command, const std::string& message) {
  static const std::regex kField(R"(^\w*Options\.((?:\w+\.)*\w+))");
  static const std::map<std::string, std::string> kOtherNames = {
      {"components", "k"},
      {"order", "p"},
      {"min_effect.share", "min-effect"},
      {"min_effect.deviations", "min-move"}};
  std::smatch found;
  if (!std::regex_search(message, found, kField)) return message;
  std::string name = found[1];
  const auto other = kOtherNames.find(name);
  name = other != kOtherNames.end() ? other->second : name.substr(name.find_last_of('.') + 1);
  std::ranges::replace(name, '_', '-');
  const auto options = option_names(command);
  if (std::ranges::find(options, "--" + name) == options.end()) return message;
  return "--" + name + found.suffix().str();
}

/// The library writes names of options between backquotes, as Python's users know them.
std::string with_option_names(const std::string& message) {
  static const std::regex kQuoted("`([a-z][a-z_]*)`");
  std::string text;
  std::size_t end = 0;
  for (std::sregex_iterator found(message.begin(), message.end(), kQuoted), none; found != none;
       ++found) {
    std::string name = (*found)[1];
    std::ranges::replace(name, '_', '-');
    const auto begin = static_cast<std::size_t>(found->position());
    text += message.substr(end, begin - end) + "--" + name;
    end = begin + static_cast<std::size_t>(found->length());
  }
  return text + message.substr(end);
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
