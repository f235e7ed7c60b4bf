// The paper's figure "Choosing k" from trained models: NWGANs with k = 1, 2, ... components on the
// 3 x 3 grid of Gaussians. The paper plots the value of its critics; here NW(k) is the exact W
// between generated and fresh real points, which is in units of distance and has a known noise
// floor.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/moments.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/record/projection.hpp"
#include "nw/train/training_loop.hpp"

#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/paper_mixtures.hpp"

namespace nw::experiments {
namespace {

constexpr int kDraws = 4;  // pairs of samples behind each value
enum Stream : std::uint64_t { kNetworks = 2, kGenerated = 3, kReal = 5 };

struct Effort {
  const char* name;
  std::vector<std::size_t> modes;  // of the grid, in use
  std::int64_t max_k, steps, batch, points;
};

/// The quick version learns four of the nine modes.
Effort effort_of(const ExperimentSettings& settings) {
  if (settings.quick) {
    return {.name = "2 x 2 grid, trained NWGANs",
            .modes = {0, 1, 3, 4},
            .max_k = 5,
            .steps = 120,
            .batch = 256,
            .points = 1000};
  }
  return {.name = "3 x 3 grid, trained NWGANs",
          .modes = {0, 1, 2, 3, 4, 5, 6, 7, 8},
          .max_k = 12,
          .steps = 400,
          .batch = 1024,
          .points = 4000};
}

struct Estimate {
  double mean = 0.0, deviation = 0.0;  // of the mean
};

Estimate estimate(const std::vector<double>& values) {
  return {.mean = mean_of(values),
          .deviation = std::sqrt(variance_of(values) / static_cast<double>(values.size()))};
}

/// The distribution to be learnt.
class Truth {
 public:
  Truth(const Effort& effort, std::uint64_t seed) : rng_(seed), points_(effort.points) {
    Rng rng(seed);
    const auto grid = grid_of_nine(rng);
    measure::Mixture used;
    std::vector<double> pi;
    for (std::size_t j = 0; j < effort.modes.size(); ++j) {
      used.components.push_back(grid.components[effort.modes[j]]);
      pi.push_back(static_cast<double>(j + 1));
    }
    const double total = std::accumulate(pi.begin(), pi.end(), 0.0);
    for (double& p : pi) p /= total;
    for (auto* source : {&source_, &training_source_}) {
      *source = train::mixture_source(used, pi);
    }
  }
  [[nodiscard]] Matrix draw(std::uint64_t stream) const {
    train::Draws draws(rng_.split(kReal).split(stream), torch::kCPU);
    return bridge::to_matrix(source_->draw(points_, draws));
  }
  /// For a game, which moves it to its device.
  [[nodiscard]] const std::shared_ptr<train::DataSource>& training_source() const {
    return training_source_;
  }

