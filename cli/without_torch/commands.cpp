// What nw has in place of the commands of nw-torch.
#include "cli/commands.hpp"

#include <CLI/CLI.hpp>

#include "cli/cluster/arguments.hpp"
#include "cli/dual.hpp"
#include "cli/hand_over.hpp"
#include "experiments/experiment.hpp"

namespace nw::cli {

using namespace experiments;
namespace {

void add_stub(CLI::App& app, Context& context, const char* name, const char* about) {
  CLI::App* command = app.add_subcommand(name, about);
  command->set_help_flag();  // --help goes over too
  command->allow_extras();
  command->callback([&context] { context.action = []() -> int { hand_over_to_torch(); }; });
}

}  // namespace

void add_gan(CLI::App& app, Context& context) {
  add_stub(app, context, "gan", kAboutGan);
}

void add_sample(CLI::App& app, Context& context) {
  add_stub(app, context, "sample", kAboutSample);
}

void add_denoise(CLI::App& app, Context& context) {
  add_stub(app, context, "denoise", kAboutDenoise);
}

void add_adapt(CLI::App& app, Context& context) {
  add_stub(app, context, "adapt", kAboutAdapt);
}

void add_predict(CLI::App& app, Context& context) {
  add_stub(app, context, "predict", kAboutPredict);
}

void add_score(CLI::App& app, Context& context) {
  add_stub(app, context, "score", kAboutScore);
}

int run_dual(const DualArguments&) {
  hand_over_to_torch();
}

int run_learning_cluster(const ClusterArguments&) {
  hand_over_to_torch();
}

int run_assign(const ClusterArguments&) {
  hand_over_to_torch();
}

}  // namespace nw::cli

namespace nw::experiments {

// Whoever asks for experiments goes over where that is possible: the other program has all of them.
std::vector<Experiment> learning_experiments() {
  if (cli::can_learn()) cli::hand_over_to_torch();
  return {};
}

}  // namespace nw::experiments
