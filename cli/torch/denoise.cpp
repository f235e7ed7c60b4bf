// `nw denoise --source S --target T`: learn to denoise from clean rows that are paired with none of
// the noisy ones.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/app/compare/complete_record.hpp"
#include "nw/app/denoising/denoising.hpp"
#include "nw/app/learning/run_columns.hpp"
#include "nw/app/learning/start_learning.hpp"
#include "nw/base/error.hpp"

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/hand_over.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/print_record.hpp"
#include "cli/progress_observer.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/adapt_inputs.hpp"
#include "cli/torch/run_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {
namespace {

struct DenoiseArguments {
  CommonOptions common;
  PointOptions points;
  std::string source, target, clean_target, apply;
  app::DenoisingOptions options;
  std::string run, output, report, device = "auto";
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;
};

io::LoadOptions loading(const DenoiseArguments& arguments) {
  io::LoadOptions load = arguments.points.load;
  load.threads = arguments.common.threads;
  return load;
}

int run_training(const DenoiseArguments& arguments, const app::DenoisingOptions& options) {
  require(options.method != adapt::DenoiseMethod::oracle || !arguments.clean_target.empty(),
          "the oracle learns from originals of the target: give them by --clean-target");
  const std::string& label = arguments.points.load.label_column;
  table::Inputs domains = load_domains({arguments.source, {}, label}, {arguments.target, {}, label},
                                       arguments.points, arguments.common);
  app::DenoisingData data{.source = std::move(domains.x),
                          .target = std::move(domains.y),
                          .source_name = arguments.source,
                          .target_name = arguments.target};
  if (!arguments.clean_target.empty()) {
    data.clean_target =
        app::load_like(domains.encoding, arguments.clean_target, loading(arguments));
  }
  const InterruptScope interrupt;
  const auto observer = training_observer(arguments.common.show_progress());
  auto result =
      app::train_denoiser(data, options, app::keeping_columns(arguments.run, domains, observer));
  if (result.repeated) {
    print_finished_run(arguments.common, arguments.run);
  } else {
    app::complete_record(domains, result.record);
    print_record(arguments.common, result.record);
    print_cost(arguments.common, result.record.seconds);
    print_description(arguments.points, arguments.common, domains);
    if (!arguments.output.empty()) {
      app::write_rows(arguments.output, result.denoised, domains.encoding);
    }
    write_page(arguments.report, result.record);
  }
  write_result(arguments.common, result.record);
  return result.finished ? kDone : kNotConverged;
}

/// Denoises further rows with the model of a run.
int run_apply(const DenoiseArguments& arguments) {
  require(!arguments.run.empty(), "--apply needs the run whose model is meant: --run DIR");
  require(!arguments.output.empty(), "--apply needs a place for the denoised rows: -o FILE");
  app::start_learning(arguments.common.threads);
  const auto denoiser = app::Denoiser::load(arguments.run);
  const auto columns = app::columns_of_run(arguments.run);
  const auto noisy = app::load_like(columns, arguments.apply, loading(arguments));
  const auto [clean, removed] = app::denoise_points(denoiser, noisy);
  app::write_rows(arguments.output, clean, columns);
  if (arguments.common.human_output() && !arguments.common.quiet) {
    std::cout << clean.rows() << " rows denoised by step " << denoiser.step() << " in "
              << arguments.output << '\n';
  }
  Json result = start_result("denoise", arguments.common);
  result["rows"] = clean.rows();
  result["step"] = denoiser.step();
  result["residual_variance"] = removed;
  result["file"] = arguments.output;
  write_result(arguments.common, result);
  return kDone;
}

int run_denoise(const DenoiseArguments& arguments) {
  auto options = arguments.options;
  options.run = run_folder(arguments);
  options.seed = arguments.common.seed;
  options.threads = arguments.common.threads;
  options.device = arguments.device;
  for (const auto* file : {&arguments.common.json, &arguments.report, &arguments.output}) {
    require_writable(*file);
  }
  if (!arguments.apply.empty()) return run_apply(arguments);
  require(!arguments.source.empty(), "--source: say where the clean rows are");
  require(!arguments.target.empty(), "--target: say where the noisy rows are");
  return run_training(arguments, options);
}

}  // namespace

void add_denoise(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("denoise", kAboutDenoise);
  const auto arguments = std::make_shared<DenoiseArguments>();
  command->add_option("--source", arguments->source, "Clean rows: images or a table")
      ->type_name("S");
  command->add_option("--target", arguments->target, "Noisy rows of other originals")
      ->type_name("T");
  command
      ->add_option("--clean-target", arguments->clean_target,
                   "Originals of the target, for scoring and the oracle alone")
      ->type_name("C");
  add_field_options(*command, arguments->options);
  add_run_options(*command, *arguments, "Run directory: log, checkpoints, model, result, page");
  command->add_option("-o,--output", arguments->output, "Write the denoised target rows")
      ->type_name("FILE.csv|.npy");
  command->add_option("--apply", arguments->apply, "Denoise these rows by the model of --run")
      ->type_name("DATA");
  add_point_options(*command, arguments->points);
  add_table_options(*command, arguments->points);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw denoise --source clean.npy --target noisy.npy --run my-run -o denoised.npy\n"
      "  nw denoise --run my-run --apply more.npy -o more-denoised.npy\n"
      "  nw denoise --source a.csv --target b.csv --method wasserstein --json -\n"
      "Exit code 4: stopped by Ctrl-C (continue with --resume) or diverged.");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_denoise(*arguments); }; });
}

}  // namespace nw::cli
