// `nw gan X [Y]`: train a mixture GAN.
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/dual.hpp"
#include "cli/hand_over.hpp"
#include "cli/option_kinds.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/gan_command.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {
namespace {

using gan::GanMethod;
using gan::Recipe;

void add_training_options(CLI::App& command, GanArguments& arguments) {
  const auto number = [&](const char* name, std::optional<std::int64_t>& value, const char* help) {
    command.add_option(name, value, help)->type_name("N");
  };
  number("--steps", arguments.steps, "Generator steps (default: those of the recipe)");
  number("--batch", arguments.batch, "Rows of data in a step");
  number("--critic-steps", arguments.critic_steps, "Critic steps for each generator step");
  number("--latent", arguments.latent, "Length of the noise that components map");
  number("--width", arguments.width, "Images: channels of the layers next to the image");
  command.add_option("--rate", arguments.rate, "All learning rates times this")->type_name("X");
  command.add_option("--diversity", arguments.diversity, "Reward for components that lie apart")
      ->type_name("X");
  command
      .add_option_function<std::string>(
          "--lipschitz",
          [&arguments](const std::string& name) {
            using train::Lipschitz;
            for (const auto control :
                 {Lipschitz::clipping, Lipschitz::gradient_penalty, Lipschitz::spectral_norm}) {
              if (name == to_string(control)) arguments.lipschitz = control;
            }
            if (!arguments.lipschitz) {
              throw CLI::ValidationError(
                  "--lipschitz",
                  "'" + name + "' is not one of clipping|gradient-penalty|spectral-norm");
            }
          },
          "How the critic is kept 1-Lipschitz")
      ->type_name("clipping|gradient-penalty|spectral-norm");
  add_run_options(command, arguments, "Run directory: log, checkpoints, samples, result");
  command.add_option("-o,--samples", arguments.samples, "Write as many rows as X has")
      ->type_name("FILE.csv|.npy|.png");
}

}  // namespace

void add_gan(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("gan", kAboutGan);
  const auto arguments = std::make_shared<GanArguments>();
  add_input_arguments(*command, arguments->inputs, /*y_required=*/false);
  add_choice<GanMethod>(
      *command, "--method", arguments->method,
      {{"nwgan", GanMethod::nwgan}, {"wgan", GanMethod::wgan}, {"mgan", GanMethod::mgan}},
      "Learnt proportions; one network; equal proportions with a classifier");
  add_choice<Recipe>(*command, "--recipe", arguments->recipe,
                     {{"best", Recipe::best}, {"paper", Recipe::paper}},
                     "Networks and rates: ours, or those of the paper's tables");
  command->add_option("--k", arguments->k, "Number of components")->type_name("N");
  command->add_flag("--fixed-pi", arguments->fixed_pi, "Hold the proportions at 1/k");
  add_training_options(*command, *arguments);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw gan points.csv --k 5 --run my-run --report page.html\n"
      "  nw gan points.csv --k 5 --run my-run --resume\n"
      "  nw gan points.npy --method wgan -o generated.csv\n"
      "  nw gan before.csv after.csv --k 4 --json -\n"
      "  nw gan train-images-idx3-ubyte.gz --k 10 --width 16 --steps 500 --run digits\n"
      "Exit code 4: stopped by Ctrl-C (--resume goes on) or diverged.");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_gan(*arguments); }; });
}

int run_dual(const DualArguments& dual) {
  GanArguments arguments;
  arguments.common = dual.common;
  arguments.inputs = dual.inputs;
  arguments.command = dual.command;
  arguments.k = dual.k;
  arguments.steps = dual.steps;
  arguments.report = dual.report;
  return run_gan(arguments);
}

}  // namespace nw::cli
