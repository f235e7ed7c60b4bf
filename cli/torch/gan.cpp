// `nw gan X [Y]`: train a mixture GAN. `nw compare --dual` and `nw distance --method nw-dual` too.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "nw/app/compare/complete_record.hpp"
#include "nw/app/generation/sample_file.hpp"
#include "nw/app/generation/train_generator.hpp"
#include "nw/app/learning/run_columns.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "cli/commands.hpp"
#include "cli/dual.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/hand_over.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/output_file.hpp"
#include "cli/print_record.hpp"
#include "cli/progress_observer.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {
namespace {

struct GanArguments {
  CommonOptions common;
  InputArguments inputs;
  app::GenerationOptions options;
  std::string command = "gan";
  std::string run;  ///< run directory; empty: none
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a run
  std::string device = "auto";
  std::string samples;  ///< file for as many rows as the data have; empty: none
  std::string report;
};

int run_gan(const GanArguments& arguments) {
  app::GenerationOptions options = arguments.options;
  options.seed = arguments.common.seed;
  options.threads = arguments.common.threads;
  options.device = arguments.device;
  require(options.k > 0 || options.method == gan::GanMethod::wgan,
          "--k: say how many components there are (nw choose-k finds out)");
  const app::RunFolder folder = run_folder(arguments);
  Team* const team = join_team();
  if (leads(team)) {
    for (const auto& file : {arguments.common.json, arguments.report, arguments.samples}) {
      require_writable(file);
    }
  }
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  if (!arguments.samples.empty()) {
    app::require_sample_format(arguments.samples, inputs.x.image.has_value());
  }
  const InterruptScope interrupt;
  const auto observer = training_observer(arguments.common.show_progress() && leads(team));
  app::Generation trained = app::train_generator(
      {.x = inputs.x,
       .y = inputs.y.size() > 0 ? &inputs.y : nullptr,
       .name_x = arguments.inputs.x,
       .name_y = arguments.inputs.y},
      options, app::keeping_columns(leads(team) ? arguments.run : "", inputs, observer),
      {.folder = folder,
       .command = arguments.command,
       .all_rows = !arguments.samples.empty(),
       .team = team});
  if (trained.finished_before) {
    if (!leads(team)) return kDone;
    print_finished_run(arguments.common, arguments.run);
    write_result(arguments.common, trained.record);
    return kDone;
  }
  const int code = trained.result.finished() ? kDone : kNotConverged;
  if (!leads(team)) return code;
  app::complete_record(inputs, trained.record);
  print_record(arguments.common, trained.record);
  print_description(arguments.inputs, arguments.common, inputs);
  print_cost(arguments.common, trained.record.seconds);
  if (!arguments.samples.empty()) {
    const auto& [rows, component_of] = trained.result.generated[0];
    if (inputs.encoding) {
      app::write_rows(arguments.samples, rows, *inputs.encoding, component_of);
    } else {
      app::write_sample(arguments.samples, rows,
                        {.component_of = component_of,
                         .column_names = inputs.x.column_names,
                         .image = inputs.x.image});
    }
  }
  write_result(arguments.common, trained.record);
  write_page(arguments.report, trained.record);
  return code;
}

}  // namespace

void add_gan(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("gan", kAboutGan);
  const auto arguments = std::make_shared<GanArguments>();
  add_input_arguments(*command, arguments->inputs, Sides::one_or_two);
  add_field_options(*command, arguments->options);
  add_run_options(*command, *arguments, "Run directory: log, checkpoints, samples, result");
  command->add_option("-o,--samples", arguments->samples, "Write as many rows as X has")
      ->type_name("FILE.csv|.npy|.png");
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw gan points.csv --k 5 --run my-run --report page.html\n"
      "  nw gan points.csv --k 5 --run my-run --resume\n"
      "  nw gan points.npy --method wgan -o generated.csv\n"
      "  nw gan before.csv after.csv --k 4 --json -\n"
      "  nw gan train-images-idx3-ubyte.gz --k 10 --width 16 --steps 500 --run digits\n"
      "Exit code 4: stopped by Ctrl-C (continue with --resume) or diverged.");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_gan(*arguments); }; });
}

int run_dual(const DualArguments& dual) {
  GanArguments arguments;
  arguments.common = dual.common;
  arguments.inputs = dual.inputs;
  arguments.command = dual.command;
  arguments.options.k = dual.k;
  arguments.options.steps = dual.steps;
  arguments.report = dual.report;
  return run_gan(arguments);
}

}  // namespace nw::cli
