#include "experiments/learning/clustering_method.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "nw/app/clustering/adversarial/cluster_points.hpp"
#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/cluster/principal_axes.hpp"
#include "nw/run/run_directory.hpp"

#include "experiments/learning/kept_run.hpp"

namespace nw::experiments {
namespace {

constexpr const char* kShareError = "pi_error";

ClusteringOptions options_of(const MethodRun& run) {
  const auto& classes = run.points.labels->values;
  ClusteringOptions options{.k = std::set(classes.begin(), classes.end()).size(),
                            .method = run.method.method,
                            .shape = run.method.shape,
                            .restarts = run.method.restarts,
                            .features = run.method.features,
                            .seed = run.seed,
                            .threads = run.settings.threads,
                            .recipe = run.method.recipe,
                            .steps = run.method.steps,
                            .device = run.settings.device};
  if (run.settings.quick) {
    options.steps = 80;
    options.batch = 128;
    options.restarts = 1;
  }
  return options;
}

ClusteringScores scores_of(const record::RunRecord& record) {
  const auto& found = record.clustering.value();
  ClusteringScores scores{.purity = found.purity.value(),
                          .nmi = found.nmi.value(),
                          .ari = found.ari.value(),
                          .seconds = record.seconds};
  for (const auto& metric : record.metrics) {
    if (metric.name == kShareError) scores.pi_error = metric.value;
  }
  return scores;
}

/// The points as this method sees them.
io::PointSet seen_by(const MethodRun& run) {
  const auto& points = run.points;
  io::PointSet seen;
  seen.labels = points.labels;
  seen.source = points.source;
  if (run.method.principal > 0 && points.dimension() > run.method.principal) {
    const auto axes = cluster::principal_axes(points.values, run.method.principal,
                                              Rng(run.seed).split(401), run.settings.threads);
    seen.values = axes.project(points.values, run.settings.threads);
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

MethodResult run_method(const MethodRun& run) {
  std::optional<run::RunDirectory> directory;
  if (!run.folder.empty()) {
    directory = open_kept_run(run.folder, {{"command", "cluster"},
                                           {"case", run.method.name},
                                           {"x", run.points.source},
                                           {"rows_x", run.points.size()},
                                           {"seed", run.seed},
                                           {"quick", run.settings.quick}});
    if (!directory) return {.end = CaseEnd::elsewhere};
    if (directory->finished()) {
      auto record = record::read_record(run.folder);
      const auto scores = scores_of(record);
      return {.end = CaseEnd::done, .scores = scores, .record = std::move(record)};
    }
  }
  const Stopwatch clock;
  const io::PointSet seen = seen_by(run);
  const ClusteringOptions options = options_of(run);
  auto [result, record, finished_before] =
      cluster_points(seen, options,
                     [&](const nw::Progress& at) {
                       // Starts follow each other, and moves come last.
                       const int starts = at.steps > 0 ? options.restarts.value_or(1) : 1;
                       return run.progress(std::min(1.0, (at.round + at.share) / starts));
                     },
                     {.files = {.data = run.points.source}, .starts = run.folder});
  if (result.interrupted) return {};
  record.command = "reproduce";
  record.title = concat(run.points.source, ": ", run.method.name);
  record.clustering->centres.clear();  // of pixels: nobody reads them
  record.metrics.push_back(
      {.name = kShareError,
       .label = "Error of pi",
       .value = share_error(result.pi, result.assignment, run.points.labels->values)});
  record.seconds = clock.seconds();
  if (!record.figure) draw_clusters(seen, result, record);
  // Members look like what they were before the projection.
  if (run.points.image && record.pictures.empty()) {
    record.pictures.push_back(draw_members(run.points, result));
  }
  if (directory) record = directory->finish(std::move(record));
  const auto scores = scores_of(record);
  return {.end = CaseEnd::done, .scores = scores, .record = std::move(record)};
}

}  // namespace nw::experiments
