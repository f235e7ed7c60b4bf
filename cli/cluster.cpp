// `nw cluster DATA`: which points belong together, and how large each group is.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/cluster/agreement.hpp"
#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/cluster/kmeans.hpp"
#include "nw/io/write.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/record/projection.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure_options.hpp"
#include "cli/measure_record.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/report_option.hpp"
#include "cli/run_record.hpp"
#include "cli/text_table.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {
namespace {

using measure::Shape;

enum class ClusterMethod { kmeans, gmm };

struct ClusterArguments {
  CommonOptions common;
  InputArguments inputs;
  ClusterMethod method = ClusterMethod::kmeans;
  std::string k;  ///< a number or "auto"
  Shape shape = Shape::full;
  std::optional<int> restarts;  ///< the method's own by default
  std::string assignments;      ///< file for the cluster of each point; empty: none
  std::string report;
};

/// What both methods have in common.
struct Clusters {
  std::vector<double> pi;                 ///< [k], largest first
  std::vector<std::uint32_t> assignment;  ///< [n]
  std::vector<double> confidence = {};    ///< [n], where the method has one
  Matrix centres;                         ///< [k, d]
  std::vector<Matrix> covariances = {};   ///< [k] of [d, d], where the method has them
  std::string criterion;                  ///< name of what the method optimises
  double value = 0.0;
  int iterations = 0;
  bool converged = false, interrupted = false;
};

Clusters run_kmeans(const ClusterArguments& arguments, const ot::WeightedPoints& data,
                    std::size_t k, const std::function<bool(double)>& observer) {
  cluster::KMeansOptions options{
      .components = k, .threads = arguments.common.threads, .observer = observer};
  if (arguments.restarts) options.restarts = *arguments.restarts;
  auto found = cluster::kmeans(data, options, Rng(arguments.common.seed));
  return {.pi = std::move(found.share),
          .assignment = std::move(found.assignment),
          .centres = std::move(found.centres),
          .criterion = "inertia",
          .value = found.inertia,
          .iterations = found.iterations,
          .converged = found.converged,
          .interrupted = found.interrupted};
}

Clusters run_gmm(const ClusterArguments& arguments, const ot::WeightedPoints& data, std::size_t k,
                 const std::function<bool(double)>& observer) {
  cluster::GaussianMixtureOptions options{.components = k,
                                          .shape = arguments.shape,
                                          .restarts = 10,
                                          .threads = arguments.common.threads,
                                          .observer = observer};
  if (arguments.restarts) options.restarts = *arguments.restarts;
  auto found = cluster::gaussian_mixture(data, options, Rng(arguments.common.seed));
  Clusters clusters{.pi = std::move(found.pi),
                    .assignment = std::move(found.assignment),
                    .confidence = std::move(found.confidence),
                    .centres = Matrix(k, data.points.cols()),
                    .criterion = "log_likelihood",
                    .value = found.log_likelihood,
                    .iterations = found.iterations,
                    .converged = found.converged,
                    .interrupted = found.interrupted};
  for (std::size_t j = 0; j < k; ++j) {
    const auto& component = found.mixture.components[j];
    std::copy(component.centre.begin(), component.centre.end(), clusters.centres.row(j).begin());
    clusters.covariances.push_back(covariance(component));
  }
  return clusters;
}

/// The number of modes by Theorem 1, as `nw choose-k` finds it.
measure::ChooseKResult find_k(const ClusterArguments& arguments, const io::PointSet& points) {
  Progress progress("choose-k", arguments.common.show_progress());
  measure::ChooseKOptions options;
  options.nw.threads = arguments.common.threads;
  options.observer = observe(progress);
  Rng rng(arguments.common.seed);
  return measure::choose_k(weighted(points), options, rng);
}

Clusters solve(const ClusterArguments& arguments, const io::PointSet& points, std::size_t k) {
  Progress progress("cluster", arguments.common.show_progress());
  const auto observer = [&](double done) {
    progress.update(done);
    return !InterruptScope::requested();
  };
  const bool kmeans = arguments.method == ClusterMethod::kmeans;
  return (kmeans ? run_kmeans : run_gmm)(arguments, weighted(points), k, observer);
}

/// One line per point, in the order of the data.
void write_assignments(const std::string& file, const Clusters& clusters) {
  const bool sure = !clusters.confidence.empty();
  Matrix table(clusters.assignment.size(), sure ? 2 : 1);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    table(i, 0) = clusters.assignment[i] + 1.0;
    if (sure) table(i, 1) = clusters.confidence[i];
  }
  io::CsvOptions options{.column_names = {"cluster"}};
  if (sure) options.column_names.push_back("confidence");
  io::write_csv(file, table, options);
}

