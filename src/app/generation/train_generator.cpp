#include "nw/app/generation/train_generator.hpp"

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/app/generation/sample_file.hpp"
#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/gan/gan_fields.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/training_record.hpp"
#include "nw/train/training_loop.hpp"

#include "app/generation/generation_model.hpp"
#include "app/generation/generation_record.hpp"
#include "app/learning/loop_spacing.hpp"
#include "app/learning/option_values.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

// Rows kept from training to measure W on; more cost time and hardly sharpen it.
constexpr std::size_t kHeldOutRows = 2000;
constexpr double kHeldOutShare = 0.1;
// Generated rows for the page and the run directory.
constexpr std::size_t kShownRows = 1000, kShownImages = 100;
enum Stream : std::uint64_t { kSplit = 101, kNetworks = 102, kSamples = 103 };

/// One data set, divided into what is trained on and what is measured on.
struct Part {
  Matrix training, held_out;
  bool separate = false;        // no row is in both
  std::vector<double> weights;  // of the training rows
};

Part hold_out(const io::PointSet& points, Rng rng) {
  std::vector<std::size_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  rng.shuffle(std::span(order));
  std::size_t held = std::min(
      kHeldOutRows, static_cast<std::size_t>(kHeldOutShare * static_cast<double>(points.size())));
  // Weighted rows are not exchangeable: measure on all of them. So too when there are few.
  if (!points.weights.empty() || held < 20) held = 0;
  const auto training = std::span(order).subspan(held);
  const auto judging =
      std::span(order).first(held > 0 ? held : std::min(points.size(), kHeldOutRows));
  Part part{.training = rows_at(points.values, training),
            .held_out = rows_at(points.values, judging),
            .separate = held > 0,
            .weights = {}};
  for (const auto row : training) {
    if (!points.weights.empty()) part.weights.push_back(points.weights[row]);
  }
  return part;
}

/// W between the held-out rows and as many of the others, which are in random order.
std::optional<double> floor_of(const Part& part, int threads) {
  const std::size_t rows = part.held_out.rows(), cols = part.held_out.cols();
  if (!part.separate || part.training.rows() < rows) return std::nullopt;
  const MatrixView others(part.training.values().first(rows * cols), rows, cols);
  ot::WassersteinOptions options;
  options.threads = threads;
  return ot::wasserstein({.points = part.held_out}, {.points = others}, options).distance;
}

