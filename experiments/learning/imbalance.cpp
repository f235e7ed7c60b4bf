// Beyond the paper: how methods of clustering fare while clusters grow unequal, from 1 : 1 to 1 :
// 50, on digits, in the plane and on a table.
#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/measure/mixture.hpp"

#include "app/learning/session.hpp"
#include "experiments/experiment.hpp"
#include "experiments/learning/clustering_method.hpp"
#include "experiments/learning/digit_points.hpp"

namespace nw::experiments {
namespace {

constexpr std::size_t kRatios[] = {1, 2, 5, 10, 20, 50}, kQuickRatios[] = {1, 10};
// Of the largest cluster; the smallest has a fiftieth of it at the end of the sweep.
constexpr std::size_t kLargest = 4000, kQuickLargest = 800;

enum class Case { two_digits, three_digits, plane, table };
constexpr Case kCases[] = {Case::two_digits, Case::three_digits, Case::plane, Case::table};

const char* name_of(Case which) {
  switch (which) {
    case Case::two_digits:
      return "two digits";
    case Case::three_digits:
      return "three digits";
    case Case::plane:
      return "plane";
    case Case::table:
      return "table";
  }
  return "unknown";
}

bool has_digits(Case which) {
  return which == Case::two_digits || which == Case::three_digits;
}

/// Three Gaussians in the plane, of different shape, or four in six dimensions, of different size.
/// The first is the largest cluster, the others have a `ratio`-th of its points each.
io::PointSet gaussians(Case which, std::size_t largest, std::size_t ratio, std::uint64_t seed) {
  Rng rng(seed);
  const std::size_t dim = which == Case::plane ? 2 : 6, k = which == Case::plane ? 3 : 4;
  const double apart = which == Case::plane ? 5.0 : 4.5;
  std::vector<std::vector<double>> rows;
  std::vector<std::int32_t> classes;
  for (std::size_t j = 0; j < k; ++j) {
    std::vector<double> centre(dim, 0.0), deviation(dim, 1.0);
    if (which == Case::plane) {
      const double angle = 2.0 * M_PI * static_cast<double>(j) / static_cast<double>(k);
      centre = {apart * std::cos(angle), apart * std::sin(angle)};
      deviation = {j == 0 ? 2.0 : 1.0, j == 1 ? 1.5 : 0.8};
    } else {
      centre[j] = apart;
      centre[(j + 1) % dim] = 0.5 * apart;
      for (std::size_t c = 0; c < dim; ++c)
        deviation[c] = 0.6 + 0.25 * static_cast<double>((c + j) % 4);
    }
    const std::size_t count = j == 0 ? largest : std::max<std::size_t>(largest / ratio, 2);
    for (std::size_t i = 0; i < count; ++i) {
      std::vector<double> row(dim);
      for (std::size_t c = 0; c < dim; ++c) row[c] = centre[c] + deviation[c] * rng.normal();
      rows.push_back(std::move(row));
      classes.push_back(static_cast<std::int32_t>(j));
    }
  }
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  rng.shuffle(std::span(order));
  io::PointSet set;
  set.source = name_of(which);
  set.values = Matrix(rows.size(), dim);
  set.labels.emplace();
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::ranges::copy(rows[order[i]], set.values.row(i).begin());
    set.labels->values.push_back(classes[order[i]]);
  }
  return set;
}

io::PointSet points_of(Case which, const data::ByteImages& digits, std::size_t largest,
                       std::size_t ratio, std::uint64_t seed) {
  if (!has_digits(which)) return gaussians(which, largest, ratio, seed);
  std::vector<DigitCount> counts{{6, largest}, {4, largest / ratio}};
  if (which == Case::three_digits) counts.push_back({2, largest / ratio});
  auto points = digit_points(digits, counts, 1, seed);
  points.source = name_of(which);
  return points;
}

/// Digits: rivals see twenty principal components, and k-means the features of NW besides.
std::vector<ClusteringMethod> methods_of(Case which) {
  using enum ClusterMethod;
  const std::size_t principal = has_digits(which) ? 20 : 0;
  const auto features = has_digits(which) ? Features::diffusion : Features::none;
  std::vector<ClusteringMethod> all{
      {.name = "NW", .method = nw, .features = features},
      {.name = "k-means", .method = kmeans, .principal = principal},
      {.name = "GMM", .method = gmm, .principal = principal},
      {.name = "equilibrium k-means", .method = equilibrium, .principal = principal}};
  if (has_digits(which)) {
    all.push_back({.name = "k-means, features", .method = kmeans, .features = features});
  }
  return all;
}

constexpr const char* kMetrics[] = {"purity", "nmi", "ari", "pi_error"};
constexpr const char* kLabels[] = {"Purity", "NMI", "ARI", "Error of pi"};

std::vector<double> values_of(const ClusteringScores& score) {
  return {score.purity, score.nmi, score.ari, score.pi_error};
}

/// The lines of one method through the ratios, one for each metric.
struct Curve {
  std::string method;
  std::vector<double> ratio;
  std::vector<std::vector<double>> mean;  // [metric][ratio]
};

record::RunRecord page_of(Case which, const std::vector<Curve>& curves, double seconds) {
  record::RunRecord page;
  page.kind = record::RunKind::training;
  page.command = "reproduce";
  page.title = concat("Unequal clusters: ", name_of(which));
  page.sentence = "The largest cluster has 1, 2, 5, 10, 20 or 50 times the points of the others.";
  for (std::size_t m = 0; m < std::size(kMetrics); ++m) {
    for (const auto& curve : curves) {
      page.series.push_back({.name = curve.method,
                             .x_label = "largest cluster : the others",
                             .y_label = kLabels[m],
                             .x = curve.ratio,
                             .y = curve.mean[m],
                             .chart = kLabels[m]});
    }
  }
  page.seconds = seconds;
  return page;
}

bool wanted(Case which, const std::string& method, const std::string& only) {
  return only.empty() || only == name_of(which) || only == method ||
         only == concat(name_of(which), " ", method);
}

}  // namespace

