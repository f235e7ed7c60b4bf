// The subcommands of nw. A new one is a file cli/<name>.cpp that defines add_<name>, a declaration
// here and a line in kCommands.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace nw::cli {

/// Filled while the command line is parsed, used once it is understood.
struct Context {
  /// What the chosen subcommand does; returns an ExitCode.
  std::function<int()> action;
};

void add_distance(CLI::App& app, Context& context);
void add_certify(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_choose_k(CLI::App& app, Context& context);
void add_cluster(CLI::App& app, Context& context);
void add_gan(CLI::App& app, Context& context);
void add_sample(CLI::App& app, Context& context);
void add_denoise(CLI::App& app, Context& context);
void add_adapt(CLI::App& app, Context& context);
void add_predict(CLI::App& app, Context& context);
void add_score(CLI::App& app, Context& context);
void add_reproduce(CLI::App& app, Context& context);
void add_data(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_bench(CLI::App& app, Context& context);
void add_describe(CLI::App& app, Context& context);

using AddCommand = void (*)(CLI::App&, Context&);
/// In the order of `nw --help`.
inline constexpr AddCommand kCommands[] = {add_compare, add_choose_k, add_cluster, add_distance,
                                           add_certify, add_gan,      add_sample,  add_adapt,
                                           add_predict, add_denoise,  add_score,   add_reproduce,
                                           add_data,    add_report,   add_bench,   add_describe};

}  // namespace nw::cli
