#include "cli/torch/gan_command.hpp"

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/run/training_record.hpp"
#include "nw/train/training_loop.hpp"

#include "app/generation/sample_file.hpp"
#include "app/learning/loop_spacing.hpp"
#include "app/learning/optimizer_json.hpp"
#include "app/learning/session.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/output_file.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/finished_run.hpp"
#include "cli/torch/gan_record.hpp"
#include "cli/torch/run_options.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {

using namespace app;
namespace {

// Rows kept from training to measure W on; more cost time and hardly sharpen it.
constexpr std::size_t kHeldOutRows = 2000;
constexpr double kHeldOutShare = 0.1;
// Generated rows for the page and the run directory.
constexpr std::size_t kShownRows = 1000, kShownImages = 100;
enum Stream : std::uint64_t { kSplit = 101, kNetworks = 102, kSamples = 103 };

/// One data set, cut into what is learnt from and what is measured on.
struct Part {
  Matrix training, held_out;
  bool separate = false;        // no row is in both
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

gan::GanOptions options_of(const GanArguments& arguments, const gan::Normalisation& data) {
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
Json config_of(const GanArguments& arguments, const gan::GanOptions& options,
               const gan::Normalisation& data, const Inputs& inputs) {
  const auto& game = options.game;
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
                     {"critic_optimizer", optimizer_json(game.critic)},
                     {"generator_optimizer", optimizer_json(game.generator)},
                     {"pi_optimizer", optimizer_json(game.proportions)},
                     {"critic", to_string(options.critic.kind)},
                     {"critic_hidden", options.critic.hidden},
                     {"critic_channels", options.critic.channels},
                     {"device", arguments.device},
                     {"model", Json::parse(gan::model_json(options, data))}});
  return config;
}

constexpr std::int64_t kLines = 2 * kLinesOfLog;

GanOutcome train(const GanArguments& arguments, const gan::GanOptions& options,
                 const gan::Normalisation& normalisation, const std::vector<Part>& parts,
                 run::RunDirectory* directory, Team* team) {
  const Rng rng(arguments.common.seed);
  gan::DataSources data;
  for (const auto& part : parts) {
    data.push_back(train::table_source(normalisation.to_network(part.training), part.weights));
  }
  const torch::Device device = choose_device(arguments.device);
  at::manual_seed(arguments.common.seed);  // a GPU draws from its own generator
  const auto game = gan::make_game(options, data, rng.split(kNetworks), device);

  const InterruptScope interrupt;
  GanOutcome outcome;
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
      if (directory == nullptr && at.logged) {
        run::MetricsRow row{.step = at.step};
        for (const auto& [name, value] : at.values) row.values.emplace_back(name, value);
        for (std::size_t s = 0; s < at.proportions.size(); ++s) {
          row.values.emplace_back(train::proportions_name(s, at.proportions.size()),
                                  at.proportions[s]);
        }
        rows.push_back(std::move(row));
      }
      return !InterruptScope::requested();
    };
    outcome.loop =
        train::play(*game, spaced_loop(options.steps, arguments.checkpoint_every, kLines),
                    directory, observer, {}, team);
  }
  if (!leads(team)) return outcome;  // the first process measures and reports
  outcome.series = run::metric_series(rows);
  // From the log rather than from the last step: a run that was killed after it had no last step.
  if (directory != nullptr) rows = run::read_metrics(run::metrics_file(directory->path()));
  if (!rows.empty()) {
    for (const auto& [name, value] : rows.back().values) {
      if (const auto* number = std::get_if<double>(&value)) {
        outcome.last_values.emplace_back(name, *number);
      }
    }
  }
  outcome.pi = game->proportions();
  for (std::size_t s = 0; s < parts.size(); ++s) {
    const Rng stream = rng.split(kSamples).split(s);
    outcome.distance.push_back(gan::held_out_distance(*game, s, normalisation, parts[s].held_out,
                                                      stream, arguments.common.threads));
    outcome.floor.push_back(floor_of(parts[s], arguments.common.threads));
    // All the rows that were asked for, or enough to look at.
    const std::size_t count = arguments.samples.empty()
                                  ? std::min(parts[s].training.rows(), kShownRows)
                                  : parts[s].training.rows();
    auto drawn = game->sample(static_cast<std::int64_t>(count), s, stream.split(1));
    outcome.generated.push_back(normalisation.to_data(drawn.rows));
    outcome.component_of.push_back(std::move(drawn.component_of));
  }
  return outcome;
}

SampleDescription describe_sample(const GanOutcome& outcome, const io::PointSet& data) {
  return {.component_of = outcome.component_of[0],
          .column_names = data.column_names,
          .image = data.image};
}

/// samples/step-N: some rows for those who look into the run later.
void keep_sample(const run::RunDirectory& directory, const GanOutcome& outcome,
                 const io::PointSet& data) {
  const MatrixView rows = outcome.generated[0];
  const std::size_t count = std::min(rows.rows(), data.image ? kShownImages : kShownRows);
  const auto file = directory.sample_file(outcome.loop.steps, data.image ? ".png" : ".npy");
  write_sample(file.string(), {rows.values().first(count * rows.cols()), count, rows.cols()},
               describe_sample(outcome, data));
}

}  // namespace

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
  if (!arguments.samples.empty()) {
    require_sample_format(arguments.samples, inputs.x.image.has_value());
  }
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
    return leads(team) ? repeat_finished_run(arguments.run, arguments.common) : kDone;
  }
  const Stopwatch clock;
  const GanOutcome outcome =
      train(arguments, options, normalisation, parts, directory ? &*directory : nullptr, team);
  const int code = outcome.loop.end == train::LoopEnd::finished ? kDone : kNotConverged;
  if (!leads(team)) return code;
  record::RunRecord record = gan_record(arguments, options, inputs, outcome);
  record.seconds = directory ? directory->seconds() : clock.seconds();
  if (directory) {
    record.warnings.insert(record.warnings.end(), directory->warnings().begin(),
                           directory->warnings().end());
    if (outcome.loop.end == train::LoopEnd::finished) {
      keep_sample(*directory, outcome, inputs.x);
      record = directory->finish(std::move(record));
      report::write_html(directory->page_file(), {&record, 1});
    } else {
      record.series = run::metric_series(run::read_metrics(run::metrics_file(arguments.run)));
    }
  }
  print_gan(arguments.common, record, outcome);
  if (!arguments.samples.empty()) {
    write_sample(arguments.samples, outcome.generated[0], describe_sample(outcome, inputs.x));
  }
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return code;
}

}  // namespace nw::cli
