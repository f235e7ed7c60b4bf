// What a clustering reports: its record, its drawing and its file.
#include <algorithm>
#include <cmath>

#include "nw/app/clustering/find_clusters.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/cluster/genie.hpp"
#include "nw/io/write.hpp"
#include "nw/record/picture.hpp"
#include "nw/record/projection.hpp"
#include "nw/record/start_record.hpp"

#include "app/compare/measure_record.hpp"

namespace nw::app {
namespace {

/// Covariance of the rows of cluster j around its centre, on the axes of the figure.
std::vector<double> drawn_covariance(MatrixView rows, const ClusteringResult& clusters,
                                     const record::Projection& projection, std::size_t j) {
  const record::FigurePoint centre = projection.point(clusters.centres.row(j));
  const std::size_t axes = centre.size();
  std::vector<double> sum(axes * axes, 0.0);
  double members = 0.0;
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (clusters.assignment[i] != j) continue;
    const record::FigurePoint point = projection.point(rows.row(i));
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

std::vector<std::vector<double>> rows_of(const Matrix& matrix) {
  std::vector<std::vector<double>> rows;
  for (std::size_t j = 0; j < matrix.rows(); ++j) {
    rows.emplace_back(matrix.row(j).begin(), matrix.row(j).end());
  }
  return rows;
}

std::string sentence_of(const ClusteringResult& clusters) {
  const std::size_t k = clusters.pi.size();
  std::string text = concat(k, k == 1 ? " cluster: " : " clusters: ");
  for (std::size_t j = 0; j < k; ++j) {
    text += concat(j == 0 ? "" : j + 1 == k ? " and " : ", ", percent(clusters.pi[j]));
  }
  return text + " of the points.";
}

/// The means of the members of each cluster: [k, d]. Empty clusters have zeros.
Matrix member_means(MatrixView rows, std::span<const std::uint32_t> assignment, std::size_t k) {
  Matrix means(k, rows.cols());
  std::vector<double> members(k, 0.0);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    auto to = means.row(assignment[i]);
    const auto from = rows.row(i);
    for (std::size_t c = 0; c < to.size(); ++c) to[c] += from[c];
    members[assignment[i]] += 1.0;
  }
  for (std::size_t j = 0; j < k; ++j) {
    for (double& value : means.row(j)) value /= std::max(members[j], 1.0);
  }
  return means;
}

/// What the method evidence rests its choice on, for people.
std::string describe_evidence(const ClusterEvidence& evidence) {
  const auto& winner = evidence.candidates.front();
  std::string text = concat("Winner of ", evidence.candidates.size(), " candidates: ", winner.name);
  if (evidence.candidates.size() == 1) return text + ".";
  const auto& next = evidence.candidates[1];
  text += evidence.mixture_won
              ? concat(
                    ", under which unseen rows are about as likely as under a kernel estimate "
                    "(median gain in log density ",
                    significant(evidence.gaussian, 2), ").")
              : concat(", by separation ", significant(winner.separation.score(), 3),
                       " (next: ", next.name, ", ", significant(next.separation.score(), 3), ").");
  if (!evidence.mixture_won && evidence.stability) {
    text += concat(
        " Unseen rows are about as likely under a mixture of Gaussians, but mixtures of "
        "parts of the rows have other members (ARI ",
        significant(*evidence.stability, 2), ").");
  }
  if (evidence.k_high > 0) {
    text += concat(" All points and resamples suggest ", evidence.k_low, " to ", evidence.k_high,
                   " clusters.");
  }
  return text;
}

/// What the method nw rests its choice on, for people.
void describe_learning(const ClusteringResult& result, record::RunRecord& record) {
  const auto& learning = *result.learning;
  const auto& starts = learning.training.starts;
  std::string objectives;
  for (const auto& start : starts) {
    objectives += concat(objectives.empty() ? "" : ", ", significant(start.objective));
  }
  const bool moved = learning.training.start > static_cast<std::size_t>(learning.starts);
  if (starts.size() > 1) {
    record.details.push_back(
        moved ? concat("W - lambda_reg R of the starts, and after moves that merge and divide "
                       "components: ",
                       objectives, ".")
              : concat("Start ", learning.training.start, " of ", starts.size(),
                       " was chosen by W - lambda_reg R: ", objectives, "."));
  }
  std::string intervals;
  for (const auto& [low, high] : result.pi_interval) {
    intervals +=
        concat(intervals.empty() ? "" : ", ", significant(100.0 * low, 3), "-", percent(high));
  }
  record.details.push_back(concat("95 % intervals of the shares: ", intervals, "."));
  record.settings.emplace_back("steps", learning.steps);
  record.settings.emplace_back("lambda_reg", learning.training.diversity);
  record.settings.emplace_back("generator", learning.generator);
}

record::ClusteringSummary summary_of(const io::PointSet& points, const ClusteringResult& result,
                                     const ClusteringFiles& files) {
  record::ClusteringSummary summary{.method = choice_name(result.method),
                                    .k = result.pi.size(),
                                    .pi = result.pi,
                                    .pi_interval = result.pi_interval,
                                    .criterion = result.criterion,
                                    .value = result.value,
                                    .iterations = static_cast<std::uint64_t>(result.iterations),
                                    .features = result.space.map ? "diffusion" : "none",
                                    .centres = rows_of(result.data_centres(points)),
                                    .assignments = files.assignments};
  if (const auto& map = result.space.map) {
    summary.eigenvalues = map->eigenvalues;
    summary.bimodality = map->bimodality;
    summary.agreement = map->agreement;
  }
  if (const auto scores = agreement_with_classes(points, result.assignment)) {
    summary.purity = scores->purity;
    summary.nmi = scores->nmi;
    summary.ami = scores->ami;
    summary.ari = scores->ari;
  }
  if (result.learning) summary.training = result.learning->training;
  if (const auto& evidence = result.evidence) {
    summary.winner = evidence->candidates.front().name;
    summary.margin = evidence->margin;
    summary.gaussian_evidence = evidence->gaussian;
    summary.gaussian_stability = evidence->stability;
    for (const auto& [name, apart, objective] : evidence->candidates) {
      summary.candidates.push_back({.name = name,
                                    .separation = apart.score(),
                                    .cut = apart.cut,
                                    .valley = apart.valley,
                                    .balance = apart.balance});
      summary.candidates.back().objective = objective;
    }
    if (evidence->k_high > 0) summary.k_interval = {evidence->k_low, evidence->k_high};
  }
  if (!result.noise.empty()) {
    summary.noise = static_cast<double>(std::ranges::count(result.noise, true)) /
                    static_cast<double>(result.noise.size());
  }
  return summary;
}

}  // namespace

Matrix ClusteringResult::data_centres(const io::PointSet& points) const {
  return space.map ? member_means(points.values, assignment, pi.size()) : centres;
}

void write_assignments(const std::string& file, const std::vector<std::uint32_t>& assignment,
                       const std::vector<double>& confidence, const std::vector<bool>& noise) {
  const bool sure = !confidence.empty();
  Matrix table(assignment.size(), sure ? 2 : 1);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    table(i, 0) = !noise.empty() && noise[i] ? 0.0 : assignment[i] + 1.0;
    if (sure) table(i, 1) = confidence[i];
  }
  io::CsvOptions options{.column_names = {"cluster"}};
  if (sure) options.column_names.push_back("confidence");
  io::write_csv(file, table, options);
}

