#include "experiments/learning/cluster_contest.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/cluster/principal_axes.hpp"
#include "nw/run/run_directory.hpp"

#include "cli/cluster/feature_file.hpp"
#include "cli/torch/cluster_command.hpp"
#include "experiments/learning/case_table.hpp"

namespace nw::experiments {
namespace {

std::size_t classes_of(const io::PointSet& points) {
  return std::set<std::int32_t>(points.labels->values.begin(), points.labels->values.end()).size();
}

ClusterArguments arguments_of(const ClusterContestant& who, const io::PointSet& points,
                              std::uint64_t seed, const ExperimentSettings& settings,
                              const std::string& folder) {
  ClusterArguments arguments;
  arguments.common.seed = seed;
  arguments.common.threads = settings.threads;
  arguments.common.quiet = true;
  arguments.inputs.x = points.source;
  arguments.method = who.method;
  arguments.k = std::to_string(classes_of(points));
  arguments.shape = who.shape;
  arguments.features = who.features;
  arguments.recipe = who.recipe;
  arguments.restarts = who.restarts;
  arguments.steps = who.steps;
  if (settings.quick) {
    arguments.steps = 80;
    arguments.batch = 128;
    arguments.restarts = 1;
  }
  arguments.device = settings.device;
  arguments.run = folder;
  return arguments;
}

ClusterScore score_of(const record::RunRecord& record) {
  const auto extra = Json::parse(record.extra);
  return {.purity = extra.at("purity").get<double>(),
          .nmi = extra.at("nmi").get<double>(),
          .ari = extra.at("ari").get<double>(),
          .pi_error = extra.at("pi_error").get<double>(),
          .seconds = record.seconds};
}

/// The points as this contestant sees them.
io::PointSet seen_by(const ClusterContestant& who, const io::PointSet& points, std::uint64_t seed,
                     int threads) {
  io::PointSet seen;
  seen.labels = points.labels;
  seen.source = points.source;
  if (who.principal > 0 && points.dimension() > who.principal) {
    const auto axes =
        cluster::principal_axes(points.values, who.principal, Rng(seed).split(401), threads);
    seen.values = axes.project(points.values, threads);
  } else {
    seen.values = points.values;
    seen.image = points.image;
  }
  return seen;
}

}  // namespace

double share_error(const std::vector<double>& pi, std::span<const std::uint32_t> assignment,
                   std::span<const std::int32_t> classes) {
  const std::set<std::int32_t> kinds(classes.begin(), classes.end());
  const std::vector<std::int32_t> names(kinds.begin(), kinds.end());
  const std::size_t k = std::max(pi.size(), names.size());
  require(k <= 8, "share_error: ", k, " clusters are too many to match");
  std::vector<std::vector<double>> both(k, std::vector<double>(k, 0.0));
  std::vector<double> share(k, 0.0), learnt(pi);
  learnt.resize(k, 0.0);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto c =
        static_cast<std::size_t>(std::ranges::lower_bound(names, classes[i]) - names.begin());
    both[assignment[i]][c] += 1.0;
    share[c] += 1.0 / static_cast<double>(classes.size());
  }
  std::vector<std::size_t> match(k);
  std::iota(match.begin(), match.end(), std::size_t{0});
  double most = -1.0, error = 1.0;
  do {
    double agree = 0.0, largest = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      agree += both[j][match[j]];
      largest = std::max(largest, std::abs(learnt[j] - share[match[j]]));
    }
    if (agree > most) {
      most = agree;
      error = largest;
    }
  } while (std::ranges::next_permutation(match).found);
  return error;
}

ContestResult contest(const ClusterContestant& who, const io::PointSet& points, std::uint64_t seed,
                      const ExperimentSettings& settings, const std::string& folder,
                      const std::function<bool(double)>& progress) {
  const auto arguments = arguments_of(who, points, seed, settings, folder);
  std::size_t k = classes_of(points);
  std::optional<run::RunDirectory> directory;
  if (!folder.empty()) {
    directory = open_kept_run(folder, {{"command", "cluster"},
                                       {"case", who.name},
                                       {"x", points.source},
                                       {"rows_x", points.size()},
                                       {"seed", seed},
                                       {"quick", settings.quick}});
    if (!directory) return {.end = ContestEnd::elsewhere};
    if (directory->finished()) {
      auto record = record::read_record(folder);
      const auto score = score_of(record);
      return {.end = ContestEnd::done, .score = score, .record = std::move(record)};
    }
  }
  const Stopwatch clock;
  const io::PointSet seen = seen_by(who, points, seed, settings.threads);
  const FeatureSpace space = make_feature_space(arguments, seen, k);
  Clusters clusters;
  Json more = Json::object();
  if (who.method == ClusterMethod::nw) {
    auto task = cluster_task(arguments, seen, space, k);
    task.observer = [&](int start, const train::LoopProgress& at) {
      const double share = static_cast<double>(at.step) / static_cast<double>(at.steps);
      return progress(std::min(1.0, (start + share) / task.starts));
    };
    at::manual_seed(seed);
    const auto outcome = train_clusters(space.of(seen), task);
    clusters = clusters_of(outcome);
    more["start"] = outcome.chosen + 1;
    more["pi_of_starts"] = Json::array();
    for (const auto& start : outcome.starts) more["pi_of_starts"].push_back(start.pi);
    for (const auto& start : outcome.starts) more["objectives"].push_back(start.objective);
  } else {
    clusters = find_clusters(arguments, {.points = space.of(seen)}, k, progress);
  }
  if (clusters.interrupted) return {};
  record::RunRecord record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  tell(arguments, points, space, clusters, record);
  record.title = concat(points.source, ": ", who.name);
  record.seeds = {seed};
  Json extra = Json::parse(record.extra);
  extra.erase("centres");
  extra.update(more);
  extra["pi_error"] = share_error(clusters.pi, clusters.assignment, points.labels->values);
  record.extra = extra.dump();
  record.seconds = clock.seconds();
  draw(seen, space, clusters, record);
  if (points.image && record.pictures.empty()) {
    // Members look like what they were before the projection.
    record::RunRecord original;
    draw(points, {},
         {.pi = clusters.pi,
          .assignment = clusters.assignment,
          .centres = member_means(points.values, clusters.assignment, k)},
         original);
    record.pictures = std::move(original.pictures);
  }
  if (directory) record = directory->finish(std::move(record));
  const auto score = score_of(record);
  return {.end = ContestEnd::done, .score = score, .record = std::move(record)};
}

}  // namespace nw::experiments
