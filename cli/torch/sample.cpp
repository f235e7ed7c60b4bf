// `nw sample RUN -n N -o FILE`: draw from a trained model.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/run/run_directory.hpp"

#include "app/generation/sample_file.hpp"
#include "app/learning/session.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"

namespace nw::cli {

using namespace app;
namespace {

struct SampleArguments {
  CommonOptions common;
  std::string run, output;
  std::int64_t count = 1000;
  std::size_t data_set = 1;
};

std::optional<io::ImageShape> image_of(const gan::Normalisation& data) {
  if (!data.is_image()) return std::nullopt;
  const auto size = [](std::int64_t pixels) { return static_cast<std::size_t>(pixels); };
  return io::ImageShape{.height = size(data.image.height),
                        .width = size(data.image.width),
                        .channels = size(data.image.channels)};
}

int run_sample(const SampleArguments& arguments) {
  require(arguments.count > 0, "-n must be positive, got ", arguments.count);
  require(arguments.data_set > 0, "--data-set counts from 1");
  require_writable(arguments.output);
  require_writable(arguments.common.json);
  start_learning(arguments.common.threads);
  const auto config = nlohmann::json::parse(run::read_config(arguments.run));
  if (!config.contains("model")) {
    throw IoError(concat(arguments.run, ": config.json describes no model that can be sampled"));
  }
  const auto model = gan::load_model(arguments.run, config.at("model").dump());
  require_sample_format(arguments.output, model.normalisation.is_image());
  const auto sample =
      model.sample(arguments.count, arguments.data_set - 1, Rng(arguments.common.seed));
  write_sample(arguments.output, sample.rows,
               {.component_of = sample.component_of, .image = image_of(model.normalisation)});
  if (arguments.common.human_output() && !arguments.common.quiet) {
    std::cout << arguments.count << " rows of step " << model.step << " in " << arguments.output
              << '\n';
  }
  Json result = start_result("sample", arguments.common);
  result["rows"] = arguments.count;
  result["dim"] = sample.rows.cols();
  result["step"] = model.step;
  result["pi"] = model.pi[arguments.data_set - 1];
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
  command->add_option("--data-set", arguments->data_set, "Of a run on two: whose proportions")
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
