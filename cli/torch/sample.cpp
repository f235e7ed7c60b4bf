// `nw sample RUN -n N -o FILE`: draw from a trained model.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/app/generation/model.hpp"
#include "nw/app/generation/sample_file.hpp"
#include "nw/app/learning/run_columns.hpp"
#include "nw/base/error.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"

namespace nw::cli {
namespace {

struct SampleArguments {
  CommonOptions common;
  std::string run, output;
  std::int64_t count = 1000;
  std::size_t data_set = 1;
};

int run_sample(const SampleArguments& arguments) {
  require(arguments.count > 0, "-n must be positive, got ", arguments.count);
  require(arguments.data_set > 0, "--data-set counts from 1");
  require_writable(arguments.output);
  require_writable(arguments.common.json);
  const auto model = app::load_generation_model(arguments.run);
  const auto columns = app::columns_of_run(arguments.run);
  app::require_sample_format(arguments.output, model->image().has_value());
  const auto sample = model->sample(arguments.count, {.seed = arguments.common.seed,
                                                      .data_set = arguments.data_set - 1,
                                                      .threads = arguments.common.threads});
  if (columns) {
    app::write_rows(arguments.output, sample.rows, *columns, sample.component_of);
  } else {
    app::write_sample(arguments.output, sample.rows,
                      {.component_of = sample.component_of, .image = model->image()});
  }
  if (arguments.common.human_output() && !arguments.common.quiet) {
    std::cout << arguments.count << " rows of step " << model->step() << " in " << arguments.output
              << '\n';
  }
  Json result = start_result("sample", arguments.common);
  result["rows"] = arguments.count;
  result["dim"] = sample.rows.cols();
  result["step"] = model->step();
  result["pi"] = model->pi()[arguments.data_set - 1];
  if (columns) result["columns"] = columns->column_names();
  result["file"] = arguments.output;
  write_result(arguments.common, result);
  return kDone;
}

}  // namespace

void add_sample(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("sample", kAboutSample);
  const auto arguments = std::make_shared<SampleArguments>();
  command->add_option("RUN", arguments->run, "Run directory of nw gan")->required();
  command->add_option("-n,--count", arguments->count, "Rows to draw")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("-o,--output", arguments->output, "Where they go")
      ->type_name("FILE.csv|.npy|.png")
      ->required();
  command
      ->add_option("--data-set", arguments->data_set,
                   "After training on two data sets: the one whose proportions to use")
      ->type_name("1|2")
      ->capture_default_str();
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw sample my-run -n 5000 -o generated.csv --seed 7\n"
      "  nw sample digits -n 100 -o sheet.png");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_sample(*arguments); }; });
}

}  // namespace nw::cli
