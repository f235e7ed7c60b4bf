// `nw cluster --method nw`: clusters as the components of a regularised NWGAN.
#include "cli/torch/cluster_command.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/training_record.hpp"

#include "app/clustering/adversarial/cluster_rule.hpp"
#include "app/learning/session.hpp"
#include "cli/cluster/feature_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/measure_options.hpp"
#include "cli/report_option.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/finished_run.hpp"
#include "cli/torch/run_options.hpp"
#include "cli/training_progress.hpp"

namespace nw::cli {

using namespace app;
namespace {

constexpr int kLikelyStarts = 5;
constexpr std::uint64_t kLikely = 203;

Json config_of(const ClusterArguments& arguments, const ClusterTask& task,
               const io::PointSet& points, const FeatureSpace& space) {
  Json config{{"command", "cluster"},
              {"x", arguments.inputs.x},
              {"rows_x", points.size()},
              {"k", task.options.generator.components},
              {"recipe", to_string(arguments.recipe)},
              {"features", space.map ? "diffusion" : "none"},
              {"neighbours", arguments.neighbours},
              {"device", arguments.device}};
  config.update(cluster_config(task));
  return config;
}

/// What a later --assign needs, and what the choice rests on.
void tell_learning(const ClusterTask& task, const ClusterOutcome& outcome,
                   record::RunRecord& record) {
  Json extra = Json::parse(record.extra);
  extra["steps"] = outcome.steps;
  extra["end"] = to_string(outcome.end);
  extra["diversity"] = task.options.game.diversity;
  extra["starts"] = Json::array();
  for (const auto& start : outcome.starts) {
    extra["starts"].push_back({{"objective", start.objective},
                               {"wasserstein", start.distance},
                               {"diversity", start.diversity},
                               {"pi", start.pi}});
  }
  extra["start"] = outcome.chosen + 1;
  extra["order"] = outcome.order;
  extra["temperature"] = outcome.assignment.temperature;
  record.extra = extra.dump();
  std::string objectives;
  for (const auto& start : outcome.starts) {
    objectives += concat(objectives.empty() ? "" : ", ", significant(start.objective));
  }
  const bool moved = outcome.chosen >= static_cast<std::size_t>(task.starts);
  if (outcome.starts.size() > 1) {
    record.details.push_back(
        moved ? concat("W - lambda_reg R of the starts, and after moves that merge and divide "
                       "components: ",
                       objectives, ".")
              : concat("Start ", outcome.chosen + 1, " of ", outcome.starts.size(),
                       " was chosen by W - lambda_reg R: ", objectives, "."));
  }
  std::string intervals;
  for (const auto& [low, high] : outcome.pi_interval) {
    intervals += concat(intervals.empty() ? "" : ", ", significant(100.0 * low, 3), "-",
                        significant(100.0 * high, 3), " %");
  }
  record.details.push_back(concat("95 % intervals of the shares: ", intervals, "."));
  record.warnings = outcome.warnings;
  record.settings.emplace_back("steps", task.options.steps);
  record.settings.emplace_back("lambda_reg", task.options.game.diversity);
  record.settings.emplace_back("generator",
                               std::string(nn::to_string(task.options.generator.kind)));
}

}  // namespace

ClusterTask cluster_task(const ClusterArguments& arguments, const io::PointSet& points,
                         const FeatureSpace& space, std::size_t k) {
  ClusterTask task;
  if (space.map) {
    io::PointSet mapped;
    mapped.values = space.mapped;
    task.normalisation = gan::fit_normalisation(mapped);
    task.inversion.price = task.noise = kWalkNoise;
  } else {
    task.normalisation = gan::fit_normalisation(points);
  }
  const auto recipe =
      arguments.recipe == ClusterRecipe::best ? gan::Recipe::best : gan::Recipe::paper;
  auto& options = task.options;
  options = gan::cluster_options(recipe, static_cast<std::int64_t>(k), task.normalisation);
  if (arguments.steps) options.steps = *arguments.steps;
  if (arguments.batch) options.game.batch = *arguments.batch;
  if (arguments.latent) options.generator.latent_dim = *arguments.latent;
  if (arguments.width) {
    options.generator.channels = options.critic.channels = *arguments.width;
  }
  if (arguments.diversity) options.game.diversity = *arguments.diversity;
  options.game.penalty_rows = std::min(options.game.penalty_rows, options.game.batch);
  options.validate();
  task.rule = rule_for(arguments.rule, arguments.recipe, options.generator);
  task.starts = arguments.restarts.value_or(1);
  require(task.starts > 0, "--restarts must be positive, got ", task.starts);
  const bool from_features = arguments.start == NetworkStart::automatic
                                 ? arguments.recipe == ClusterRecipe::best
                                 : arguments.start == NetworkStart::features;
  if (task.normalisation.is_image() && from_features && k > 1) {
    task.partition = feature_clusters(arguments, points, k);
    task.part_steps = std::max<std::int64_t>(1, options.steps / 4);
  }
  if (arguments.moves) task.max_moves = *arguments.moves;
  require(task.max_moves >= 0, "--moves must not be negative, got ", task.max_moves);
  if (all_of_space(options.generator) && k > 1 && task.starts + task.max_moves > 1) {
    // Rows chosen far apart miss small clusters beside large ones; likelihood often finds them.
    auto found = cluster::gaussian_mixture(
        {.points = space.of(points)},
        {.components = k,
         .restarts = kLikelyStarts,
         .ridge = space.map ? kWalkNoise : cluster::GaussianMixtureOptions{}.ridge,
         .threads = arguments.common.threads},
        Rng(arguments.common.seed).split(kLikely));
    task.given_starts.push_back({std::move(found.mixture), std::move(found.pi)});
  }
  task.seed = arguments.common.seed;
  task.device = arguments.device;
  task.threads = arguments.common.threads;
  task.folder = arguments.run;
  task.checkpoint_every = arguments.checkpoint_every;
  return task;
}

Clusters clusters_of(const ClusterOutcome& outcome) {
  return {.pi = outcome.pi,
          .pi_interval = outcome.pi_interval,
          .assignment = outcome.assignment.component_of,
          .confidence = outcome.assignment.confidence,
          .centres = outcome.centres,
          .criterion = "objective",
          .value = outcome.starts[outcome.chosen].objective,
          .iterations = static_cast<int>(outcome.steps),
          .converged = outcome.end == train::LoopEnd::finished,
          .interrupted = outcome.end == train::LoopEnd::interrupted};
}

int run_adversarial_clustering(const ClusterArguments& arguments, std::optional<Inputs>&& read) {
  Team* const team = join_team();
  if (leads(team)) require_writable_results(arguments);
  start_learning(arguments.common.threads);
  const Inputs inputs = read ? *std::move(read) : load_inputs(arguments.inputs, arguments.common);
  const io::PointSet& points = inputs.x;
  require(points.weights.empty(), "--method nw: points with weights are not supported");
  std::size_t k = parse_components(arguments.k);
  require(k <= points.size(), "--k ", k, ": there are only ", points.size(), " points");
  const InterruptScope interrupt;
  const Stopwatch clock;
  auto record = record::start_record(record::RunKind::training, "cluster", arguments.common.seed);
  const FeatureSpace space = make_feature_space(arguments, points, k);
  if (k == 0) {
    measure::ChooseKOptions options;
    options.nw.threads = arguments.common.threads;
    Rng rng(arguments.common.seed);
    k = measure::choose_k(weighted(points), options, rng).k;
  }
  ClusterTask task = cluster_task(arguments, points, space, k);
  task.options.game.team = team;
  std::optional<run::RunDirectory> directory;
  if (leads(team)) directory = open_run(arguments, config_of(arguments, task, points, space));
  if (any_of(team, directory && directory->finished())) {
    return leads(team) ? repeat_finished_run(arguments.run, arguments.common) : kDone;
  }
  if (directory && arguments.overwrite) {
    std::filesystem::remove_all(directory->path() / "starts");
  }
  std::optional<TrainingProgress> progress;
  int shown = -1;
  task.observer = [&](int start, const train::LoopProgress& at) {
    if (start != shown) {
      progress.reset();
      progress.emplace(start < task.starts ? concat("start ", start + 1) : "moves",
                       arguments.common.show_progress() && leads(team),
                       std::max<std::int64_t>(0, at.step - 1));
      shown = start;
    }
    if (progress->due()) {
      progress->update(
          {.step = at.step, .total = at.steps, .losses = at.values, .pi = at.proportions[0]});
    }
    return !InterruptScope::requested();
  };
  at::manual_seed(arguments.common.seed);  // a GPU draws from its own generator
  const ClusterOutcome outcome = train_clusters(space.of(points), task);
  progress.reset();
  const Clusters clusters = clusters_of(outcome);
  const int code = clusters.converged ? kDone : kNotConverged;
  if (!leads(team)) return code;
  tell(arguments, points, space, clusters, record);
  tell_learning(task, outcome, record);
  draw(points, space, clusters, record);
  record.seconds = clock.seconds();
  if (directory) {
    record.warnings.insert(record.warnings.end(), directory->warnings().begin(),
                           directory->warnings().end());
    if (clusters.converged) {
      if (space.map) write_features(feature_file(arguments.run), *space.map);
      write_assignments((directory->path() / "clusters.csv").string(), clusters);
      record.series = run::metric_series(
          run::read_metrics(run::metrics_file(start_folder(arguments.run, outcome.learnt))));
      record = directory->finish(std::move(record));
      report::write_html(directory->page_file(), {&record, 1});
    }
  }
  print_clusters(arguments.common, record);
  if (!arguments.assignments.empty()) write_assignments(arguments.assignments, clusters);
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return code;
}

}  // namespace nw::cli
