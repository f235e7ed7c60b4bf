#include "cli/torch/adapt_command.hpp"

#include <cmath>
#include <iostream>
#include <optional>

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/run/training_record.hpp"

#include "app/adaptation/adapt_record.hpp"
#include "app/adaptation/settings.hpp"
#include "app/adaptation/training.hpp"
#include "app/learning/session.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/finished_run.hpp"
#include "cli/torch/run_options.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {

using namespace app;
namespace {

/// What a network that learns on starts from; nothing without --fine-tune.
std::shared_ptr<const nn::NamedTensors> weights_to_tune(const AdaptArguments& arguments,
                                                        const Domains& domains) {
  if (arguments.fine_tune.empty()) return nullptr;
  if (!domains.form.is_image()) {
    throw IoError(concat(arguments.source.points, " holds no images to fine-tune a network on"));
  }
  if (const auto channels = domains.form.image.channels; channels != 1 && channels != 3) {
    throw IoError(concat(arguments.source.points, " has images of ", channels,
                         " channels: --fine-tune takes grey or colour images"));
  }
  return adapt::read_backbone_weights(arguments.fine_tune);
}

adapt::AdaptOptions options_of(const AdaptArguments& arguments, const Domains& domains) {
  auto options = adapt::recipe_options(
      arguments.recipe, arguments.method, static_cast<std::int64_t>(domains.classes.size()),
      domains.form, static_cast<std::int64_t>(domains.target.size()),
      weights_to_tune(arguments, domains));
  if (arguments.steps) options.steps = *arguments.steps;
  apply_settings(arguments.settings, options);
  return options;
}

/// The proportions that the classifier sees: equal ones, or those of the source.
std::vector<double> prior_of(const adapt::AdaptOptions& options, const Domains& domains) {
  const std::size_t k = domains.classes.size();
  if (options.natural_batch > 0) return predicted_shares(domains.source_class, k);
  return std::vector<double>(k, 1.0 / static_cast<double>(k));
}

/// Everything that decides the numbers of a run.
Json config_of(const AdaptArguments& arguments, const adapt::AdaptOptions& options,
               const Domains& domains) {
  Json config{{"command", "adapt"},
              {"source", arguments.source.points},
              {"rows_source", domains.source.size()},
              {"target", arguments.target.points},
              {"rows_target", domains.target.size()},
              {"recipe", to_string(arguments.recipe)},
              {"seed", arguments.common.seed},
              {"device", arguments.device}};
  config.update(options_json(options));
  if (!arguments.source.weights.empty()) config["weights"] = arguments.source.weights;
  if (!arguments.fine_tune.empty()) config["fine_tune"] = arguments.fine_tune;
  config["model"] = Json::parse(
      adapt::model_json(options, domains.form, domains.classes, prior_of(options, domains)));
  return config;
}

void print(const AdaptArguments& arguments, const record::RunRecord& record,
           const AdaptStory& story) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    for (const double p : story.outcome.pi) std::cout << significant(p) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  std::vector<std::string> heading{"class", "source", "target", "95 %"};
  if (story.scores) heading.insert(heading.end(), {"truth", "accuracy"});
  TextTable table(heading);
  for (std::size_t j = 0; j < story.classes.size(); ++j) {
    const auto& outcome = story.outcome;
    std::vector<std::string> row{story.classes.names[j],
                                 significant(outcome.game->source_proportions()[j], 3),
                                 significant(outcome.pi[j], 3),
                                 concat(significant(outcome.interval.low[j], 3), "-",
                                        significant(outcome.interval.high[j], 3))};
    if (story.scores) {
      row.push_back(significant(story.scores->proportions[j], 3));
      row.push_back(std::isnan(story.scores->class_accuracy[j])
                        ? ""
                        : significant(story.scores->class_accuracy[j], 4));
    }
    table.add(std::move(row));
  }
  std::cout << table.text();
  for (const std::string& detail : record.details) std::cout << detail << '\n';
  for (const std::string& warning : record.warnings) std::cout << "- " << warning << '\n';
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

AdaptOutcome train(const AdaptArguments& arguments, const adapt::AdaptOptions& options,
                   Domains& domains, run::RunDirectory* directory) {
  AdaptTask task{.options = options,
                 .source = adapt::rows_of(domains.source, domains.form),
                 .target = adapt::rows_of(domains.target, domains.form),
                 .source_class = domains.source_class,
                 .seed = arguments.common.seed,
                 .device = choose_device(arguments.device),
                 .directory = directory,
                 .checkpoint_every = arguments.checkpoint_every};
  // Rows are copied; numbers in double precision take eight times the memory.
  domains.source.values = Matrix(1, domains.source.dimension());
  domains.target.values = Matrix(1, domains.target.dimension());
  at::manual_seed(arguments.common.seed);  // a GPU draws from its own generator
  std::optional<TrainingProgress> progress;
  task.observer = [&](const train::LoopProgress& at) {
    if (!progress) {
      progress.emplace(to_string(options.method),
                       arguments.common.show_progress() && leads(options.team),
                       std::max<std::int64_t>(0, at.step - 1));
    }
    if (progress->due()) {
      progress->update(
          {.step = at.step, .total = at.steps, .losses = at.values, .pi = at.proportions[0]});
    }
    return !InterruptScope::requested();
  };
  return adapt_classifier(std::move(task));
}

}  // namespace

