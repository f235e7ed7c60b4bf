// The paper's table "Clustering results on Imbalanced MNIST dataset": 3000 twos, 1500 fours and
// 6000 sixes, of which MNIST's train split has 5918.
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"

#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/experiment.hpp"
#include "experiments/learning/clustering_method.hpp"
#include "experiments/learning/digit_points.hpp"
#include "experiments/learning/kept_run.hpp"

namespace nw::experiments {
namespace {

constexpr DigitCount kDigits[] = {{2, 3000}, {4, 1500}, {6, 6000}};
constexpr std::size_t kQuickDivisor = 5;

/// A method and the paper's numbers for it.
struct Line {
  ClusteringMethod method;
  std::optional<double> purity, nmi, ari;
  bool always = true;  ///< part of the table; the others run by --only or --full
};

std::vector<Line> all_lines() {
  using enum ClusterMethod;
  const auto none = std::optional<double>();
  return {
      {{.name = "NW", .method = nw, .features = Features::diffusion}, 0.98, 0.94, 0.97},
      {{.name = "k-means", .method = kmeans}, 0.82, 0.49, 0.43},
      {{.name = "GMM, 100 components", .method = gmm, .principal = 100, .restarts = 2},
       0.75,
       0.28,
       0.33},
      {{.name = "GMM, pixels", .method = gmm, .restarts = 1}, 0.75, 0.28, 0.33, false},
      {{.name = "k-means, 20 components", .method = kmeans, .principal = 20}, none, none, none},
      {{.name = "GMM, 20 components", .method = gmm, .principal = 20}, none, none, none},
      {{.name = "equilibrium, 20 components", .method = equilibrium, .principal = 20},
       none,
       none,
       none},
      {{.name = "k-means, features", .method = kmeans, .features = Features::diffusion},
       none,
       none,
       none},
      {{.name = "GMM, features", .method = gmm, .features = Features::diffusion}, none, none, none},
      {{.name = "NW, recipe paper", .method = nw, .recipe = ClusterRecipe::paper, .steps = 3000},
       0.98,
       0.94,
       0.97,
       false},
      {{.name = "NW, images", .method = nw, .steps = 1500}, 0.98, 0.94, 0.97, false},
  };
}

std::vector<Line> chosen(const ExperimentSettings& settings) {
  std::vector<Line> lines;
  std::string names;
  for (auto& line : all_lines()) {
    names += concat(names.empty() ? "'" : ", '", line.method.name, "'");
    const bool listed = line.always || settings.full;
    if (settings.only.empty() ? listed : settings.only == line.method.name) lines.push_back(line);
  }
  require(!lines.empty(), "`only` ", settings.only, ": mnist-clustering has ", names);
  return lines;
}

}  // namespace

ExperimentResult run_mnist_clustering(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const auto lines = chosen(settings);
  const auto digits =
      data::load_mnist(data::find_data_folder(settings.data, "mnist"), data::Split::train);
  ExperimentResult experiment;
  experiment.config = {{"digits", settings.quick ? "600 twos, 300 fours, 1200 sixes"
                                                 : "3000 twos, 1500 fours, all 5918 sixes"},
                       {"k", "3"},
                       {"device", settings.device}};
  experiment.notes = {
      "The seed chooses the digits and every start. Labels score the result and are used for "
      "nothing else: NW keeps the start with the least W - lambda_reg R, k-means "
      "the least inertia, GMM the largest likelihood.",
      "features: two coordinates of a diffusion map of the pixels, learnt from the same digits "
      "without labels. NW works on them, and so do the lines that say so: what the features do and "
      "what the method does can be told apart.",
      "pi_error: largest difference between the learnt shares and the true ones. The paper gives "
      "none. It does not describe its mixture of Gaussians; ours takes the leading principal "
      "components, "
      "of which 100 hold nearly all of the pixels' variance."};
  CaseTable table;
  for (const Line& line : lines) table.names.push_back(line.method.name);
  table.paper = [&](std::size_t which, const std::string& metric) -> std::optional<double> {
    const Line& line = lines[which];
    if (metric == "purity") return line.purity;
    if (metric == "nmi") return line.nmi;
    return metric == "ari" ? line.ari : std::nullopt;
  };
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) -> CaseOutcome {
    const ClusteringMethod& method = lines[which].method;
    const auto points = digit_points(digits, kDigits, settings.quick ? kQuickDivisor : 1, seed);
    auto result = run_method({.method = method,
                              .points = points,
                              .seed = seed,
                              .settings = settings,
                              .folder = kept_folder(settings, method.name, seed),
                              .progress = progress});
    const ClusteringScores& s = result.scores;
    return {.end = result.end,
            .scores = {{"purity", s.purity},
                       {"nmi", s.nmi},
                       {"ari", s.ari},
                       {"pi_error", s.pi_error},
                       {"seconds", s.seconds}},
            .record = std::move(result.record)};
  };
  std::vector<std::size_t> cases(lines.size());
  std::iota(cases.begin(), cases.end(), std::size_t{0});
  run_cases(table, cases, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
