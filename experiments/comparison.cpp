// The paper's table "Hypothesis test between two MOG": W and NW in two settings, and the verdict
// the paper reads off them, here with p-values.
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/measure/compare.hpp"

#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"
#include "experiments/case_table.hpp"
#include "experiments/paper_mixtures.hpp"

namespace nw::experiments {
namespace {

constexpr std::size_t kPoints = 2000, kQuickPoints = 400;
constexpr std::size_t kModes = 8;

struct Setting {
  const char* name;
  double turn;
  Verdict expected;
  double paper_w, paper_nw;
};
constexpr Setting kSettings[] = {{"setting 1", 0.0, Verdict::proportions, 1.51, 0.06},
                                 {"setting 2", 0.5, Verdict::components, 1.56, 0.44}};

/// A setting with its spread of the components.
struct Case {
  Setting setting;
  double deviation;

  [[nodiscard]] std::string name() const {
    return concat(setting.name, ", deviation ", significant(deviation, 2));
  }
};

record::RunRecord page_of(const measure::CompareResult& result, const ot::WeightedPoints& x,
                          const ot::WeightedPoints& y, const std::string& title, int threads) {
  record::RunRecord page;
  page.kind = record::RunKind::compare;
  page.command = "reproduce";
  page.title = title;
  page.sentence = result.sentence;
  page.details = result.notes;
  page.data = {{.name = "D1", .rows = x.points.rows(), .columns = 2},
               {.name = "D2", .rows = y.points.rows(), .columns = 2}};
  page.compare = to_record(result);
  page.figure = make_figure(x, y, {}, result.fit, threads);
  page.seconds = result.seconds;
  return page;
}

CaseOutcome run_case(const Case& which, std::size_t points, std::uint64_t seed,
                     const ExperimentSettings& settings) {
  Rng rng(seed);
  const auto x = draw(ring_of_eight(which.deviation), rising_proportions(), points, rng);
  const auto y =
      draw(ring_of_eight(which.deviation, which.setting.turn), falling_proportions(), points, rng);
  measure::CompareOptions options;
  options.components = kModes;
  options.nw.threads = settings.threads;
  if (settings.quick) options.resamplings = 99;
  const ot::WeightedPoints px{.points = x.points, .weights = {}};
  const ot::WeightedPoints py{.points = y.points, .weights = {}};
  const auto result = measure::compare(px, py, options, rng);
  return {.end = CaseEnd::done,
          .scores = {{"wasserstein", result.wasserstein},
                     {"normalized_wasserstein", result.normalized_wasserstein},
                     {"nw_over_w", result.normalized_wasserstein / result.wasserstein},
                     {"verdict_right", result.verdict == which.setting.expected ? 1.0 : 0.0}},
          .record = page_of(result, px, py, concat("Ring of eight Gaussians, ", which.name()),
                            settings.threads)};
}

std::optional<double> paper_value(const Setting& setting, const std::string& metric) {
  if (metric == "wasserstein") return setting.paper_w;
  if (metric == "normalized_wasserstein") return setting.paper_nw;
  if (metric == "nw_over_w") return setting.paper_nw / setting.paper_w;
  return std::nullopt;
}

}  // namespace

ExperimentResult run_comparison(const ExperimentSettings& settings) {
  ExperimentResult experiment;
  const std::size_t points = settings.quick ? kQuickPoints : kPoints;
  std::vector<Case> cases;
  for (const double deviation :
       settings.quick ? std::vector<double>{0.1} : std::vector<double>{0.1, 0.3}) {
    for (const Setting& setting : kSettings) cases.push_back({setting, deviation});
  }
  experiment.config = {
      {"radius", "4"}, {"k", std::to_string(kModes)}, {"points", std::to_string(points)}};
  experiment.notes = {
      "The paper leaves the radius and the covariances open; ours are radius 4 and deviations 0.1 "
      "and 0.3, so W and NW have another scale and NW / W is what can be compared.",
      "NW is computed with k = 8 components; verdict_right counts the seeds with the expected "
      "verdict (setting 1: proportions, setting 2: components)."};
  CaseTable table;
  for (const Case& which : cases) table.names.push_back(which.name());
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) -> CaseOutcome {
    if (!progress(0.0)) return {};
    return run_case(cases[which], points, seed, settings);
  };
  table.paper = [&](std::size_t which, const std::string& metric) {
    return paper_value(cases[which].setting, metric);
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
