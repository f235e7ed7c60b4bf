// The paper's title figure: couplings of plain W join points of different modes when the
// proportions differ; those of the normalised measure do not.
#include <map>

#include "nw/measure/compare.hpp"
#include "nw/ot/exact.hpp"

#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"
#include "experiments/experiment.hpp"

namespace nw::experiments {
namespace {

/// Two modes, 4 : 1 in the source and 1 : 4 in the target, as in the figure.
constexpr double kSourceShare = 0.8;
constexpr std::size_t kPoints = 1000, kQuickPoints = 200;

measure::Mixture two_modes() {
  Matrix covariance(2, 2);
  covariance(0, 0) = covariance(1, 1) = 0.6;
  const double left[2] = {-3.0, 0.0}, right[2] = {3.0, 1.0};
  return {{measure::gaussian_component(left, covariance),
           measure::gaussian_component(right, covariance)}};
}

/// Share of the mass that a plan moves between points of different modes.
double share_across(const ot::TransportResult& plan, const std::vector<std::uint32_t>& from,
                    const std::vector<std::uint32_t>& to) {
  double across = 0.0;
  for (const ot::Flow& flow : plan.plan) {
    if (from[flow.source] != to[flow.target]) across += flow.mass;
  }
  return across;
}

/// The same for the plan between a sample and the fitted mixture. A fitted component stands for the
/// mode whose members it serves most.
double share_across(const measure::MixtureSample& sample, const measure::NwResult& fit,
                    const std::vector<double>& pi, int threads) {
  const auto atoms = measure::stratified_atoms(fit.mixture_original, 256);
  const auto weights = atoms.weights(pi);
  const auto solution = ot::solve_exact({.source = {.points = sample.points, .weights = {}},
                                         .target = {.points = atoms.points, .weights = weights},
                                         .cost = ot::GroundCost::euclidean},
                                        {.threads = threads});
  std::map<std::size_t, std::map<std::uint32_t, double>> mass;  // component -> mode -> mass
  for (const ot::Flow& flow : solution.plan) {
    std::size_t component = 0;
    while (flow.target >= atoms.begin[component + 1]) ++component;
    mass[component][sample.component_of[flow.source]] += flow.mass;
  }
  double across = 0.0;
  for (const auto& [component, modes] : mass) {
    double total = 0.0, most = 0.0;
    for (const auto& [mode, share] : modes) total += share, most = std::max(most, share);
    across += total - most;
  }
  return across;
}

}  // namespace

ExperimentResult run_title_figure(const ExperimentSettings& settings) {
  ExperimentResult experiment;
  const std::size_t points = settings.quick ? kQuickPoints : kPoints;
  experiment.config = {
      {"points", std::to_string(points)}, {"source", "4 : 1"}, {"target", "1 : 4"}};
  experiment.notes = {
      "Two Gaussian modes stand for the embedded digits of the paper's figure, which gives no "
      "numbers for its couplings; across_modes is the share of the mass that is coupled between "
      "different modes."};
  ResultRow plain{.method = "Wasserstein", .metric = "across_modes"};
  ResultRow source{.method = "normalised, source", .metric = "across_modes"};
  ResultRow target{.method = "normalised, target", .metric = "across_modes"};
  double done = 0.0;
  for (const std::uint64_t seed : settings.seeds) {
    if (settings.progress &&
        !settings.progress(done++ / static_cast<double>(settings.seeds.size()), "title figure")) {
      experiment.interrupted = true;
      return experiment;
    }
    Rng rng(seed);
    const auto x = draw(two_modes(), std::vector{kSourceShare, 1.0 - kSourceShare}, points, rng);
    const auto y = draw(two_modes(), std::vector{1.0 - kSourceShare, kSourceShare}, points, rng);
    const ot::WeightedPoints px{.points = x.points, .weights = {}},
        py{.points = y.points, .weights = {}};
    const auto coupling =
        ot::solve_exact({.source = px, .target = py, .cost = ot::GroundCost::euclidean},
                        {.threads = settings.threads});
    plain.values.push_back(share_across(coupling, x.component_of, y.component_of));
    measure::CompareOptions options;
    options.components = 2;
    options.nw.threads = settings.threads;
    options.resamplings = 99;
    const auto result = measure::compare(px, py, options, rng);
    source.values.push_back(share_across(x, result.fit, result.pi_x, settings.threads));
    target.values.push_back(share_across(y, result.fit, result.pi_y, settings.threads));
    if (experiment.page) continue;
    record::RunRecord page;
    page.kind = record::RunKind::compare;
    page.command = "reproduce";
    page.title = "Couplings before and after normalising";
    page.sentence = result.sentence;
    page.details = result.notes;
    page.data = {{.name = "source", .rows = points, .columns = 2},
                 {.name = "target", .rows = points, .columns = 2}};
    page.compare = to_record(result);
    page.figure = make_figure(px, py, {}, result.fit, settings.threads);
    page.seconds = result.seconds;
    experiment.page = page;
  }
  experiment.rows = {plain, source, target};
  return experiment;
}

}  // namespace nw::experiments