/// Covariance of the points of cluster j around its centre, on the axes of the figure.
std::vector<double> drawn_covariance(const io::PointSet& points, const Clusters& clusters,
                                     const record::Projection& projection, std::size_t j) {
  const record::FigurePoint centre = projection.point(clusters.centres.row(j));
  const std::size_t axes = centre.size();
  std::vector<double> sum(axes * axes, 0.0);
  double members = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (clusters.assignment[i] != j) continue;
    const record::FigurePoint point = projection.point(points.values.row(i));
    for (std::size_t a = 0; a < axes; ++a) {
      for (std::size_t b = 0; b < axes; ++b) {
        sum[a * axes + b] += (point[a] - centre[a]) * (point[b] - centre[b]);
      }
    }
    members += 1.0;
  }
  for (double& value : sum) value /= std::max(members, 1.0);
  return sum;
}

/// The clusters where the points lie.
record::Figure figure_of(const io::PointSet& points, const Clusters& clusters) {
  const record::Projection projection(points.values, {}, points.column_names);
  record::Figure figure = start_figure(projection, points.values, {});
  for (std::size_t j = 0; j < clusters.pi.size(); ++j) {
    figure.ellipses.push_back({.component = j,
                               .centre = projection.point(clusters.centres.row(j)),
                               .covariance = clusters.covariances.empty()
                                                 ? drawn_covariance(points, clusters, projection, j)
                                                 : projection.covariance(clusters.covariances[j])});
  }
  return figure;
}

record::RunRecord make_record(const ClusterArguments& arguments, const io::PointSet& points,
                              const Clusters& clusters,
                              const std::optional<cluster::Agreement>& scores) {
  auto record = start_record(record::RunKind::training, "cluster", arguments.common);
  record.title = concat("Clusters of ", describe(points, arguments.inputs.x).name);
  record.sentence = concat(clusters.pi.size(), " clusters hold");
  for (std::size_t j = 0; j < clusters.pi.size(); ++j) {
    record.sentence += concat(j == 0 ? " " : ", ", significant(100.0 * clusters.pi[j], 3), " %");
  }
  record.sentence += " of the points.";
  record.data = {describe(points, arguments.inputs.x)};
  Json extra{{"method", arguments.method == ClusterMethod::kmeans ? "kmeans" : "gmm"},
             {"k", clusters.pi.size()},
             {"pi", clusters.pi},
             {clusters.criterion, clusters.value},
             {"iterations", clusters.iterations}};
  Json centres = Json::array();
  for (std::size_t j = 0; j < clusters.centres.rows(); ++j) {
    const auto row = clusters.centres.row(j);
    centres.push_back(std::vector<double>(row.begin(), row.end()));
  }
  extra["centres"] = centres;
  if (!arguments.assignments.empty()) extra["assignments"] = arguments.assignments;
  if (scores) {
    extra.update(Json{{"purity", scores->purity}, {"nmi", scores->nmi}, {"ari", scores->ari}});
    record.metrics = {{.name = "purity", .label = "Purity", .value = scores->purity},
                      {.name = "nmi", .label = "NMI", .value = scores->nmi},
                      {.name = "ari", .label = "ARI", .value = scores->ari}};
  }
  record.extra = extra.dump();
  record.converged = clusters.converged && !clusters.interrupted;
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"k", arguments.k}, {"method", extra["method"].get<std::string>()}};
  if (arguments.method == ClusterMethod::gmm) {
    record.settings.emplace_back("shape", std::string(to_string(arguments.shape)));
  }
  return record;
}

