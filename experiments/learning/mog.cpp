// The paper's table "Quantitative Evaluation on Mixture of Gaussians": NWGAN, WGAN and MGAN on a 3
// x 3 grid of Gaussians whose proportions rise from 1/45 to 9/45.
#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/gan/mode_errors.hpp"
#include "nw/record/projection.hpp"
#include "nw/train/training_loop.hpp"

#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/paper_mixtures.hpp"

namespace nw::experiments {
namespace {

using gan::GanMethod;
using gan::ModeErrors;
using gan::Recipe;

constexpr std::int64_t kModes = 9;
// So many that the sampling noise of the scores is a tenth of the paper's smallest error.
constexpr std::int64_t kScoredRows = 1000000, kQuickRows = 100000;

/// One line of the table.
struct GanLine {
  const char* name;
  GanMethod method;
  Recipe recipe;
  double paper_mean, paper_covariance, paper_proportion;
  std::int64_t steps;  // 0: the recipe's
};
// With the paper's rates 100 000 critic steps would take ten minutes a seed; 22 000 are what the
// authors' code was given when we measured it.
constexpr GanLine kLines[] = {
    {"NWGAN", GanMethod::nwgan, Recipe::best, 0.002, 0.0001, 0.0001, 0},
    {"NWGAN, recipe paper", GanMethod::nwgan, Recipe::paper, 0.002, 0.0001, 0.0001, 2200},
    {"WGAN", GanMethod::wgan, Recipe::best, 0.007, 0.0003, 0.0036, 0},
    {"MGAN", GanMethod::mgan, Recipe::best, 0.007, 0.0002, 0.7157, 0},
};

constexpr const char* kRace = "seconds_to_paper";

/// The distribution to be learnt and a large sample of it to score against.
struct Truth {
  std::shared_ptr<train::DataSource> source;
  Matrix centres, real;
};

Truth make_truth(std::uint64_t seed, std::int64_t rows) {
  Rng rng(seed);
  const auto grid = grid_of_nine(rng);
  Truth truth{.source = train::mixture_source(grid, grid_proportions()),
              .centres = Matrix(kModes, 2),
              .real = {}};
  for (std::size_t j = 0; j < truth.centres.rows(); ++j) {
    std::copy_n(grid.components[j].centre.begin(), 2, truth.centres.row(j).begin());
  }
  train::Draws draws(Rng(seed).split(1), torch::kCPU);
  truth.real = bridge::to_matrix(truth.source->draw(rows, draws));
  return truth;
}

struct Training {
  ModeErrors start{}, end{};
  double seconds = 0.0;                 // of training, without scoring
  std::optional<double> until_paper{};  // when all three errors were below the paper's
  Matrix generated{};                   // some rows to draw
  bool interrupted = false;
};

Training train_one(const GanLine& line, const Truth& truth, std::uint64_t seed,
                   const ExperimentSettings& settings,
                   const std::function<bool(double)>& progress) {
  auto options =
      gan::recipe_options(line.recipe, line.method, kModes, gan::identity_normalisation(2));
  if (line.steps > 0 && !settings.full) options.steps = line.steps;
  if (settings.quick) options.steps = std::max<std::int64_t>(1, options.steps / 10);
  const auto game =
      gan::make_game(options, {truth.source}, Rng(seed).split(2), choose_device(settings.device));
  const std::int64_t rows = settings.quick ? kQuickRows : kScoredRows;
  const auto generate = [&](std::int64_t count) {
    return bridge::to_matrix(game->sample(count, 0, Rng(seed).split(3)).rows);
  };
  const auto score = [&] { return gan::mode_errors(truth.centres, truth.real, generate(rows)); };
  Training result{.start = score()};
  Stopwatch clock;
  double scoring = 0.0;
  const bool race = line.method == GanMethod::nwgan && line.recipe == Recipe::best;
  const train::LoopOptions loop{.steps = options.steps,
                                .log_every = std::max<std::int64_t>(1, options.steps / 20),
                                .checkpoint_every = options.steps};
  const auto observer = [&](const train::LoopProgress& at) {
    const Stopwatch pause;
    if (race && at.logged && !result.until_paper) {
      const auto errors = score();
      if (errors.mean_error <= line.paper_mean &&
          errors.proportion_error <= line.paper_proportion &&
          errors.covariance_error <= line.paper_covariance && errors.modes == kModes) {
        result.until_paper = clock.seconds() - scoring - pause.seconds();
      }
    }
    const bool go_on = progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
    scoring += pause.seconds();
    return go_on;
  };
  const auto played = train::play(*game, loop, {.observer = observer});
  result.seconds = clock.seconds() - scoring;
  result.interrupted = played.end == train::LoopEnd::interrupted;
  result.end = score();
  result.generated = generate(static_cast<std::int64_t>(record::kDrawnRows));
  return result;
}

record::RunRecord page_of(const GanLine& line, const Truth& truth, const Training& training) {
  record::RunRecord page;
  page.kind = record::RunKind::training;
  page.command = "reproduce";
  page.title = concat("Mixture of Gaussians: ", line.name);
  page.sentence = concat(training.end.modes, " of ", kModes, " modes are there.");
  page.data = {{.name = "3 x 3 grid", .rows = truth.real.rows(), .columns = 2}};
  page.metrics = {{.name = "mean_error",
                   .label = "Error of the means",
                   .value = training.end.mean_error,
                   .expected = line.paper_mean},
                  {.name = "covariance_error",
                   .label = "Error of the covariances",
                   .value = training.end.covariance_error,
                   .expected = line.paper_covariance},
                  {.name = "pi_error",
                   .label = "Error of the proportions",
                   .value = training.end.proportion_error,
                   .expected = line.paper_proportion}};
  Matrix real(record::kDrawnRows, 2);
  std::copy_n(truth.real.values().begin(), real.values().size(), real.values().begin());
  const record::Projection projection(real, training.generated);
  page.figure = start_figure(projection, real, training.generated);
  page.seconds = training.seconds;
  return page;
}

CaseOutcome run_line(const GanLine& line, std::uint64_t seed, const ExperimentSettings& settings,
                     const std::function<bool(double)>& progress) {
  const Truth truth = make_truth(seed, settings.quick ? kQuickRows : kScoredRows);
  const Training training = train_one(line, truth, seed, settings, progress);
  if (training.interrupted) return {};
  CaseOutcome outcome{.end = CaseEnd::done,
                      .scores = {{"mean_error", training.end.mean_error},
                                 {"covariance_error", training.end.covariance_error},
                                 {"pi_error", training.end.proportion_error},
                                 {"modes", static_cast<double>(training.end.modes)},
                                 {"seconds", training.seconds}},
                      .record = page_of(line, truth, training)};
  if (training.until_paper) outcome.scores.emplace_back(kRace, *training.until_paper);
  if (&line == &kLines[0]) {
    outcome.scores.emplace_back("mean_error at the start", training.start.mean_error);
    outcome.scores.emplace_back("covariance_error at the start", training.start.covariance_error);
    outcome.scores.emplace_back("pi_error at the start", training.start.proportion_error);
  }
  return outcome;
}

std::optional<double> paper_value(const GanLine& line, const std::string& metric) {
  if (metric == "mean_error") return line.paper_mean;
  if (metric == "covariance_error") return line.paper_covariance;
  if (metric == "pi_error") return line.paper_proportion;
  return std::nullopt;
}

}  // namespace

ExperimentResult run_mog(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  ExperimentResult experiment;
  experiment.config = {{"grid", "spacing 2, factors 0.15 N(0, 1), pi_i = i / 45, fresh samples"},
                       {"k", "9"},
                       {"scored rows", std::to_string(settings.quick ? kQuickRows : kScoredRows)}};
  experiment.notes = {
      "Errors as the paper defines them: points belong to the nearest true mean; squared "
      "differences of means and covariances are averaged over entries and modes; the proportions' "
      "error is |pi - pi'|^2 / |pi|^2. Missing modes are left out of the first two; modes counts "
      "those there.",
      "NWGAN starts with its components at nine rows of the data chosen by k-means++, of equal "
      "size and proportion; rows 'at the start' score that. Recipe paper starts at random, clips, "
      "and is given 22 000 critic steps unless `full` asks for the 100 000.",
      "seconds: training on this machine; seconds_to_paper: until all three errors were at most "
      "the paper's."};
  CaseTable table;
  for (const GanLine& line : kLines) table.names.emplace_back(line.name);
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) {
    return run_line(kLines[which], seed, settings, progress);
  };
  table.paper = [](std::size_t which, const std::string& metric) {
    return paper_value(kLines[which], metric);
  };
  run_case_table(table, settings, experiment);
  // A race that not every seed finished has no mean: one over the lucky seeds would mislead.
  std::erase_if(experiment.rows, [&](const ResultRow& row) {
    return row.metric == kRace && row.values.size() < settings.seeds.size();
  });
  return experiment;
}

}  // namespace nw::experiments