int run_adapt(const AdaptArguments& arguments) {
  require(!(arguments.resume || arguments.overwrite) || !arguments.run.empty(),
          "--resume and --overwrite need --run");
  Team* const team = join_team();
  if (leads(team)) {
    require_writable(arguments.common.json);
    require_writable(arguments.report);
    require_writable(arguments.predictions);
  }
  start_learning(arguments.common.threads);
  Domains domains =
      load_domains(arguments.source, arguments.target, arguments.points, arguments.common);
  auto options = options_of(arguments, domains);
  options.team = team;
  std::optional<run::RunDirectory> directory;
  if (leads(team)) directory = open_run(arguments, config_of(arguments, options, domains));
  if (any_of(team, directory && directory->finished())) {
    return leads(team) ? repeat_finished_run(arguments.run, arguments.common) : kDone;
  }
  auto record = record::start_record(record::RunKind::training, "adapt", arguments.common.seed);
  record.data = {record::describe(domains.source, arguments.source.points),
                 record::describe(domains.target, arguments.target.points)};
  const Stopwatch clock;
  const InterruptScope interrupt;
  const AdaptOutcome outcome =
      train(arguments, options, domains, directory ? &*directory : nullptr);
  const int code = outcome.loop.end == train::LoopEnd::finished ? kDone : kNotConverged;
  if (!leads(team)) return code;
  AdaptStory story{.source_name = arguments.source.points,
                   .target_name = arguments.target.points,
                   .recipe = arguments.recipe,
                   .classes = domains.classes,
                   .outcome = outcome,
                   .unknown = domains.unknown};
  if (!domains.target_class.empty()) {
    story.scores =
        adapt::score(domains.target_class, outcome.target.predicted, domains.classes.size());
  }
  tell(story, record);
  record.peak_rss_mb = peak_rss_mb();
  record.seconds = directory ? directory->seconds() : clock.seconds();
  if (directory) {
    record.warnings.insert(record.warnings.end(), directory->warnings().begin(),
                           directory->warnings().end());
    if (outcome.loop.end == train::LoopEnd::finished) {
      record = directory->finish(std::move(record));
      report::write_html(directory->page_file(), {&record, 1});
      write_predictions(directory->path() / "predictions.csv", outcome.target, domains.classes);
    }
  }
  print(arguments, record, story);
  if (!arguments.predictions.empty()) {
    write_predictions(arguments.predictions, outcome.target, domains.classes);
  }
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return code;
}

}  // namespace nw::cli
