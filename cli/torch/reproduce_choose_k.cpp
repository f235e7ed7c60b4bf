// The paper's figure "Choosing k" from trained models: NWGANs with k = 1, 2, ... components on the
// 3 x 3 grid of Gaussians. The paper plots the value of its critics; here NW(k) is the exact W
// between generated and fresh real points, which is in units of distance and has a known noise
// floor.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/record/projection.hpp"
#include "nw/train/training_loop.hpp"

#include "cli/reproduce/experiment.hpp"
#include "cli/reproduce/paper_mixtures.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/session.hpp"

namespace nw::cli {
namespace {

constexpr std::size_t kModes = 9;
constexpr const char* kCase = "3 x 3 grid, trained NWGANs";
constexpr std::int64_t kHeldOut = 2000;
constexpr int kDraws = 4;  // pairs of samples behind each value
enum Stream : std::uint64_t { kNetworks = 2, kGenerated = 3, kFloor = 4, kReal = 5 };

struct Effort {
  std::vector<std::int64_t> ks;
  std::int64_t steps;
};

Effort effort_of(const ExperimentSettings& settings) {
  if (settings.quick) return {.ks = {4, 7, 8, 9, 10}, .steps = 120};
  Effort effort{.ks = std::vector<std::int64_t>(12), .steps = 400};
  std::iota(effort.ks.begin(), effort.ks.end(), std::int64_t{1});
  return effort;
}

struct Estimate {
  double mean = 0.0, deviation = 0.0;  // of the mean
};

Estimate estimate(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {.mean = mean, .deviation = std::sqrt(squares / (n - 1.0) / n)};
}

/// The distribution to be learnt.
class Truth {
 public:
  explicit Truth(std::uint64_t seed) : rng_(seed) {
    Rng rng(seed);
    const auto grid = grid_of_nine(rng);
    source_ = train::mixture_source(grid, grid_proportions());
  }
  [[nodiscard]] Matrix draw(std::uint64_t stream) const {
    train::Draws draws(rng_.split(kReal).split(stream), torch::kCPU);
    return bridge::to_matrix(source_->draw(kHeldOut, draws));
  }
  [[nodiscard]] const std::shared_ptr<train::DataSource>& source() const { return source_; }

 private:
  Rng rng_;
  std::shared_ptr<train::DataSource> source_;
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

Model train_model(std::int64_t k, std::int64_t steps, const Truth& truth, std::uint64_t seed,
                  int threads, const std::function<bool(double)>& progress) {
  auto options = gan::recipe_options(gan::Recipe::best, gan::GanMethod::nwgan, k,
                                     gan::identity_normalisation(2));
  options.steps = steps;
  // The average must forget the start within a run this short.
  options.game.averaging =
      std::min(options.game.averaging, 1.0 - 10.0 / static_cast<double>(steps));
  const auto game =
      gan::make_game(options, {truth.source()}, Rng(seed).split(kNetworks), torch::kCPU);
  const train::LoopOptions loop{.steps = steps, .log_every = steps, .checkpoint_every = steps};
  const auto played = train::play(*game, loop, nullptr, [&](const train::LoopProgress& at) {
    return progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
  });
  Model model{.interrupted = played.end == train::LoopEnd::interrupted};
  std::vector<double> values;
  for (std::uint64_t d = 0; d < kDraws; ++d) {
    model.generated =
        bridge::to_matrix(game->sample(kHeldOut, 0, Rng(seed).split(kGenerated).split(d)).rows);
    values.push_back(distance(truth.draw(d), model.generated, threads));
  }
  model.nw = estimate(values);
  return model;
}

/// Theorem 1 [NW:thm1]: the smallest k at which NW(k) is small and after which it saturates. A mode
/// that is missed costs at least its share times the way to the next one, here more than half of
/// the noise floor; what training leaves is less than a quarter.
record::ModeChoice choose(const std::vector<std::int64_t>& ks, const std::vector<Model>& models,
                          const Estimate& floor) {
  constexpr double kSaturated = 1.25;
  record::ModeChoice choice;
  double least = models.front().nw.mean;
  for (const Model& model : models) least = std::min(least, model.nw.mean);
  for (std::size_t i = 0; i < ks.size(); ++i) {
    const auto& nw = models[i].nw;
    const auto k = static_cast<std::size_t>(ks[i]);
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
        reason +=
            concat("; NW(", ks[i - 1], ") = ", significant(models[i - 1].nw.mean, 3), " is not");
      }
      choice.reasons.push_back(reason);
    }
  }
  choice.reasons.push_back(
      concat("two samples of the data themselves lie at W = ", significant(floor.mean, 3)));
  return choice;
}

record::RunRecord page_of(const Truth& truth, const record::ModeChoice& choice,
                          const Matrix& generated, double seconds) {
  record::RunRecord page;
  page.kind = record::RunKind::choose_k;
  page.command = "reproduce";
  page.title = concat("Number of modes: ", kCase);
  page.sentence = concat("The number of modes is ", choice.k, ".");
  page.data = {{.name = "real", .rows = generated.rows(), .columns = 2},
               {.name = "generated", .rows = generated.rows(), .columns = 2}};
  page.mode_choice = choice;
  const Matrix real = truth.draw(0);
  const record::Projection projection(real, generated);
  page.figure = start_figure(projection, real, generated);
  page.seconds = seconds;
  return page;
}

}  // namespace

