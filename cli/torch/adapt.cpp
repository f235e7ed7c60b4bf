// `nw adapt`: a classifier for a target without labels, from a source with labels.
#include <memory>

#include <CLI/CLI.hpp>

#include "nw/app/adaptation/adaptation.hpp"
#include "nw/app/compare/complete_record.hpp"
#include "nw/app/learning/run_columns.hpp"

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/hand_over.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/output_file.hpp"
#include "cli/print_record.hpp"
#include "cli/progress_observer.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/adapt_inputs.hpp"
#include "cli/torch/run_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {
namespace {

struct AdaptArguments {
  CommonOptions common;
  PointOptions points;
  LabelledInput source, target;
  app::AdaptationOptions options;
  std::string run, predictions, report, device = "auto";
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;
};

int run_adapt(const AdaptArguments& arguments) {
  auto options = arguments.options;
  options.run = run_folder(arguments);
  options.seed = arguments.common.seed;
  options.threads = arguments.common.threads;
  options.device = arguments.device;
  options.team = join_team();
  const bool lead = leads(options.team);
  for (const auto* file : {&arguments.common.json, &arguments.report, &arguments.predictions}) {
    if (lead) require_writable(*file);
  }
  table::Inputs domains =
      load_domains(arguments.source, arguments.target, arguments.points, arguments.common);
  if (!domains.x.labels) {
    throw IoError(concat(domains.x.source,
                         " has no labels: give them with --source-labels or --label-column"));
  }
  const InterruptScope interrupt;
  const auto observer = training_observer(arguments.common.show_progress() && lead);
  auto result = app::adapt_classifier(
      {.source = std::move(domains.x),
       .target = std::move(domains.y),
       .source_name = arguments.source.points,
       .target_name = arguments.target.points},
      options, app::keeping_columns(lead ? arguments.run : "", domains, observer));
  const int code = result.finished ? kDone : kNotConverged;
  if (!lead) return code;
  if (result.repeated) {
    print_finished_run(arguments.common, arguments.run);
  } else {
    app::complete_record(domains, result.record);
    print_record(arguments.common, result.record);
    print_cost(arguments.common, result.record.seconds);
    print_description(arguments.points, arguments.common, domains);
    if (!arguments.predictions.empty()) {
      app::write_predictions(arguments.predictions, result.target, result.model.classes());
    }
    write_page(arguments.report, result.record);
  }
  write_result(arguments.common, result.record);
  return code;
}

void add_domain_options(CLI::App& command, AdaptArguments& arguments) {
  const auto add = [&](const char* name, std::string& value, const char* help, const char* type) {
    return command.add_option(name, value, help)->type_name(type);
  };
  auto &source = arguments.source, &target = arguments.target;
  add("--source", source.points, "Rows with labels: table or images", "FILE|DIR")->required();
  add("--target", target.points, "Rows without labels", "FILE|DIR")->required();
  add("--source-labels", source.labels,
      "Labels of the source, unless a column or sub-folders hold them", "FILE");
  add("--target-labels", target.labels, "Labels of the target, for scoring only", "FILE");
  add("--target-label-column", target.label_column,
      "Column of the target with labels, for scoring only", "NAME");
}

void add_training_options(CLI::App& command, AdaptArguments& arguments) {
  auto& options = arguments.options;
  command.add_option("--network", options.network, help_of(options, "network"))
      ->type_name("auto|lenet|small|FILE.safetensors")
      ->capture_default_str();
  command.add_option("--weights", options.weights, help_of(options, "weights"))
      ->type_name("FILE.safetensors");
  command.add_option("--fine-tune", options.fine_tune, help_of(options, "fine_tune"))
      ->type_name("FILE.safetensors")
      ->excludes("--weights");
  add_field_options(command, options);
  std::string names;
  for (const auto& setting : app::adaptation_settings()) {
    names += (names.empty() ? "" : ", ") + setting.name;
  }
  command.add_option("--set", options.settings, "Replace a value of the recipe: " + names)
      ->type_name("NAME=VALUE");
  add_run_options(command, arguments, "Run directory: log, checkpoints, model, result, page");
  command
      .add_option("-o,--predictions", arguments.predictions, "Write the class of every target row")
      ->type_name("FILE.csv");
}

}  // namespace

void add_adapt(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("adapt", kAboutAdapt);
  const auto arguments = std::make_shared<AdaptArguments>();
  add_domain_options(*command, *arguments);
  add_training_options(*command, *arguments);
  add_point_options(*command, arguments->points);
  add_table_options(*command, arguments->points);
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
      "Labels of the target never touch training. Exit code 4: stopped by Ctrl-C (continue with\n"
      "--resume) or diverged.");
  command->callback([arguments, &context] {
    arguments->source.label_column = arguments->points.load.label_column;
    arguments->points.load.label_column.clear();
    context.action = [arguments] { return run_adapt(*arguments); };
  });
}

}  // namespace nw::cli