void write_tree(const std::string& file, const io::PointSet& points,
                const ClusteringOptions& options) {
  constexpr std::size_t kMost = 20000;
  require(points.size() <= kMost, "a tree of ", points.size(), " points: at most ", kMost);
  const auto merges = cluster::genie(points.values, {.threads = options.threads});
  Matrix table(merges.size(), 4);
  double height = 0.0;
  for (std::size_t t = 0; t < merges.size(); ++t) {
    // The limit to unequal sizes takes merges out of the order of their distances; SciPy's cuts
    // need them in order, and no two at the same height.
    height = std::max(merges[t].distance, std::nextafter(height, 2.0 * height + 1.0));
    table(t, 0) = merges[t].first;
    table(t, 1) = merges[t].second;
    table(t, 2) = height;
    table(t, 3) = merges[t].size;
  }
  io::write_csv(file, table, {.column_names = {"first", "second", "distance", "size"}});
}

std::optional<cluster::Agreement> agreement_with_classes(
    const io::PointSet& points, const std::vector<std::uint32_t>& assignment) {
  if (!points.labels) return std::nullopt;
  return cluster::agreement(points.labels->values, assignment);
}

record::RunRecord clustering_record(const io::PointSet& points, const ClusteringOptions& options,
                                    const ClusteringResult& result, const ClusteringFiles& files) {
  auto record = record::start_record(record::RunKind::training, "cluster", options.seed);
  record.data = {record::describe(points, files.data)};
  record.title = concat("Clusters of ", record.data[0].name);
  record.sentence = sentence_of(result);
  if (result.choice) {
    record.mode_choice = to_record(*result.choice);
    record.details.push_back(result.choice->reason);
  }
  record.clustering = summary_of(points, result, files);
  if (const auto& scores = *record.clustering; scores.purity) {
    record.metrics = {{.name = "purity", .label = "Purity", .value = *scores.purity},
                      {.name = "nmi", .label = "NMI", .value = *scores.nmi},
                      {.name = "ami", .label = "AMI", .value = *scores.ami},
                      {.name = "ari", .label = "ARI", .value = *scores.ari}};
  }
  record.converged = result.converged && !result.interrupted;
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"k", options.k > 0 ? std::to_string(options.k) : "auto"},
                     {"method", std::string(choice_name(result.method))},
                     {"features", std::string(result.space.map ? "diffusion" : "none")}};
  if (result.method == ClusterMethod::gmm) {
    record.settings.emplace_back("shape", std::string(to_string(options.shape)));
  }
  if (result.learning) describe_learning(result, record);
  if (result.evidence) record.details.push_back(describe_evidence(*result.evidence));
  if (const auto& noise = record.clustering->noise) {
    record.details.push_back(concat(percent(*noise), " of the points are set apart as noise."));
  }
  record.warnings = result.warnings;
  return record;
}

