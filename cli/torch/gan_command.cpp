#include "cli/torch/gan_command.hpp"

#include <filesystem>
#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/io/write.hpp"
#include "nw/record/projection.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/run/training_record.hpp"
#include "nw/train/training_loop.hpp"

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/run_record.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/session.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {
namespace {

// Rows kept from training to measure W on; more cost time and hardly sharpen it.
constexpr std::size_t kHeldOutRows = 2000;
constexpr double kHeldOutShare = 0.1;
enum Stream : std::uint64_t { kSplit = 101, kNetworks = 102, kSamples = 103 };

/// One data set, cut into what is learnt from and what is measured on.
struct Part {
  Matrix training, held_out;
  std::vector<double> weights;  // of the training rows
};

Part cut(const io::PointSet& points, Rng rng) {
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  rng.shuffle(std::span(order));
  std::size_t held = std::min(
      kHeldOutRows, static_cast<std::size_t>(kHeldOutShare * static_cast<double>(points.size())));
  // Weighted rows are not exchangeable: measure on all of them. So too when there are few.
  if (!points.weights.empty() || held < 20) held = 0;
  Part part{.training = Matrix(points.size() - held, points.dimension()),
            .held_out =
                Matrix(held > 0 ? held : std::min(points.size(), kHeldOutRows), points.dimension()),
            .weights = {}};
  const auto copy = [&](std::size_t from, Matrix& to, std::size_t row) {
    const auto source = points.values.row(from);
    std::copy(source.begin(), source.end(), to.row(row).begin());
  };
  for (std::size_t i = held; i < order.size(); ++i) {
    copy(order[i], part.training, i - held);
    if (!points.weights.empty()) part.weights.push_back(points.weights[order[i]]);
  }
  for (std::size_t i = 0; i < part.held_out.rows(); ++i) copy(order[i], part.held_out, i);
  return part;
}

gan::GanOptions options_of(const GanArguments& arguments, const gan::Normalisation& data) {
  auto options = gan::recipe_options(arguments.recipe, arguments.method, arguments.k, data);
  auto& game = options.game;
  if (arguments.steps) options.steps = *arguments.steps;
  if (arguments.batch) game.batch = *arguments.batch;
  if (arguments.critic_steps) game.critic_steps = *arguments.critic_steps;
  if (arguments.latent) options.generator.latent_dim = *arguments.latent;
  if (arguments.diversity) game.diversity = *arguments.diversity;
  if (arguments.fixed_pi) options.fixed_pi = true;
  if (arguments.lipschitz) {
    game.lipschitz = *arguments.lipschitz;
    options.critic.spectral_norm = game.lipschitz == train::Lipschitz::spectral_norm;
  }
  game.penalty_rows = std::min(game.penalty_rows, game.batch);
  options.validate();
  return options;
}

/// Everything that decides the numbers of a run.
Json config_of(const GanArguments& arguments, const gan::GanOptions& options,
               const gan::Normalisation& data, const Inputs& inputs) {
  const auto& game = options.game;
  const auto optimizer = [](const train::OptimizerOptions& o) {
    return Json{{"kind", to_string(o.kind)},
                {"rate", o.learning_rate},
                {"beta1", o.beta1},
                {"beta2", o.beta2}};
  };
  Json config{
      {"command", arguments.command}, {"x", arguments.inputs.x}, {"rows_x", inputs.x.size()}};
  if (!arguments.inputs.y.empty()) {
    config["y"] = arguments.inputs.y;
    config["rows_y"] = inputs.y.size();
  }
  config.update(Json{{"method", to_string(options.method)},
                     {"recipe", to_string(arguments.recipe)},
                     {"seed", arguments.common.seed},
                     {"steps", options.steps},
                     {"k", options.generator.components},
                     {"fixed_pi", options.fixed_pi},
                     {"start", to_string(options.start)},
                     {"batch", game.batch},
                     {"critic_steps", game.critic_steps},
                     {"allocation", to_string(game.allocation)},
                     {"lipschitz", to_string(game.lipschitz)},
                     {"clip", game.clip},
                     {"penalty", game.penalty},
                     {"averaging", game.averaging},
                     {"diversity", game.diversity},
                     {"critic_optimizer", optimizer(game.critic)},
                     {"generator_optimizer", optimizer(game.generator)},
                     {"pi_optimizer", optimizer(game.proportions)},
                     {"critic", to_string(options.critic.kind)},
                     {"critic_hidden", options.critic.hidden},
                     {"device", arguments.device},
                     {"model", Json::parse(gan::model_json(options, data))}});
  return config;
}

/// What is known when training is over.
struct Outcome {
  train::LoopResult loop;
  std::vector<std::vector<double>> pi;
  std::vector<ot::WassersteinResult> distance;  // per data set
  std::vector<Matrix> generated;
  std::vector<std::vector<std::uint32_t>> component_of;
  std::vector<record::Series> series;
};

Json extra_of(const gan::GanOptions& options, const Outcome& outcome) {
  Json extra{{"method", to_string(options.method)},
             {"k", options.generator.components},
             {"steps", outcome.loop.steps},
             {"end", to_string(outcome.loop.end)},
             {"recoveries", outcome.loop.recoveries}};
  double total = 0.0;
  for (const auto& distance : outcome.distance) total += distance.distance;
  if (outcome.pi.size() == 1) {
    extra["pi"] = outcome.pi[0];
    extra["wasserstein"] = total;
  } else {
    extra["pi_x"] = outcome.pi[0];
    extra["pi_y"] = outcome.pi[1];
    extra["wasserstein_x"] = outcome.distance[0].distance;
    extra["wasserstein_y"] = outcome.distance[1].distance;
    extra["normalized_wasserstein"] = total;
  }
  return extra;
}

std::string sentence_of(const gan::GanOptions& options, const Outcome& outcome) {
  double total = 0.0;
  for (const auto& distance : outcome.distance) total += distance.distance;
  const std::string end = outcome.loop.end == train::LoopEnd::finished
                              ? ""
                              : concat(" (", to_string(outcome.loop.end), ")");
  if (outcome.pi.size() == 2) {
    return concat("After ", outcome.loop.steps, " steps", end, " a shared mixture of ",
                  options.generator.components, " components lies at W_N = ", significant(total),
                  " from held-out rows of X and Y.");
  }
  return concat("After ", outcome.loop.steps, " steps", end,
                " generated rows lie at W = ", significant(total), " from held-out rows.");
}

record::RunRecord record_of(const GanArguments& arguments, const gan::GanOptions& options,
                            const Inputs& inputs, const Outcome& outcome) {
  auto record = start_record(record::RunKind::training, arguments.command, arguments.common);
  record.sentence = sentence_of(options, outcome);
  record.warnings = outcome.loop.warnings;
  record.data = {describe(inputs.x, arguments.inputs.x)};
  if (outcome.pi.size() == 2) {
    record.data.push_back(describe(inputs.y, arguments.inputs.y));
  } else {
    record.data.push_back({.name = "generated",
                           .rows = outcome.generated[0].rows(),
                           .columns = outcome.generated[0].cols()});
  }
  for (std::size_t s = 0; s < outcome.distance.size(); ++s) {
    const char* of = outcome.distance.size() == 1 ? "" : (s == 0 ? "_x" : "_y");
    record.metrics.push_back({.name = concat("wasserstein", of),
                              .label = concat("W to held-out rows", s == 0 ? "" : " of Y"),
                              .value = outcome.distance[s].distance});
  }
  record.series = outcome.series;
  const MatrixView drawn =
      outcome.pi.size() == 2 ? inputs.y.values.view() : outcome.generated[0].view();
  const record::Projection projection(inputs.x.values, drawn, inputs.x.column_names);
  record.figure = start_figure(projection, inputs.x.values, drawn);
  record.converged = outcome.loop.end == train::LoopEnd::finished;
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"method", std::string(to_string(options.method))},
                     {"recipe", std::string(to_string(arguments.recipe))},
                     {"k", options.generator.components},
                     {"steps", options.steps},
                     {"batch", options.game.batch},
                     {"critic steps", options.game.critic_steps},
                     {"lipschitz", std::string(to_string(options.game.lipschitz))},
                     {"allocation", std::string(to_string(options.game.allocation))}};
  record.extra = extra_of(options, outcome).dump();
  return record;
}

