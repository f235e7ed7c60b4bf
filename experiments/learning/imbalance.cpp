// Beyond the paper: how methods of clustering fare while clusters grow unequal, from 1 : 1 to 1 :
// 50, on digits, in the plane and on a table.
#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/moments.hpp"
#include "nw/base/number_text.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/measure/mixture.hpp"

#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/learning/clustering_method.hpp"
#include "experiments/learning/digit_points.hpp"
#include "experiments/learning/kept_run.hpp"

namespace nw::experiments {
namespace {

constexpr std::size_t kRatios[] = {1, 2, 5, 10, 20, 50}, kQuickRatios[] = {1, 10};
// Of the largest cluster; the smallest has a fiftieth of it at the end of the sweep.
constexpr std::size_t kLargest = 4000, kQuickLargest = 800;

enum class Scene { two_digits, three_digits, plane, table };
constexpr Scene kScenes[] = {Scene::two_digits, Scene::three_digits, Scene::plane, Scene::table};

const char* name_of(Scene which) {
  switch (which) {
    case Scene::two_digits:
      return "two digits";
    case Scene::three_digits:
      return "three digits";
    case Scene::plane:
      return "plane";
    case Scene::table:
      return "table";
  }
  return "unknown";
}

bool has_digits(Scene which) {
  return which == Scene::two_digits || which == Scene::three_digits;
}

/// Three Gaussians in the plane, of different shape, or four in six dimensions, of different size.
/// The first is the largest cluster, the others have a `ratio`-th of its points each.
io::PointSet gaussians(Scene which, std::size_t largest, std::size_t ratio, std::uint64_t seed) {
  Rng rng(seed);
  const std::size_t dim = which == Scene::plane ? 2 : 6, k = which == Scene::plane ? 3 : 4;
  const double apart = which == Scene::plane ? 5.0 : 4.5;
  std::vector<std::vector<double>> rows;
  std::vector<std::int32_t> classes;
  for (std::size_t j = 0; j < k; ++j) {
    std::vector<double> centre(dim, 0.0), deviation(dim, 1.0);
    if (which == Scene::plane) {
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

io::PointSet points_of(Scene which, const data::ByteImages& digits, std::size_t largest,
                       std::size_t ratio, std::uint64_t seed) {
  if (!has_digits(which)) return gaussians(which, largest, ratio, seed);
  std::vector<DigitCount> counts{{6, largest}, {4, largest / ratio}};
  if (which == Scene::three_digits) counts.push_back({2, largest / ratio});
  auto points = digit_points(digits, counts, 1, seed);
  points.source = name_of(which);
  return points;
}

/// Digits: rivals see twenty principal components, and k-means the features of NW besides.
std::vector<ClusteringMethod> methods_of(Scene which) {
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
constexpr const char* kSeconds = "seconds";

/// A method on a scene whose largest cluster has `ratio` times the points of the others.
struct Case {
  Scene scene;
  ClusteringMethod method;
  std::size_t ratio;

  [[nodiscard]] std::string name() const {
    return concat(name_of(scene), " 1:", ratio, " ", method.name);
  }
};

std::vector<Case> all_cases(bool quick) {
  const auto ratios =
      quick ? std::span<const std::size_t>(kQuickRatios) : std::span<const std::size_t>(kRatios);
  std::vector<Case> cases;
  for (const Scene scene : kScenes) {
    for (const auto& method : methods_of(scene)) {
      for (const std::size_t ratio : ratios) cases.push_back({scene, method, ratio});
    }
  }
  return cases;
}

CaseOutcome run_case(const Case& which, const data::ByteImages& digits, std::uint64_t seed,
                     const ExperimentSettings& settings,
                     const std::function<bool(double)>& progress) {
  const auto points =
      points_of(which.scene, digits, settings.quick ? kQuickLargest : kLargest, which.ratio, seed);
  const MethodResult result = run_method({.method = which.method,
                                          .points = points,
                                          .seed = seed,
                                          .settings = settings,
                                          .folder = kept_folder(settings, which.name(), seed),
                                          .progress = progress});
  const ClusteringScores& score = result.scores;
  // No page of its own: a page shows a scene through all ratios.
  return {.end = result.end,
          .scores = {{kMetrics[0], score.purity},
                     {kMetrics[1], score.nmi},
                     {kMetrics[2], score.ari},
                     {kMetrics[3], score.pi_error},
                     {kSeconds, score.seconds}}};
}

/// The values of a case over the seeds; none where it was not run.
std::vector<double> values_of(const std::vector<ResultRow>& rows, const Case& which,
                              const char* metric) {
  const auto row = std::ranges::find_if(rows, [&, name = which.name()](const ResultRow& r) {
    return r.method == name && r.metric == metric;
  });
  if (row == rows.end()) return {};
  return row->values;
}

/// A scene's chart for every metric, with a line for every method through the ratios.
record::RunRecord page_of(Scene scene, const std::vector<Case>& cases,
                          const std::vector<ResultRow>& rows) {
  record::RunRecord page;
  page.kind = record::RunKind::training;
  page.command = "reproduce";
  page.title = concat("Unequal clusters: ", name_of(scene));
  page.sentence = "The largest cluster has 1, 2, 5, 10, 20 or 50 times the points of the others.";
  for (std::size_t m = 0; m < std::size(kMetrics); ++m) {
    for (const auto& method : methods_of(scene)) {
      record::Series line{.name = method.name,
                          .x_label = "largest cluster : the others",
                          .y_label = kLabels[m],
                          .chart = kLabels[m]};
      for (const Case& which : cases) {
        if (which.scene != scene || which.method.name != method.name) continue;
        const auto values = values_of(rows, which, kMetrics[m]);
        if (values.empty()) continue;
        line.x.push_back(static_cast<double>(which.ratio));
        line.y.push_back(mean_of(values));
      }
      if (!line.x.empty()) page.series.push_back(std::move(line));
    }
  }
  for (const Case& which : cases) {
    if (which.scene != scene) continue;
    for (const double seconds : values_of(rows, which, kSeconds)) page.seconds += seconds;
  }
  return page;
}

}  // namespace

ExperimentResult run_imbalance_sweep(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const std::vector<Case> cases = all_cases(settings.quick);
  CaseTable table;
  for (const Case& which : cases) table.names.push_back(which.name());
  const auto chosen = chosen_cases(table, settings.only);
  data::ByteImages digits;
  if (std::ranges::any_of(chosen, [&](std::size_t i) { return has_digits(cases[i].scene); })) {
    digits = data::load_mnist(data::find_data_folder(settings.data, "mnist"), data::Split::train);
  }
  ExperimentResult experiment;
  experiment.config = {
      {"largest cluster", std::to_string(settings.quick ? kQuickLargest : kLargest)},
      {"digits", "sixes against fours; sixes against fours and twos"},
      {"plane", "three Gaussians of different shape"},
      {"table", "four Gaussians in six dimensions"}};
  experiment.notes = {
      "1:r: the largest cluster has r times the points of each other one. NW and 'k-means, "
      "features' see the same diffusion map of the digits, the other rivals twenty principal "
      "components; in the plane and on the table all see the data.",
      "equilibrium k-means: He, arXiv 2402.14490, made for clusters of unequal size.",
      "Labels score the result and are used for nothing else."};
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) {
    return run_case(cases[which], digits, seed, settings, progress);
  };
  run_cases(table, chosen, settings, experiment);
  for (const Scene scene : kScenes) {
    auto page = page_of(scene, cases, experiment.rows);
    if (page.series.empty()) continue;
    if (!experiment.page) {
      experiment.page = std::move(page);
    } else {
      experiment.more_pages.push_back(std::move(page));
    }
  }
  return experiment;
}

}  // namespace nw::experiments