record::Picture draw_members(const io::PointSet& points, const ClusteringResult& clusters) {
  constexpr std::size_t kTiles = 12, kMostLines = 20;
  const std::size_t k = std::min(clusters.pi.size(), kMostLines);
  std::vector<std::vector<std::size_t>> members(k);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (clusters.assignment[i] < k) members[clusters.assignment[i]].push_back(i);
  }
  std::vector<Matrix> lines(k, Matrix(kTiles, points.dimension()));
  for (std::size_t j = 0; j < k; ++j) {
    const std::size_t shown = std::min(kTiles, members[j].size());
    for (std::size_t t = 0; t < shown; ++t) {
      const auto row = points.values.row(members[j][t * members[j].size() / shown]);
      std::copy(row.begin(), row.end(), lines[j].row(t).begin());
    }
  }
  return record::draw_sheet({.lines = std::move(lines), .shape = *points.image}, "Members",
                            "A line for each cluster, the largest first.");
}

void draw_clusters(const io::PointSet& points, const ClusteringResult& result,
                   record::RunRecord& record) {
  const MatrixView rows = result.space.of(points);
  const bool mapped = result.space.map.has_value();
  const record::Projection projection(rows, {},
                                      mapped ? std::vector<std::string>() : points.column_names);
  record::Figure figure = start_figure(projection, rows, {});
  for (std::size_t j = 0; j < result.pi.size(); ++j) {
    figure.ellipses.push_back({.component = j,
                               .centre = projection.point(result.centres.row(j)),
                               .covariance = result.covariances.empty()
                                                 ? drawn_covariance(rows, result, projection, j)
                                                 : projection.covariance(result.covariances[j])});
  }
  record.figure = std::move(figure);
  if (points.image) record.pictures.push_back(draw_members(points, result));
}

}  // namespace nw::app