ExperimentResult run_choose_k_gan(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const Effort effort = effort_of(settings);
  ExperimentResult experiment;
  experiment.config = {{"grid", "spacing 2, factors 0.15 N(0, 1), pi_i = i / 45, fresh samples"},
                       {"generator steps", std::to_string(effort.steps)},
                       {"points", std::to_string(kHeldOut)}};
  experiment.notes = {
      "One NWGAN (recipe best) for every k. NW(k) is the exact W between generated and fresh real "
      "points, the mean of four pairs of samples; `floor` is W between two samples of the truth. "
      "k is the smallest number of components at which NW(k) is within a quarter of the least "
      "value; k_right counts the seeds in which that is nine."};
  ResultRow chosen{.method = kCase, .metric = "k", .paper = kModes};
  ResultRow right{.method = kCase, .metric = "k_right"};
  ResultRow floor_row{.method = kCase, .metric = "floor"};
  std::vector<ResultRow> curve;
  for (const auto k : effort.ks)
    curve.push_back({.method = kCase, .metric = concat("NW(", k, ")")});
  const double total = static_cast<double>(settings.seeds.size() * effort.ks.size());
  double done = 0.0;
  for (const std::uint64_t seed : settings.seeds) {
    const Stopwatch clock;
    const Truth truth(seed);
    const Estimate floor = noise_floor(truth, settings.threads);
    std::vector<Model> models;
    for (const auto k : effort.ks) {
      models.push_back(train_model(k, effort.steps, truth, seed, settings.threads, [&](double at) {
        return !settings.progress || settings.progress((done + at) / total, concat("k = ", k));
      }));
      done += 1.0;
      if (models.back().interrupted) {
        experiment.interrupted = true;
        return experiment;
      }
      curve[models.size() - 1].values.push_back(models.back().nw.mean);
    }
    const auto choice = choose(effort.ks, models, floor);
    chosen.values.push_back(static_cast<double>(choice.k));
    right.values.push_back(choice.k == kModes ? 1.0 : 0.0);
    floor_row.values.push_back(floor.mean);
    if (!experiment.page) {
      const auto at =
          std::find(effort.ks.begin(), effort.ks.end(), static_cast<std::int64_t>(choice.k)) -
          effort.ks.begin();
      experiment.page =
          page_of(truth, choice, models[static_cast<std::size_t>(at)].generated, clock.seconds());
    }
  }
  experiment.rows = {chosen, right, floor_row};
  experiment.rows.insert(experiment.rows.end(), curve.begin(), curve.end());
  return experiment;
}

}  // namespace nw::cli
