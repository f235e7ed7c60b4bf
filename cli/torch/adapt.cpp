// `nw adapt`: a classifier for a target without labels, from a source with labels.
#include <memory>

#include <CLI/CLI.hpp>

#include "app/adaptation/settings.hpp"
#include "cli/commands.hpp"
#include "cli/hand_over.hpp"
#include "cli/option_kinds.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/adapt_command.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {

using namespace app;
namespace {

using adapt::AdaptMethod;
using adapt::Recipe;

void add_domain_options(CLI::App& command, AdaptArguments& arguments) {
  command.add_option("--source", arguments.source.points, "Rows with labels: table or images")
      ->type_name("FILE|DIR")
      ->required();
  command.add_option("--target", arguments.target.points, "Rows without labels")
      ->type_name("FILE|DIR")
      ->required();
  command
      .add_option("--source-labels", arguments.source.labels,
                  "Labels of the source, unless a column or sub-folders tell them")
      ->type_name("FILE");
  command
      .add_option("--target-labels", arguments.target.labels,
                  "Labels of the target, for scoring only")
      ->type_name("FILE");
  command
      .add_option("--target-label-column", arguments.target.label_column,
                  "Column of the target with labels, for scoring only")
      ->type_name("NAME");
}

void add_backbone_option(CLI::App& command, AdaptArguments& arguments) {
  command
      .add_option("--weights", arguments.source.weights,
                  "Images as features of a network trained elsewhere: ResNet-18 or MobileNet-v1")
      ->type_name("FILE.safetensors");
  command
      .add_option("--fine-tune", arguments.fine_tune,
                  "Images through such a network, which learns on (for a GPU)")
      ->type_name("FILE.safetensors")
      ->excludes("--weights");
}

void add_training_options(CLI::App& command, AdaptArguments& arguments) {
  command.add_option("--steps", arguments.steps, "Steps; the recipe's by default")->type_name("N");
  command
      .add_option("--set", arguments.settings, "Replace a value of the recipe: " + setting_names())
      ->type_name("NAME=VALUE");
  add_run_options(command, arguments, "Run directory: log, checkpoints, result, page");
  command
      .add_option("-o,--predictions", arguments.predictions, "Write the class of every target row")
      ->type_name("FILE.csv");
}

}  // namespace

void add_adapt(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("adapt", kAboutAdapt);
  const auto arguments = std::make_shared<AdaptArguments>();
  add_domain_options(*command, *arguments);
  add_backbone_option(*command, *arguments);
  add_choice<AdaptMethod>(*command, "--method", arguments->method,
                          {{"nw", AdaptMethod::nw},
                           {"source-only", AdaptMethod::source_only},
                           {"dann", AdaptMethod::dann},
                           {"wasserstein", AdaptMethod::wasserstein},
                           {"iwdan", AdaptMethod::iwdan},
                           {"sdann", AdaptMethod::sdann},
                           {"bbse", AdaptMethod::bbse}},
                          "What is done about the target");
  add_choice<Recipe>(*command, "--recipe", arguments->recipe,
                     {{"best", Recipe::best}, {"paper", Recipe::paper}},
                     "Networks and rates: ours, or those of the paper and its program");
  add_training_options(*command, *arguments);
  add_point_options(*command, arguments->points);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw adapt --source spring.csv --label-column group --target autumn.csv -o classes.csv\n"
      "  nw adapt --source digits/source-train-images-idx3-ubyte \\\n"
      "     --source-labels digits/source-train-labels-idx1-ubyte \\\n"
      "     --target digits/target-train-images-idx4-ubyte --run my-run --report page.html\n"
      "  nw adapt --source photos/ --target drawings/ --method dann --json -\n"
      "  nw adapt --source photos/ --target drawings/ --fine-tune resnet18.safetensors\n"
      "Labels of the target never touch training. Exit code 4: stopped by Ctrl-C (--resume goes "
      "on)\n"
      "or diverged.");
  command->callback([arguments, &context] {
    arguments->target.weights = arguments->source.weights;
    arguments->source.label_column = arguments->points.load.label_column;
    arguments->points.load.label_column.clear();
    context.action = [arguments] { return run_adapt(*arguments); };
  });
}

}  // namespace nw::cli
