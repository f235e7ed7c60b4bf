// The paper's table "err_recons,tgt for an image denoising task": ones and inverted twos of MNIST,
// clean in the source and noisy in the target, in opposite proportions.
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"

#include "app/denoising/training.hpp"
#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"

namespace nw::experiments {
namespace {

using adapt::DenoiseMethod;
using adapt::DenoiseRecipe;

constexpr double kNoiseMean = 0.4, kNoiseDeviation = 0.7;

/// How many digits of each kind a domain has.
struct Counts {
  std::size_t ones, twos;
};
constexpr Counts kSource{5000, 1000}, kTarget{1000, 5000};
constexpr std::size_t kQuickDivisor = 10;
constexpr std::int64_t kQuickSteps = 120;

struct Case {
  const char* name;
  DenoiseMethod method;
  DenoiseRecipe recipe;
  double paper;
};
constexpr Case kCases[] = {
    {"Source only", DenoiseMethod::source_only, DenoiseRecipe::best, 0.31},
    {"Wasserstein", DenoiseMethod::wasserstein, DenoiseRecipe::best, 0.52},
    {"NW", DenoiseMethod::nw, DenoiseRecipe::best, 0.18},
    {"Oracle", DenoiseMethod::oracle, DenoiseRecipe::best, 0.08},
    {"Source only, recipe paper", DenoiseMethod::source_only, DenoiseRecipe::paper, 0.31},
    {"Wasserstein, recipe paper", DenoiseMethod::wasserstein, DenoiseRecipe::paper, 0.52},
    {"NW, recipe paper", DenoiseMethod::nw, DenoiseRecipe::paper, 0.18},
    {"Oracle, recipe paper", DenoiseMethod::oracle, DenoiseRecipe::paper, 0.08},
};

/// All digits of MNIST of two kinds, in random order.
struct Digits {
  data::ByteImages images;
  std::vector<std::size_t> ones, twos;
};

Digits load_digits(const std::string& folder) {
  const auto path = data::find_data_folder(folder, "mnist");
  Digits digits{.images = data::load_mnist(path, data::Split::train), .ones = {}, .twos = {}};
  const auto test = data::load_mnist(path, data::Split::test);
  auto& all = digits.images;
  all.pixels.insert(all.pixels.end(), test.pixels.begin(), test.pixels.end());
  all.labels.insert(all.labels.end(), test.labels.begin(), test.labels.end());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all.labels[i] == 1) digits.ones.push_back(i);
    if (all.labels[i] == 2) digits.twos.push_back(i);
  }
  return digits;
}

io::PointSet make_set(const Digits& digits, std::span<const std::size_t> ones,
                      std::span<const std::size_t> twos, const char* name) {
  io::PointSet set;
  set.image = digits.images.shape;
  set.source = name;
  set.values = Matrix(ones.size() + twos.size(), digits.images.image_bytes());
  std::size_t row = 0;
  for (const bool inverted : {false, true}) {
    for (const std::size_t place : inverted ? twos : ones) {
      const auto pixels = digits.images.image(place);
      auto to = set.values.row(row++);
      for (std::size_t c = 0; c < pixels.size(); ++c) {
        const double value = pixels[c] / 255.0;
        to[c] = inverted ? 1.0 - value : value;
      }
    }
  }
  return set;
}

/// Source and target share no digit; the originals of the target are for scoring alone.
DenoisingData make_task(Digits digits, std::uint64_t seed, std::size_t divisor) {
  Rng rng(seed);
  rng.shuffle(std::span(digits.ones));
  rng.shuffle(std::span(digits.twos));
  const auto part = [&](const std::vector<std::size_t>& all, std::size_t first, std::size_t count) {
    require(first + count <= all.size(), "MNIST has too few digits: ", all.size());
    return std::span(all).subspan(first, count);
  };
  const Counts s{kSource.ones / divisor, kSource.twos / divisor};
  const Counts t{kTarget.ones / divisor, kTarget.twos / divisor};
  DenoisingData task{.source = make_set(digits, part(digits.ones, 0, s.ones),
                                        part(digits.twos, 0, s.twos), "clean digits"),
                     .target = make_set(digits, part(digits.ones, s.ones, t.ones),
                                        part(digits.twos, s.twos, t.twos), "noisy digits")};
  task.clean_target = task.target;
  for (std::size_t i = 0; i < task.target.size(); ++i) {
    for (double& value : task.target.values.row(i)) {
      value += kNoiseMean + kNoiseDeviation * rng.normal();
    }
  }
  return task;
}