 private:
  Rng rng_;
  std::int64_t points_;
  std::shared_ptr<train::DataSource> source_, training_source_;
};

double distance(const Matrix& x, const Matrix& y, int threads) {
  ot::WassersteinOptions options;
  options.threads = threads;
  return ot::wasserstein({.points = x}, {.points = y}, options).distance;
}

/// What a perfect model would give: W between two samples of the truth.
Estimate noise_floor(const Truth& truth, int threads) {
  std::vector<double> values;
  for (std::uint64_t d = 0; d < kDraws; ++d) {
    values.push_back(distance(truth.draw(2 * d), truth.draw(2 * d + 1), threads));
  }
  return estimate(values);
}

struct Model {
  Estimate nw{};
  Matrix generated{};  // one sample, to draw
  bool interrupted = false;
};

Model train_model(std::int64_t k, const Effort& effort, const Truth& truth, std::uint64_t seed,
                  const ExperimentSettings& settings, const std::function<bool(double)>& progress) {
  auto options = gan::recipe_options(gan::Recipe::best, gan::GanMethod::nwgan, k,
                                     gan::identity_normalisation(2));
  const std::int64_t steps = options.steps = effort.steps;
  options.game.batch = effort.batch;
  // The average must forget the start within a run this short.
  options.game.averaging =
      std::min(options.game.averaging, 1.0 - 10.0 / static_cast<double>(steps));
  const auto game = gan::make_game(options, {truth.training_source()}, Rng(seed).split(kNetworks),
                                   choose_device(settings.device));
  const train::LoopOptions loop{.steps = steps, .log_every = steps, .checkpoint_every = steps};
  const auto observer = [&](const train::LoopProgress& at) {
    return progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
  };
  const auto played = train::play(*game, loop, {.observer = observer});
  Model model{.interrupted = played.end == train::LoopEnd::interrupted};
  std::vector<double> values;
  for (std::uint64_t d = 0; d < kDraws; ++d) {
    model.generated = bridge::to_matrix(
        game->sample(effort.points, 0, Rng(seed).split(kGenerated).split(d)).rows);
    values.push_back(distance(truth.draw(d), model.generated, settings.threads));
  }
  model.nw = estimate(values);
  return model;
}

/// Theorem 1 [NW:thm1]: the smallest k at which NW(k) is small and after which it saturates. A mode
/// that is missed costs at least its share times the way to the next one, here more than half of
/// the noise floor; what training leaves is less than a quarter.
record::ModeChoice choose(const std::vector<Model>& models, const Estimate& floor) {
  constexpr double kSaturated = 1.25;
  record::ModeChoice choice;
  double least = models.front().nw.mean;
  for (const Model& model : models) least = std::min(least, model.nw.mean);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto& nw = models[i].nw;
    const std::size_t k = i + 1;
    choice.curve.push_back({.k = k,
                            .nw = nw.mean,
                            .nw_low = nw.mean - 1.96 * nw.deviation,
                            .nw_high = nw.mean + 1.96 * nw.deviation,
                            .floor_low = floor.mean - 1.96 * floor.deviation,
                            .floor_high = floor.mean + 1.96 * floor.deviation});
    if (choice.k == 0 && nw.mean <= kSaturated * least) {
      choice.k = k;
      std::string reason = concat("NW(", k, ") = ", significant(nw.mean, 3), " is within ",
                                  significant(100.0 * (kSaturated - 1.0), 2),
                                  " % of the least value on the curve, ", significant(least, 3));
      if (i > 0) {
        reason += concat("; NW(", i, ") = ", significant(models[i - 1].nw.mean, 3), " is not");
      }
      choice.reasons.push_back(reason);
    }
  }
  choice.reasons.push_back(
      concat("two samples of the data themselves lie at W = ", significant(floor.mean, 3)));
  return choice;
}

record::RunRecord page_of(const Effort& effort, const Truth& truth,
                          const record::ModeChoice& choice, const Matrix& generated,
                          double seconds) {
  record::RunRecord page;
  page.kind = record::RunKind::choose_k;
  page.command = "reproduce";
  page.title = concat("Number of modes: ", effort.name);
  page.sentence = concat("The number of modes is ", choice.k, ".");
  page.details = {concat("X: fresh points of the grid; Y: points of the model with ", choice.k,
                         " components.")};
  page.data = {{.name = "real", .rows = generated.rows(), .columns = 2},
               {.name = "generated", .rows = generated.rows(), .columns = 2}};
  page.mode_choice = choice;
  const Matrix real = truth.draw(0);
  const record::Projection projection(real, generated);
  page.figure = start_figure(projection, real, generated);
  page.seconds = seconds;
  return page;
}

/// One seed: a model for every k, and the choice among them.
CaseOutcome run_seed(const Effort& effort, std::uint64_t seed, const ExperimentSettings& settings,
                     const std::function<bool(double)>& progress) {
  const Stopwatch clock;
  const Truth truth(effort, seed);
  const Estimate floor = noise_floor(truth, settings.threads);
  std::vector<Model> models;
  for (std::int64_t k = 1; k <= effort.max_k; ++k) {
    models.push_back(train_model(k, effort, truth, seed, settings, [&](double at) {
      return progress((static_cast<double>(k - 1) + at) / static_cast<double>(effort.max_k));
    }));
    if (models.back().interrupted) return {};
  }
  const auto choice = choose(models, floor);
  CaseOutcome outcome{.end = CaseEnd::done,
                      .scores = {{"k", static_cast<double>(choice.k)},
                                 {"k_right", choice.k == effort.modes.size() ? 1.0 : 0.0},
                                 {"floor", floor.mean}}};
  for (std::size_t i = 0; i < models.size(); ++i) {
    outcome.scores.emplace_back(concat("NW(", i + 1, ")"), models[i].nw.mean);
  }
  outcome.record = page_of(effort, truth, choice, models[choice.k - 1].generated, clock.seconds());
  return outcome;
}

}  // namespace

ExperimentResult run_choose_k_gan(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const Effort effort = effort_of(settings);
  ExperimentResult experiment;
  experiment.config = {{"grid", "spacing 2, factors 0.15 N(0, 1), pi_i = i / 45, fresh samples"},
                       {"generator steps", std::to_string(effort.steps)},
                       {"points", std::to_string(effort.points)}};
  experiment.notes = {
      "One NWGAN (recipe best) for every k. NW(k) is the exact W between generated and fresh real "
      "points, the mean of four pairs of samples; floor is W between two samples of the truth. "
      "k is the smallest number of components at which NW(k) is within a quarter of the least "
      "value; k_right counts the seeds in which that is the number of modes."};
  CaseTable table{.names = {effort.name}, .run = {}};
  table.run = [&](std::size_t, std::uint64_t seed, const std::function<bool(double)>& progress) {
    return run_seed(effort, seed, settings, progress);
  };
  table.paper = [&](std::size_t, const std::string& metric) -> std::optional<double> {
    if (metric != "k") return std::nullopt;
    return static_cast<double>(effort.modes.size());
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