void print(const ClusterArguments& arguments, const record::RunRecord& record,
           const std::optional<cluster::Agreement>& scores) {
  if (!arguments.common.human_output() || arguments.common.quiet) return;
  std::cout << record.sentence << '\n';
  if (scores) {
    std::cout << "purity " << significant(scores->purity) << ", NMI " << significant(scores->nmi)
              << ", ARI " << significant(scores->ari) << '\n';
  }
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

int run_cluster(const ClusterArguments& arguments) {
  require(!arguments.k.empty(), "--k: say how many clusters there are, or auto to find out");
  std::size_t k = parse_components(arguments.k);
  require(arguments.method == ClusterMethod::gmm || arguments.shape == Shape::full,
          "--shape belongs to --method gmm");
  for (const auto& file : {arguments.common.json, arguments.assignments, arguments.report}) {
    require_writable(file);
  }
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  const io::PointSet& points = inputs.x;
  require(k <= points.size(), "--k ", k, ": there are only ", points.size(), " points");
  const InterruptScope interrupt;
  const Stopwatch clock;
  std::optional<measure::ChooseKResult> choice;
  if (k == 0) {
    choice = find_k(arguments, points);
    if (choice->curve.empty()) return kNotConverged;
    k = choice->k;
  }
  const Clusters clusters = solve(arguments, points, k);
  std::optional<cluster::Agreement> scores;
  if (points.labels) scores = cluster::agreement(points.labels->values, clusters.assignment);
  record::RunRecord record = make_record(arguments, points, clusters, scores);
  if (choice) {
    record.mode_choice = to_record(*choice);
    record.details.push_back(choice->reason);
  }
  record.seconds = clock.seconds();
  print(arguments, record, scores);
  if (!arguments.assignments.empty()) write_assignments(arguments.assignments, clusters);
  if (!arguments.report.empty()) record.figure = figure_of(points, clusters);
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return record.converged ? kDone : kNotConverged;
}

}  // namespace

void add_cluster(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("cluster", "Which points belong together");
  const auto arguments = std::make_shared<ClusterArguments>();
  command->add_option("DATA", arguments->inputs.x, "Points: CSV, TSV, NPY, NPZ, idx, images")
      ->required();
  command->add_option("--k", arguments->k, "Number of clusters, or auto to choose it")
      ->type_name("N|auto");
  add_choice<ClusterMethod>(*command, "--method", arguments->method,
                            {{"kmeans", ClusterMethod::kmeans}, {"gmm", ClusterMethod::gmm}},
                            "Round clusters by distance, or a mixture of Gaussians");
  add_choice<Shape>(
      *command, "--shape", arguments->shape,
      {{"full", Shape::full}, {"diagonal", Shape::diagonal}, {"spherical", Shape::spherical}},
      "gmm: family of the covariances");
  command->add_option("--restarts", arguments->restarts, "Starts; the best one wins (default 10)")
      ->type_name("N");
  command
      ->add_option("--labels", arguments->inputs.points.load.labels_file,
                   "Classes of the points, for purity, NMI and ARI")
      ->type_name("FILE");
  command->add_option("-o,--assignments", arguments->assignments, "Write the cluster of each point")
      ->type_name("FILE.csv");
  add_point_options(*command, arguments->inputs.points);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw cluster points.csv --k 3 -o clusters.csv --report page.html\n"
      "  nw cluster points.csv --k auto --method gmm\n"
      "  nw cluster points.csv --label-column species --k 3 --method gmm --json -\n"
      "Exit code 4: stopped before it converged (iteration limit, or Ctrl-C).");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_cluster(*arguments); }; });
}

}  // namespace nw::cli