void print(const CommonOptions& common, const record::RunRecord& record, const Outcome& outcome) {
  if (!common.human_output()) return;
  if (common.quiet) {
    for (const auto& distance : outcome.distance)
      std::cout << significant(distance.distance) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  for (std::size_t s = 0; s < outcome.pi.size(); ++s) {
    std::cout << (outcome.pi.size() == 1 ? "  pi  " : (s == 0 ? "  pi of X  " : "  pi of Y  "));
    for (const double p : outcome.pi[s]) std::cout << ' ' << significant(p, 3);
    std::cout << '\n';
  }
  for (const std::string& warning : record.warnings) std::cout << "- " << warning << '\n';
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

train::LoopOptions loop_options(const GanArguments& arguments, const gan::GanOptions& options) {
  constexpr std::int64_t kLines = 400, kCheckpoints = 20;
  const auto every = [&](std::int64_t times) {
    return std::max<std::int64_t>(1, options.steps / times);
  };
  return {.steps = options.steps,
          .log_every = every(kLines),
          .checkpoint_every =
              arguments.checkpoint_every > 0 ? arguments.checkpoint_every : every(kCheckpoints)};
}

Outcome train(const GanArguments& arguments, const gan::GanOptions& options,
              const gan::Normalisation& normalisation, const std::vector<Part>& parts,
              run::RunDirectory* directory, Team* team) {
  const Rng rng(arguments.common.seed);
  gan::DataSources data;
  for (const auto& part : parts) {
    data.push_back(train::table_source(normalisation.to_network(part.training), part.weights));
  }
  const torch::Device device = choose_device(arguments.device);
  const auto game = gan::make_game(options, data, rng.split(kNetworks), device);

  const InterruptScope interrupt;
  Outcome outcome;
  std::vector<run::MetricsRow> rows;
  {
    std::optional<TrainingProgress> progress;
    const auto observer = [&](const train::LoopProgress& at) {
      if (!progress) {
        progress.emplace(to_string(options.method), arguments.common.show_progress() && leads(team),
                         std::max<std::int64_t>(0, at.step - 1));
      }
      if (progress->due()) {
        progress->update(
            {.step = at.step, .total = at.steps, .losses = at.values, .pi = at.proportions[0]});
      }
      if (directory == nullptr) {
        run::MetricsRow row{.step = at.step};
        for (const auto& [name, value] : at.values) row.values.emplace_back(name, value);
        row.values.emplace_back("pi", at.proportions[0]);
        rows.push_back(std::move(row));
      }
      return !InterruptScope::requested();
    };
    outcome.loop =
        train::play(*game, loop_options(arguments, options), directory, observer, {}, team);
  }
  if (!leads(team)) return outcome;  // the first process measures and reports
  outcome.series = run::metric_series(rows);
  outcome.pi = game->proportions();
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const Rng stream = rng.split(kSamples).split(s);
    outcome.distance.push_back(gan::held_out_distance(*game, s, normalisation, parts[s].held_out,
                                                      stream, arguments.common.threads));
    const auto count = static_cast<std::int64_t>(parts[s].training.rows());
    auto drawn = game->sample(count, s, stream.split(1));
    outcome.generated.push_back(normalisation.to_data(drawn.rows));
    outcome.component_of.push_back(std::move(drawn.component_of));
  }
  return outcome;
}

std::optional<run::RunDirectory> open_run(const GanArguments& arguments, const Json& config) {
  if (arguments.run.empty()) return std::nullopt;
  const auto mode = arguments.resume      ? run::StartMode::resume
                    : arguments.overwrite ? run::StartMode::overwrite
                                          : run::StartMode::create;
  return run::RunDirectory(arguments.run, config.dump(), {.mode = mode});
}

}  // namespace