/// Mean error of the target's proportions. The component with the larger share of the source is
/// that of the ones.
double proportion_error(const DenoiseOutcome& outcome) {
  const auto& [source, target] = std::tie(outcome.pi_source, outcome.pi_target);
  const std::size_t ones = source[0] >= source[1] ? 0 : 1;
  const double truth =
      static_cast<double>(kTarget.ones) / static_cast<double>(kTarget.ones + kTarget.twos);
  return std::abs(target[ones] - truth);
}

std::vector<const Case*> chosen(const ExperimentSettings& settings) {
  std::vector<const Case*> table;
  std::string names;
  for (const auto& which : kCases) {
    names += concat(names.empty() ? "" : ", ", which.name);
    const bool listed = which.recipe == DenoiseRecipe::best || settings.full;
    if (settings.only.empty() ? listed : settings.only == which.name) table.push_back(&which);
  }
  require(!table.empty(), "`only` ", settings.only, ": denoising has ", names);
  return table;
}

/// What makes one run of a case.
struct CaseRun {
  const Case& which;
  std::uint64_t seed;
  const ExperimentSettings& settings;
  const std::function<bool(double)>& progress;
};

CaseOutcome run_case(const DenoisingData& task, const CaseRun& run) {
  DenoiseTraining how{.options = adapt::denoise_recipe(run.which.recipe, run.which.method,
                                                       adapt::network_for(task.source)),
                      .seed = run.seed,
                      .device = run.settings.device,
                      .threads = run.settings.threads};
  if (run.settings.quick) how.options.set_steps(kQuickSteps);
  how.observer = [&](const train::LoopProgress& at) {
    return run.progress(static_cast<double>(at.step) / static_cast<double>(at.steps));
  };
  const Stopwatch clock;
  const auto outcome = train_networks(task, how, nullptr);
  if (outcome.loop.end == train::LoopEnd::interrupted) return {};
  CaseOutcome found{.end = CaseEnd::done,
                    .scores = {{"err_recons_target", *outcome.target_error},
                               {"err_recons_source", outcome.source_error},
                               {"residual_variance", outcome.residual_variance},
                               {"seconds", clock.seconds()}}};
  if (!outcome.pi_target.empty()) {
    found.scores.emplace_back("pi_target_error", proportion_error(outcome));
  }
  record::RunRecord& page = found.record;
  page.kind = record::RunKind::training;
  page.command = "reproduce";
  page.title = concat("Denoising digits: ", run.which.name);
  page.data = {{.name = "clean digits", .rows = task.source.size(), .columns = 784},
               {.name = "noisy digits", .rows = task.target.size(), .columns = 784}};
  describe_denoising(how.options, task, outcome, page);
  page.metrics.front().expected = run.which.paper;
  page.seconds = clock.seconds();
  return found;
}

}  // namespace

ExperimentResult run_denoising(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const auto cases = chosen(settings);
  const Digits digits = load_digits(settings.data);
  ExperimentResult experiment;
  experiment.config = {{"source", "5000 ones, 1000 inverted twos"},
                       {"target", "1000 ones, 5000 inverted twos, other digits"},
                       {"noise", "mean 0.4, standard deviation 0.7, not clipped"}};
  experiment.notes = {
      "err_recons_target: mean over target images and pixels of (g(f(noisy)) - original)^2, pixels "
      "in [0, 1]. The paper writes the noisy image where the original stands here; against noisy "
      "images nothing could fall below the variance of the noise, 0.49.",
      "No method but the oracle sees an original of the target; they are used for the score alone.",
      "pi_target_error: of the proportions that NW learns for the target, which are 1/6 and 5/6."};
  CaseTable table;
  for (const Case* which : cases) table.names.emplace_back(which->name);
  table.paper = [&](std::size_t which, const std::string& metric) -> std::optional<double> {
    if (metric == "err_recons_target") return cases[which]->paper;
    return std::nullopt;
  };
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) {
    return run_case(make_task(digits, seed, settings.quick ? kQuickDivisor : 1),
                    {*cases[which], seed, settings, progress});
  };
  std::vector<std::size_t> all(cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  run_cases(table, all, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
