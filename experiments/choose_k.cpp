// The paper's figure "Choosing k": NW(k) against k for the 3 x 3 grid of Gaussians, and the same
// for the two settings of the comparison, whose k* Theorem 1 predicts.
#include "nw/measure/choose_k.hpp"

#include "nw/base/error.hpp"

#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"
#include "experiments/case_table.hpp"
#include "experiments/paper_mixtures.hpp"

namespace nw::experiments {
namespace {

constexpr double kDeviation = 0.3;

/// One or two data sets and the number of modes that they have.
struct Case {
  const char* name;
  std::size_t modes;
  std::size_t max_k;
};
constexpr Case kGrid{"3 x 3 grid, one data set", 9, 13};
constexpr Case kSetting1{"ring, setting 1", 8, 12};
constexpr Case kSetting2{"ring, setting 2", 16, 20};

struct Data {
  Matrix x, y;  ///< y has no rows for one data set
};

Data draw_case(const Case& which, std::size_t points, Rng& rng) {
  if (&which == &kGrid) {
    const auto grid = grid_of_nine(rng);
    return {draw(grid, grid_proportions(), points, rng).points, {}};
  }
  const double turn = &which == &kSetting2 ? 0.5 : 0.0;
  return {draw(ring_of_eight(kDeviation), rising_proportions(), points, rng).points,
          draw(ring_of_eight(kDeviation, turn), falling_proportions(), points, rng).points};
}

record::RunRecord page_of(const Case& which, const ot::WeightedPoints& x,
                          const ot::WeightedPoints& y, const measure::ChooseKResult& result,
                          int threads) {
  record::RunRecord page;
  page.kind = record::RunKind::choose_k;
  page.command = "reproduce";
  page.title = concat("Number of modes: ", which.name);
  page.sentence = concat("The number of modes is ", result.k, ".");
  page.details = {result.reason};
  page.data = {{.name = "X", .rows = x.points.rows(), .columns = 2}};
  if (y.points.rows() > 0) {
    page.data.push_back({.name = "Y", .rows = y.points.rows(), .columns = 2});
  }
  page.mode_choice = to_record(result);
  page.figure = make_figure(x, y, {}, result.fit(result.k), threads);
  page.seconds = result.seconds;
  return page;
}

CaseOutcome run_case(const Case& which, std::size_t points, std::uint64_t seed, int threads) {
  Rng rng(seed);
  const Data data = draw_case(which, points, rng);
  measure::ChooseKOptions options;
  options.max_k = which.max_k;
  options.nw.threads = threads;
  const ot::WeightedPoints x{.points = data.x, .weights = {}}, y{.points = data.y, .weights = {}};
  const auto result = data.y.rows() == 0 ? measure::choose_k(x, options, rng)
                                         : measure::choose_k(x, y, options, rng);
  CaseOutcome outcome{.end = CaseEnd::done,
                      .scores = {{"k", static_cast<double>(result.k)},
                                 {"k_right", result.k == which.modes ? 1.0 : 0.0}},
                      .record = page_of(which, x, y, result, threads)};
  for (const auto& point : result.curve) {
    outcome.scores.emplace_back(concat("NW(", point.k, ")"), point.nw);
  }
  return outcome;
}

}  // namespace

ExperimentResult run_choose_k_figure(const ExperimentSettings& settings) {
  ExperimentResult experiment;
  const std::size_t points = settings.quick ? 500 : 2000;
  std::vector<const Case*> cases{&kGrid};
  if (!settings.quick) cases.insert(cases.end(), {&kSetting1, &kSetting2});
  experiment.config = {{"points", std::to_string(points)},
                       {"ring deviation", "0.3"},
                       {"grid", "spacing 2, factors 0.15 N(0, 1), pi_i = i / 45"}};
  experiment.notes = {
      "The paper shows its curve for NWGANs trained on the grid; here NW(k) is the primal value "
      "with affine components (the method gan trains models). k_right counts the seeds in which k* "
      "is the true number of modes."};
  CaseTable table;
  for (const Case* which : cases) table.names.emplace_back(which->name);
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) -> CaseOutcome {
    if (!progress(0.0)) return {};
    return run_case(*cases[which], points, seed, settings.threads);
  };
  table.paper = [&](std::size_t which, const std::string& metric) -> std::optional<double> {
    if (metric != "k") return std::nullopt;
    return static_cast<double>(cases[which]->modes);
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