void write_rows(const std::string& file, MatrixView rows,
                const std::vector<std::uint32_t>& component_of,
                const std::vector<std::string>& column_names) {
  if (std::filesystem::path(file).extension() == ".npy") {
    io::write_npy(file, rows);
    return;
  }
  Matrix table(rows.rows(), rows.cols() + 1);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    std::copy(rows.row(i).begin(), rows.row(i).end(), table.row(i).begin());
    table(i, rows.cols()) = component_of[i] + 1.0;
  }
  io::CsvOptions options;
  for (std::size_t c = 0; c < rows.cols(); ++c) {
    options.column_names.push_back(column_names.empty() ? concat("x", c + 1) : column_names[c]);
  }
  options.column_names.push_back("component");
  io::write_csv(file, table, options);
}

int run_gan(const GanArguments& arguments) {
  require(arguments.k > 0 || arguments.method == gan::GanMethod::wgan,
          "--k: say how many components there are (nw choose-k finds out)");
  require(!(arguments.resume || arguments.overwrite) || !arguments.run.empty(),
          "--resume and --overwrite need --run");
  Team* const team = join_team();
  require(team == nullptr || arguments.method != gan::GanMethod::mgan,
          "--method mgan learns in one process only");
  if (leads(team)) {
    require_writable(arguments.common.json);
    require_writable(arguments.report);
    require_writable(arguments.samples);
  }
  start_learning(arguments.common.threads);
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  const bool two = inputs.y.size() > 0;
  require(!two || arguments.method == gan::GanMethod::nwgan,
          "two data sets share components under nwgan only");

  // Both data sets must be seen at one scale: the first one's.
  const auto normalisation = gan::fit_normalisation(inputs.x);
  auto options = options_of(arguments, normalisation);
  options.game.team = team;
  const Rng split = Rng(arguments.common.seed).split(kSplit);
  std::vector<Part> parts{cut(inputs.x, split.split(0))};
  if (two) parts.push_back(cut(inputs.y, split.split(1)));

  std::optional<run::RunDirectory> directory;
  if (leads(team)) {
    directory = open_run(arguments, config_of(arguments, options, normalisation, inputs));
  }
  if (any_of(team, directory && directory->finished())) {
    if (!leads(team)) return kDone;
    if (arguments.common.human_output() && !arguments.common.quiet) {
      std::cout << arguments.run << " is finished already\n";
    }
    write_result(arguments.common, run::read_run(arguments.run));
    return kDone;
  }
  const Stopwatch clock;
  const Outcome outcome =
      train(arguments, options, normalisation, parts, directory ? &*directory : nullptr, team);
  const int code = outcome.loop.end == train::LoopEnd::finished ? kDone : kNotConverged;
  if (!leads(team)) return code;
  record::RunRecord record = record_of(arguments, options, inputs, outcome);
  record.seconds = directory ? directory->seconds() : clock.seconds();
  if (directory) {
    record.warnings.insert(record.warnings.end(), directory->warnings().begin(),
                           directory->warnings().end());
    if (outcome.loop.end == train::LoopEnd::finished) {
      record = directory->finish(std::move(record));
      report::write_html(directory->page_file(), {&record, 1});
    } else {
      record.series = run::metric_series(run::read_metrics(run::metrics_file(arguments.run)));
    }
  }
  print(arguments.common, record, outcome);
  if (!arguments.samples.empty()) {
    write_rows(arguments.samples, outcome.generated[0], outcome.component_of[0],
               inputs.x.column_names);
  }
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return code;
}

}  // namespace nw::cli
