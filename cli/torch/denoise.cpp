// `nw denoise --source S --target T`: learn to denoise from clean rows that correspond to none of
// the noisy ones.
#include <filesystem>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/training_record.hpp"

#include "app/denoising/training.hpp"
#include "app/learning/optimizer_json.hpp"
#include "app/learning/session.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/interrupt.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/point_options.hpp"
#include "cli/report_option.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/finished_run.hpp"
#include "cli/torch/run_options.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {

using namespace app;
namespace {

using adapt::DenoiseMethod;
using adapt::DenoiseRecipe;

struct DenoiseArguments {
  CommonOptions common;
  PointOptions points;
  std::string source, target, clean_target, apply;
  DenoiseMethod method = DenoiseMethod::nw;
  DenoiseRecipe recipe = DenoiseRecipe::best;
  std::int64_t k = 2;
  // What replaces the recipe's choice where it is given.
  std::optional<std::int64_t> steps, batch, initial_steps, embedding, width;
  std::optional<double> weight;
  std::string run, output, report;
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;
  std::string device = "auto";
};

adapt::DenoiseOptions options_of(const DenoiseArguments& arguments, const io::PointSet& source) {
  auto options =
      adapt::denoise_recipe(arguments.recipe, arguments.method, adapt::network_for(source));
  options.components = arguments.k;
  if (arguments.steps) options.set_steps(*arguments.steps);
  if (arguments.initial_steps) {
    options.initial_steps = *arguments.initial_steps;
    options.components_from = std::min(options.components_from, options.initial_steps);
  }
  if (arguments.batch) options.game.batch = *arguments.batch;
  if (arguments.embedding) options.network.embedding = *arguments.embedding;
  if (arguments.width) options.network.channels = *arguments.width;
  if (arguments.weight) options.weight = *arguments.weight;
  options.validate();
  return options;
}

/// Everything that decides the numbers of a run.
Json config_of(const DenoiseArguments& arguments, const adapt::DenoiseOptions& options,
               const DenoiseTask& task) {
  const auto& game = options.game;
  return Json{
      {"command", "denoise"},
      {"source", arguments.source},
      {"rows_source", task.source.size()},
      {"target", arguments.target},
      {"rows_target", task.target.size()},
      {"method", to_string(options.method)},
      {"recipe", to_string(arguments.recipe)},
      {"seed", arguments.common.seed},
      {"steps", options.steps},
      {"initial_steps", options.initial_steps},
      {"components_from", options.components_from},
      {"ramp_steps", options.ramp_steps},
      {"k", options.components},
      {"lambda", options.weight},
      {"batch", game.batch},
      {"form", to_string(options.form)},
      {"one_batch", options.one_batch},
      {"critic_steps", game.critic_steps},
      {"critic_hidden", options.critic_hidden},
      {"component_hidden", options.component_hidden},
      {"lipschitz", to_string(game.lipschitz)},
      {"clip", game.clip},
      {"penalty", game.penalty},
      {"averaging", options.averaging},
      {"encoder_optimizer", optimizer_json(options.encoder)},
      {"decoder_optimizer", optimizer_json(options.decoder)},
      {"critic_optimizer", optimizer_json(game.critic)},
      {"component_optimizer", optimizer_json(game.generator)},
      {"pi_optimizer", optimizer_json(game.proportions)},
      {"device", arguments.device},
      {"model", Json::parse(adapt::denoiser_json(options.network, adapt::fit_scale(task.source)))}};
}

void write_matrix(const std::string& file, const Matrix& rows) {
  if (file.empty()) return;
  if (std::filesystem::path(file).extension() == ".npy") {
    io::write_npy(file, rows.view());
  } else {
    io::write_csv(file, rows.view());
  }
}

DenoiseTask load_task(const DenoiseArguments& arguments) {
  auto load = arguments.points.load;
  load.threads = arguments.common.threads;
  DenoiseTask task{.source = io::load_points(arguments.source, load),
                   .target = io::load_points(arguments.target, load)};
  if (!arguments.clean_target.empty()) {
    task.clean_target = io::load_points(arguments.clean_target, load);
  }
  check_task(task, arguments.method);
  return task;
}

void print(const CommonOptions& common, const record::RunRecord& record,
           const DenoiseOutcome& outcome) {
  if (!common.human_output()) return;
  if (common.quiet) {
    std::cout << significant(outcome.target_error.value_or(outcome.residual_variance)) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  for (const auto& metric : record.metrics) {
    std::cout << "  " << metric.label << "  " << significant(metric.value) << '\n';
  }
  for (const auto& [name, pi] : {std::pair{"pi of the source", &outcome.pi_source},
                                 std::pair{"pi of the target", &outcome.pi_target}}) {
    if (pi->empty()) continue;
    std::cout << "  " << name << " ";
    for (const double p : *pi) std::cout << ' ' << significant(p, 3);
    std::cout << '\n';
  }
  for (const std::string& warning : record.warnings) std::cout << "- " << warning << '\n';
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

int run_training(const DenoiseArguments& arguments) {
  const DenoiseTask task = load_task(arguments);
  const auto options = options_of(arguments, task.source);
  std::optional<run::RunDirectory> directory;
  if (!arguments.run.empty()) {
    directory = open_run(arguments, config_of(arguments, options, task));
  }
  if (directory && directory->finished()) {
    return repeat_finished_run(arguments.run, arguments.common);
  }
  const InterruptScope interrupt;
  const Stopwatch clock;
  std::optional<TrainingProgress> progress;
  DenoiseTraining how{.options = options,
                      .seed = arguments.common.seed,
                      .device = arguments.device,
                      .threads = arguments.common.threads,
                      .checkpoint_every = arguments.checkpoint_every};
  how.observer = [&](const train::LoopProgress& at) {
    if (!progress) {
      progress.emplace("denoise", arguments.common.show_progress(),
                       std::max<std::int64_t>(0, at.step - 1));
    }
    if (progress->due()) {
      progress->update({.step = at.step,
                        .total = at.steps,
                        .losses = at.values,
                        .pi = at.proportions.empty() ? std::vector<double>{} : at.proportions[1]});
    }
    return !InterruptScope::requested();
  };
  const DenoiseOutcome outcome = train_denoiser(task, how, directory ? &*directory : nullptr);
  progress.reset();

  auto record = record::start_record(record::RunKind::training, "denoise", arguments.common.seed);
  record.data = {record::describe(task.source, arguments.source),
                 record::describe(task.target, arguments.target)};
  describe_denoising(options, task, outcome, record);
  record.settings.insert(record.settings.begin() + 1,
                         {"recipe", std::string(to_string(arguments.recipe))});
  record.seconds = directory ? directory->seconds() : clock.seconds();
  record.peak_rss_mb = peak_rss_mb();
  const bool finished = outcome.loop.end == train::LoopEnd::finished;
  if (directory) {
    record.warnings.insert(record.warnings.end(), directory->warnings().begin(),
                           directory->warnings().end());
    if (finished) {
      record = directory->finish(std::move(record));
      report::write_html(directory->page_file(), {&record, 1});
    } else {
      record.series = run::metric_series(run::read_metrics(run::metrics_file(arguments.run)));
    }
  }
  print(arguments.common, record, outcome);
  write_matrix(arguments.output, outcome.denoised);
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return finished ? kDone : kNotConverged;
}

/// Denoises further rows with the model of a run.
int run_apply(const DenoiseArguments& arguments) {
  require(!arguments.run.empty(), "--apply needs the run whose model is meant: --run DIR");
  require(!arguments.output.empty(), "--apply needs a place for the denoised rows: -o FILE");
  const auto config = nlohmann::json::parse(run::read_config(arguments.run));
  if (!config.contains("model")) {
    throw IoError(concat(arguments.run, ": config.json describes no denoiser"));
  }
  const auto denoiser = adapt::load_denoiser(arguments.run, config.at("model").dump());
  auto load = arguments.points.load;
  load.threads = arguments.common.threads;
  const auto noisy = io::load_points(arguments.apply, load);
  if (noisy.dimension() != denoiser.scale.shift.size()) {
    throw IoError(concat(noisy.source, " has rows of ", noisy.dimension(), " values, the run ",
                         arguments.run, " has learnt rows of ", denoiser.scale.shift.size()));
  }
  const Matrix clean = denoiser.denoise(noisy.values);
  write_matrix(arguments.output, clean);
  if (arguments.common.human_output() && !arguments.common.quiet) {
    std::cout << clean.rows() << " rows denoised by step " << denoiser.step << " in "
              << arguments.output << '\n';
  }
  Json result = start_result("denoise", arguments.common);
  result["rows"] = clean.rows();
  result["step"] = denoiser.step;
  result["residual_variance"] = adapt::residual_variance(noisy.values, clean);
  result["file"] = arguments.output;
  write_result(arguments.common, result);
  return kDone;
}

int run_denoise(const DenoiseArguments& arguments) {
  require(!(arguments.resume || arguments.overwrite) || !arguments.run.empty(),
          "--resume and --overwrite need --run");
  for (const auto* file : {&arguments.common.json, &arguments.report, &arguments.output}) {
    require_writable(*file);
  }
  start_learning(arguments.common.threads);
  if (!arguments.apply.empty()) return run_apply(arguments);
  require(!arguments.source.empty(), "--source: say where the clean rows are");
  require(!arguments.target.empty(), "--target: say where the noisy rows are");
  return run_training(arguments);
}

void add_training_options(CLI::App& command, DenoiseArguments& arguments) {
  const auto number = [&](const char* name, std::optional<std::int64_t>& value, const char* help) {
    command.add_option(name, value, help)->type_name("N");
  };
  command.add_option("--k", arguments.k, "Kinds of rows: components of W_N")
      ->type_name("N")
      ->capture_default_str();
  number("--steps", arguments.steps, "Steps; the recipe's by default");
  number("--initial-steps", arguments.initial_steps, "Steps without adaptation; the recipe's");
  number("--batch", arguments.batch, "Rows of each domain in a step");
  number("--embedding", arguments.embedding, "Length of an embedding");
  number("--width", arguments.width, "Channels of the first convolution");
  command.add_option("--lambda", arguments.weight, "Weight of the distance between embeddings")
      ->type_name("X");
  add_run_options(command, arguments, "Run directory: log, checkpoints, result, page");
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
  add_choice<DenoiseMethod>(*command, "--method", arguments->method,
                            {{"source-only", DenoiseMethod::source_only},
                             {"wasserstein", DenoiseMethod::wasserstein},
                             {"nw", DenoiseMethod::nw},
                             {"oracle", DenoiseMethod::oracle}},
                            "What brings the embeddings together");
  add_choice<DenoiseRecipe>(*command, "--recipe", arguments->recipe,
                            {{"best", DenoiseRecipe::best}, {"paper", DenoiseRecipe::paper}},
                            "Networks and rates: ours, or those of the paper's table");
  add_training_options(*command, *arguments);
  command->add_option("-o,--output", arguments->output, "Write the denoised target rows")
      ->type_name("FILE.csv|.npy");
  command->add_option("--apply", arguments->apply, "Denoise these rows by the model of --run")
      ->type_name("DATA");
  add_point_options(*command, arguments->points);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw denoise --source clean.npy --target noisy.npy --run my-run -o denoised.npy\n"
      "  nw denoise --run my-run --apply more.npy -o more-denoised.npy\n"
      "  nw denoise --source a.csv --target b.csv --method wasserstein --json -\n"
      "Exit code 4: stopped by Ctrl-C (--resume goes on) or diverged.");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_denoise(*arguments); }; });
}

}  // namespace nw::cli
