#include "nw/app/clustering/adversarial/cluster_points.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/atomic_file.hpp"
#include "nw/report/html_report.hpp"
#include "nw/run/training_record.hpp"

#include "app/clustering/adversarial/model.hpp"
#include "app/clustering/adversarial/task.hpp"
#include "app/clustering/feature_space.hpp"
#include "app/learning/session.hpp"

namespace nw::app {
namespace {

namespace fs = std::filesystem;

fs::path model_file(const fs::path& run) {
  return run / "model.safetensors";
}

/// Everything that decides the numbers of a run.
Json config_of(const ClusteringOptions& options, const ClusterTask& task,
               const io::PointSet& points, const ClusteringRun& run, bool mapped) {
  Json config{{"command", "cluster"},
              {"x", run.files.data},
              {"rows_x", points.size()},
              {"k", task.options.generator.components},
              {"recipe", choice_name(options.recipe)},
              {"features", mapped ? "diffusion" : "none"},
              {"neighbours", options.neighbours},
              {"device", options.device}};
  config.update(cluster_config(task));
  return config;
}

record::ClusteringTraining training_of(const ClusterTask& task, const ClusterOutcome& outcome) {
  record::ClusteringTraining training{.steps = static_cast<std::uint64_t>(outcome.steps),
                                      .end = to_string(outcome.end),
                                      .diversity = task.options.game.diversity,
                                      .start = outcome.chosen + 1,
                                      .order = outcome.order,
                                      .temperature = outcome.assignment.temperature};
  for (const auto& start : outcome.starts) {
    training.starts.push_back({.objective = start.objective,
                               .wasserstein = start.distance,
                               .diversity = start.diversity,
                               .pi = start.pi});
  }
  return training;
}

/// Moves what was trained into the form that all methods report.
void take_over(const ClusterTask& task, ClusterOutcome& outcome, ClusteringResult& result) {
  result.learning = AdversarialEvidence{.training = training_of(task, outcome),
                                        .starts = task.starts,
                                        .trained = outcome.trained,
                                        .steps = task.options.steps,
                                        .generator = nn::to_string(task.options.generator.kind)};
  result.criterion = "objective";
  result.value = outcome.starts[outcome.chosen].objective;
  result.iterations = static_cast<int>(outcome.steps);
  result.converged = outcome.end == train::LoopEnd::finished;
  result.interrupted = outcome.end == train::LoopEnd::interrupted;
  if (result.converged) {
    result.model =
        adversarial_model(adversarial_model_bytes(task, outcome, result.space.map), "model");
  }
  result.pi = std::move(outcome.pi);
  result.pi_interval = std::move(outcome.pi_interval);
  result.assignment = std::move(outcome.assignment.component_of);
  result.confidence = std::move(outcome.assignment.confidence);
  result.centres = std::move(outcome.centres);
  std::ranges::move(outcome.warnings, std::back_inserter(result.warnings));
}

/// What a run keeps besides its starts; result.json comes last, as it makes the run a finished one.
void finish_run(run::RunDirectory& directory, Clustering& clustering) {
  auto& [result, record, finished_before] = clustering;
  record.warnings.insert(record.warnings.end(), directory.warnings().begin(),
                         directory.warnings().end());
  if (!result.converged) return;
  io::write_file_atomically(model_file(directory.path()), result.model->to_bytes());
  write_assignments((directory.path() / "clusters.csv").string(), result.assignment,
                    result.confidence);
  record.series = run::metric_series(run::read_metrics(
      run::metrics_file(start_folder(directory.path(), result.learning->trained))));
  record = directory.finish(std::move(record));
  report::write_html(directory.page_file(), {&record, 1});
}

/// The result of a run that needs no more work.
Clustering read_finished(const fs::path& folder, Team* team) {
  Clustering clustering{.finished_before = true};
  clustering.result.method = ClusterMethod::nw;
  clustering.result.converged = true;
  if (!leads(team)) return clustering;
  clustering.record = run::read_run(folder);
  clustering.result.model = load_cluster_model(folder);
  clustering.result.pi = clustering.result.model->pi();
  return clustering;
}

Clustering learn_clusters(const io::PointSet& points, const ClusteringOptions& options,
                          const ProgressObserver& observer, const ClusteringRun& run) {
  require(points.weights.empty(), "method nw: points with weights are not supported");
  start_learning(options.threads);
  const Stopwatch clock;
  Clustering clustering;
  ClusteringResult& result = clustering.result;
  const std::size_t k = prepare(options, points, observer, result);
  if (any_of(run.team, k == 0)) return clustering;
  ClusterTask task = make_task(options, points, result.space, k);
  task.options.game.team = run.team;
  task.observer = observer;
  task.folder = run.folder.path.empty() ? run.starts : run.folder.path;
  task.checkpoint_every = run.folder.checkpoint_every;
  std::optional<run::RunDirectory> directory;
  if (leads(run.team) && !run.folder.path.empty()) {
    const Json config = config_of(options, task, points, run, result.space.map.has_value());
    directory.emplace(run.folder.path, config.dump(), run::RunOptions{.mode = run.folder.mode});
  }
  if (any_of(run.team, directory && directory->finished())) {
    return read_finished(run.folder.path, run.team);
  }
  if (directory && run.folder.mode == run::StartMode::overwrite) {
    fs::remove_all(directory->path() / "starts");
    fs::remove(model_file(directory->path()));
  }
  at::manual_seed(options.seed);  // a GPU draws from its own generator
  ClusterOutcome outcome = train_clusters(result.space.of(points), task);
  take_over(task, outcome, result);
  if (!leads(run.team)) return clustering;
  clustering.record = clustering_record(points, options, result, run.files);
  draw_clusters(points, result, clustering.record);
  clustering.record.seconds = clock.seconds();
  if (directory) finish_run(*directory, clustering);
  return clustering;
}

}  // namespace

Clustering cluster_points(const io::PointSet& points, const ClusteringOptions& asked,
                          const ProgressObserver& observer, const ClusteringRun& run) {
  ClusteringOptions options = asked;
  if (options.method == ClusterMethod::automatic) {
    options.method = choose_method(points, options, /*can_learn=*/true);
  }
  if (options.method == ClusterMethod::nw) return learn_clusters(points, options, observer, run);
  require(run.folder.path.empty(), "a run directory belongs to the method nw, not to ",
          choice_name(options.method));
  return cluster_without_learning(points, options, observer, run.files);
}

std::shared_ptr<const ClusterModel> load_cluster_model(const fs::path& run) {
  const auto config = nlohmann::json::parse(run::read_config(run));
  if (config.value("command", "") != "cluster") {
    throw IoError(concat(run.string(), ": is not a run of nw cluster"));
  }
  const fs::path path = model_file(run);
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw IoError(
        concat(run.string(), ": has no model.safetensors: the run is not finished, resume it"));
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return any_cluster_model_from_bytes(bytes, path.string());
}

}  // namespace nw::app