/// The recipe's choices, replaced where the options say so.
gan::GanOptions networks(const GenerationOptions& arguments, const gan::Normalisation& data) {
  auto options = gan::recipe_options(arguments.recipe, arguments.method, arguments.k, data);
  auto& game = options.game;
  if (arguments.steps) options.steps = *arguments.steps;
  if (arguments.batch) game.batch = *arguments.batch;
  if (arguments.critic_steps) game.critic_steps = *arguments.critic_steps;
  if (arguments.latent) options.generator.latent_dim = *arguments.latent;
  if (arguments.width) options.generator.channels = options.critic.channels = *arguments.width;
  if (arguments.diversity) game.diversity = *arguments.diversity;
  if (arguments.rate) {
    for (auto* optimizer : {&game.critic, &game.generator, &game.proportions}) {
      optimizer->learning_rate *= *arguments.rate;
    }
  }
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
Json config_of(const GenerationData& data, const GenerationOptions& asked,
               const gan::GanOptions& options, const gan::Normalisation& normalisation) {
  Json config{{"x", data.name_x}, {"rows_x", data.x.size()}};
  if (data.y != nullptr) {
    config["y"] = data.name_y;
    config["rows_y"] = data.y->size();
  }
  config.update(Json{{"recipe", to_string(asked.recipe)}, {"seed", asked.seed}});
  config.update(fields_json(options));
  config.update(Json{{"device", asked.device},
                     {"model", Json::parse(gan::model_json(options, normalisation))}});
  return config;
}

constexpr std::int64_t kLines = 2 * kLinesOfLog;

/// Everything a training works with.
struct Training {
  const GenerationOptions& asked;
  const gan::GanOptions& options;
  const gan::Normalisation& normalisation;
  const std::vector<Part>& parts;
  const GenerationRun& run;
  run::RunDirectory* directory;
};

run::MetricsRow metrics_row(const train::LoopProgress& at) {
  run::MetricsRow row{.step = at.step};
  for (const auto& [name, value] : at.values) row.values.emplace_back(name, value);
  for (std::size_t s = 0; s < at.proportions.size(); ++s) {
    row.values.emplace_back(train::proportions_name(s, at.proportions.size()), at.proportions[s]);
  }
  return row;
}

/// Plays the game to its end; rows of the log are kept where no directory keeps them.
train::LoopResult play(const Training& training, train::Game& game,
                       const ProgressObserver& observer, std::vector<run::MetricsRow>& rows) {
  const auto report = [&](const train::LoopProgress& at) {
    if (training.directory == nullptr && at.logged) rows.push_back(metrics_row(at));
    return !observer ||
           observer({.stage = to_string(training.options.method),
                     .share = static_cast<double>(at.step) / static_cast<double>(at.steps),
                     .step = at.step,
                     .steps = at.steps,
                     .values = at.values,
                     .pi = at.proportions[0]});
  };
  return train::play(
      game, spaced_loop(training.options.steps, training.run.folder.checkpoint_every, kLines),
      {.directory = training.directory, .observer = report, .team = training.run.team});
}

/// Distances to held-out rows, and rows drawn from what was trained.
void measure(const Training& training, const train::Game& game, GenerationResult& result) {
  const Rng rng = Rng(training.asked.seed).split(kSamples);
  for (std::size_t s = 0; s < training.parts.size(); ++s) {
    const Part& part = training.parts[s];
    const Rng stream = rng.split(s);
    result.distance.push_back(gan::held_out_distance(game,
                                                     {.rows = part.held_out,
                                                      .side = s,
                                                      .normalisation = training.normalisation,
                                                      .threads = training.asked.threads},
                                                     stream));
    result.floor.push_back(floor_of(part, training.asked.threads));
    const std::size_t count =
        training.run.all_rows ? part.training.rows() : std::min(part.training.rows(), kShownRows);
    auto drawn = game.sample(static_cast<std::int64_t>(count), s, stream.split(1));
    result.generated.push_back({.rows = training.normalisation.to_data(drawn.rows),
                                .component_of = std::move(drawn.component_of)});
  }
}

GenerationResult train_and_measure(const Training& training, const ProgressObserver& observer) {
  const Rng rng(training.asked.seed);
  gan::DataSources data;
  for (const auto& part : training.parts) {
    data.push_back(
        train::table_source(training.normalisation.to_network(part.training), part.weights));
  }
  at::manual_seed(training.asked.seed);  // a GPU draws from its own generator
  const auto game = gan::make_game(training.options, data, rng.split(kNetworks),
                                   choose_device(training.asked.device));
  std::vector<run::MetricsRow> rows;
  const train::LoopResult loop = play(training, *game, observer, rows);
  GenerationResult result{.end = to_string(loop.end),
                          .steps = loop.steps,
                          .recoveries = loop.recoveries,
                          .warnings = loop.warnings};
  if (!leads(training.run.team)) return result;  // the first process measures and reports
  result.series = run::metric_series(rows);
  // From the log rather than from the last step: a run that was killed after it had no last step.
  if (training.directory != nullptr) {
    rows = run::read_metrics(run::metrics_file(training.directory->path()));
  }
  if (!rows.empty()) {
    for (const auto& [name, value] : rows.back().values) {
      if (const auto* number = std::get_if<double>(&value)) {
        result.last_values.emplace_back(name, *number);
      }
    }
  }
  result.pi = game->proportions();
  measure(training, *game, result);
  result.model = make_generation_model(
      *game, gan::model_json(training.options, training.normalisation), loop.steps);
  return result;
}

/// samples/step-N: some rows for those who look into the run later.
void keep_sample(const run::RunDirectory& directory, const GenerationResult& result,
                 const io::PointSet& data) {
  const MatrixView rows = result.generated[0].rows;
  const std::size_t count = std::min(rows.rows(), data.image ? kShownImages : kShownRows);
  const auto file = directory.sample_file(result.steps, data.image ? ".png" : ".npy");
  write_sample(file.string(), {rows.values().first(count * rows.cols()), count, rows.cols()},
               {.component_of = result.generated[0].component_of,
                .column_names = data.column_names,
                .image = data.image});
}

void finish_run(run::RunDirectory& directory, const GenerationData& data, Generation& generation) {
  auto& [result, record, finished_before] = generation;
  record.seconds = directory.seconds();
  record.warnings.insert(record.warnings.end(), directory.warnings().begin(),
                         directory.warnings().end());
  if (result.finished()) {
    keep_sample(directory, result, data.x);
    record = directory.finish(std::move(record));
    report::write_html(directory.page_file(), {&record, 1});
  } else {
    record.series = run::metric_series(run::read_metrics(run::metrics_file(directory.path())));
  }
}

Generation read_finished(const std::filesystem::path& folder, Team* team) {
  Generation generation{.finished_before = true};
  generation.result.end = "finished";
  if (!leads(team)) return generation;
  generation.record = run::read_run(folder);
  generation.result.model = load_generation_model(folder);
  generation.result.pi = generation.result.model->pi();
  return generation;
}

void check(const GenerationData& data, const GenerationOptions& options, const Team* team) {
  using gan::GanMethod;
  require(options.k > 0 || options.method == GanMethod::wgan,
          "k: say how many components there are");
  options.validate();
  require(team == nullptr || options.method != GanMethod::mgan,
          "method mgan trains in one process only");
  require(data.y == nullptr || options.method == GanMethod::nwgan,
          "two data sets share components under nwgan only");
}

}  // namespace

