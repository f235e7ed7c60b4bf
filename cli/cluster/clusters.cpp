#include "cli/cluster/clusters.hpp"

#include <algorithm>
#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"
#include "nw/record/picture.hpp"
#include "nw/record/projection.hpp"
#include "nw/record/start_record.hpp"

#include "cli/text_table.hpp"

namespace nw::cli {
namespace {

/// Covariance of the rows of cluster j around its centre, on the axes of the figure.
std::vector<double> drawn_covariance(MatrixView rows, const Clusters& clusters,
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

/// Evenly spread members of each cluster, a line each.
record::Picture members_of(const io::PointSet& points, const Clusters& clusters) {
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

Json rows_json(const Matrix& matrix) {
  Json rows = Json::array();
  for (std::size_t j = 0; j < matrix.rows(); ++j) {
    const auto row = matrix.row(j);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  return rows;
}

std::string sentence_of(const Clusters& clusters) {
  std::string text = concat(clusters.pi.size(), " clusters hold");
  for (std::size_t j = 0; j < clusters.pi.size(); ++j) {
    text += concat(j == 0 ? " " : ", ", significant(100.0 * clusters.pi[j], 3), " %");
  }
  return text + " of the points.";
}

}  // namespace

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

std::optional<cluster::Agreement> score(const io::PointSet& points, const Clusters& clusters) {
  if (!points.labels) return std::nullopt;
  return cluster::agreement(points.labels->values, clusters.assignment);
}

void tell(const ClusterArguments& arguments, const io::PointSet& points, const FeatureSpace& space,
          const Clusters& clusters, record::RunRecord& record) {
  record.title = concat("Clusters of ", record::describe(points, arguments.inputs.x).name);
  record.sentence = sentence_of(clusters);
  record.data = {record::describe(points, arguments.inputs.x)};
  const std::size_t k = clusters.pi.size();
  Json extra{{"method", to_string(arguments.method)}, {"k", k}, {"pi", clusters.pi}};
  for (const auto& [low, high] : clusters.pi_interval) {
    extra["pi_interval"].push_back({low, high});
  }
  extra[clusters.criterion] = clusters.value;
  extra["iterations"] = clusters.iterations;
  extra["features"] = space.map ? "diffusion" : "none";
  if (space.map) {
    extra["eigenvalues"] = space.map->eigenvalues;
    extra["bimodality"] = space.map->bimodality;
  }
  // Where members lie in the data; the method's own centres where it worked on them.
  extra["centres"] =
      rows_json(space.map ? member_means(points.values, clusters.assignment, k) : clusters.centres);
  if (!arguments.assignments.empty()) extra["assignments"] = arguments.assignments;
  if (const auto scores = score(points, clusters)) {
    extra.update(Json{{"purity", scores->purity}, {"nmi", scores->nmi}, {"ari", scores->ari}});
    record.metrics = {{.name = "purity", .label = "Purity", .value = scores->purity},
                      {.name = "nmi", .label = "NMI", .value = scores->nmi},
                      {.name = "ari", .label = "ARI", .value = scores->ari}};
  }
  record.extra = extra.dump();
  record.converged = clusters.converged && !clusters.interrupted;
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"k", arguments.k},
                     {"method", std::string(to_string(arguments.method))},
                     {"features", std::string(space.map ? "diffusion" : "none")}};
  if (arguments.method == ClusterMethod::gmm) {
    record.settings.emplace_back("shape", std::string(to_string(arguments.shape)));
  }
}

void draw(const io::PointSet& points, const FeatureSpace& space, const Clusters& clusters,
          record::RunRecord& record) {
  const MatrixView rows = space.of(points);
  const record::Projection projection(rows, {},
                                      space.map ? std::vector<std::string>() : points.column_names);
  record::Figure figure = start_figure(projection, rows, {});
  for (std::size_t j = 0; j < clusters.pi.size(); ++j) {
    figure.ellipses.push_back({.component = j,
                               .centre = projection.point(clusters.centres.row(j)),
                               .covariance = clusters.covariances.empty()
                                                 ? drawn_covariance(rows, clusters, projection, j)
                                                 : projection.covariance(clusters.covariances[j])});
  }
  record.figure = std::move(figure);
  if (points.image) record.pictures.push_back(members_of(points, clusters));
}

void print_clusters(const CommonOptions& common, const record::RunRecord& record) {
  if (!common.human_output()) return;
  if (common.quiet) {
    const auto pi = Json::parse(record.extra).at("pi").get<std::vector<double>>();
    for (const double share : pi) std::cout << significant(share) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  std::string scores;
  for (const auto& metric : record.metrics) {
    scores += concat(scores.empty() ? "" : ", ", metric.label == "Purity" ? "purity" : metric.label,
                     " ", significant(metric.value));
  }
  if (!scores.empty()) std::cout << scores << '\n';
  for (const std::string& detail : record.details) std::cout << "  " << detail << '\n';
  for (const std::string& warning : record.warnings) std::cout << "- " << warning << '\n';
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

}  // namespace nw::cli