ExperimentResult run_imbalance_sweep(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const bool quick = settings.quick;
  const auto ratios =
      quick ? std::span<const std::size_t>(kQuickRatios) : std::span<const std::size_t>(kRatios);
  data::ByteImages digits;
  std::size_t parts = 0;
  bool needs_digits = false;
  for (const Case which : kCases) {
    for (const auto& method : methods_of(which)) {
      if (!wanted(which, method.name, settings.only)) continue;
      ++parts;
      needs_digits = needs_digits || has_digits(which);
    }
  }
  require(parts > 0, "`only` ", settings.only,
          ": imbalance-sweep has the cases 'two digits', 'three digits', plane and table, and the "
          "methods NW, k-means, GMM and 'equilibrium k-means'");
  if (needs_digits) {
    digits = data::load_mnist(data::find_data_folder(settings.data, "mnist"), data::Split::train);
  }
  ExperimentResult experiment;
  experiment.config = {{"largest cluster", std::to_string(quick ? kQuickLargest : kLargest)},
                       {"digits", "sixes against fours; sixes against fours and twos"},
                       {"plane", "three Gaussians of different shape"},
                       {"table", "four Gaussians in six dimensions"}};
  experiment.notes = {
      "1:r: the largest cluster has r times the points of each other one. NW and 'k-means, "
      "features' see the same diffusion map of the digits, the other rivals twenty principal "
      "components; in the plane and on the table all see the data.",
      "equilibrium k-means: He, arXiv 2402.14490, made for clusters of unequal size.",
      "Labels score the result and are used for nothing else."};
  const double total = static_cast<double>(parts * ratios.size() * settings.seeds.size());
  double done = 0.0;
  for (const Case which : kCases) {
    std::vector<Curve> curves;
    double seconds = 0.0;
    for (const auto& method : methods_of(which)) {
      if (!wanted(which, method.name, settings.only)) continue;
      Curve curve{.method = method.name, .ratio = {}, .mean = {}};
      curve.mean.resize(std::size(kMetrics));
      for (const std::size_t ratio : ratios) {
        const std::string name = concat(name_of(which), " 1:", ratio, " ", method.name);
        std::vector<ResultRow> rows;
        for (const char* metric : kMetrics) rows.push_back({.method = name, .metric = metric});
        for (const auto seed : settings.seeds) {
          const auto points =
              points_of(which, digits, quick ? kQuickLargest : kLargest, ratio, seed);
          const auto result = run_method({.method = method,
                                          .points = points,
                                          .seed = seed,
                                          .settings = settings,
                                          .folder = seed_folder(settings, name, seed),
                                          .progress = [&](double share) {
                                            return !settings.progress ||
                                                   settings.progress((done + share) / total, name);
                                          }});
          done += 1.0;
          if (result.end == CaseEnd::interrupted) {
            experiment.interrupted = true;
            return experiment;
          }
          if (result.end == CaseEnd::elsewhere) continue;
          seconds += result.scores.seconds;
          const auto values = values_of(result.scores);
          for (std::size_t m = 0; m < values.size(); ++m) rows[m].values.push_back(values[m]);
        }
        if (rows[0].values.empty()) continue;
        curve.ratio.push_back(static_cast<double>(ratio));
        for (std::size_t m = 0; m < rows.size(); ++m) {
          double mean = 0.0;
          for (const double v : rows[m].values) {
            mean += v / static_cast<double>(rows[m].values.size());
          }
          curve.mean[m].push_back(mean);
        }
        experiment.rows.insert(experiment.rows.end(), rows.begin(), rows.end());
      }
      curves.push_back(std::move(curve));
    }
    if (curves.empty()) continue;
    auto page = page_of(which, curves, seconds);
    if (!experiment.page) {
      experiment.page = std::move(page);
    } else {
      experiment.more_pages.push_back(std::move(page));
    }
  }
  return experiment;
}

}  // namespace nw::experiments