void GenerationOptions::validate() const {
  require_fields_in_range("GenerationOptions", *this);
}

Generation train_generator(const GenerationData& data, const GenerationOptions& asked,
                           const ProgressObserver& observer, const GenerationRun& run) {
  check(data, asked, run.team);
  start_learning(asked.threads);
  // Both data sets must be seen at one scale: the first one's.
  const auto normalisation = gan::fit_normalisation(data.x);
  auto options = networks(asked, normalisation);
  options.game.team = run.team;
  const Rng split = Rng(asked.seed).split(kSplit);
  std::vector<Part> parts{hold_out(data.x, split.split(0))};
  if (data.y != nullptr) parts.push_back(hold_out(*data.y, split.split(1)));
  std::optional<run::RunDirectory> directory;
  if (leads(run.team) && !run.folder.path.empty()) {
    Json config{{"command", run.command}};
    config.update(config_of(data, asked, options, normalisation));
    directory.emplace(run.folder.path, config.dump(), run::RunOptions{.mode = run.folder.mode});
  }
  if (any_of(run.team, directory && directory->finished())) {
    return read_finished(run.folder.path, run.team);
  }
  const Stopwatch clock;
  Generation generation{.result =
                            train_and_measure({.asked = asked,
                                               .options = options,
                                               .normalisation = normalisation,
                                               .parts = parts,
                                               .run = run,
                                               .directory = directory ? &*directory : nullptr},
                                              observer)};
  if (!leads(run.team)) return generation;
  generation.record = generation_record({.data = data,
                                         .asked = asked,
                                         .options = options,
                                         .result = generation.result,
                                         .command = run.command});
  generation.record.seconds = clock.seconds();
  if (directory) finish_run(*directory, data, generation);
  return generation;
}

}  // namespace nw::app
