// The paper's appendix "CIFAR-10": NWGAN with four components against the single one of WGAN-GP,
// the same networks, for the same time. Its Inception Scores need Inception's weights; the data
// pack has a ResNet-56 of CIFAR-10, whose two scores stand here under names of their own.
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

#include "app/generation/image_mixture.hpp"
#include "app/generation/image_scoring.hpp"
#include "app/learning/session.hpp"
#include "experiments/case_table.hpp"
#include "experiments/learning/image_sets.hpp"
#include "experiments/learning/kept_run.hpp"

namespace nw::experiments {
namespace {

constexpr std::int64_t kComponents[] = {4, 1};
constexpr double kSeconds = 480.0;  // of training, each run
constexpr std::size_t kQuickRows = 120;
constexpr std::int64_t kScoredImages = 10000, kQuickImages = 60;
constexpr std::uint64_t kSamples = 11;

torch::Tensor to_unit(const torch::Tensor& rows) {
  return (rows + 1.0) / 2.0;
}

/// What every run is scored by.
struct Judge {
  ScoreSpace space;
  score::FeatureMoments real;
};

CaseOutcome run_one(const std::string& name, std::int64_t k, const torch::Tensor& rows,
                    const Judge& judge, std::uint64_t seed, const ExperimentSettings& settings,
                    const std::function<bool(double)>& progress) {
  ImageMixtureTask task{
      .options = image_mixture_options(k, settings.quick, choose_device(settings.device)),
      .rows = rows};
  task.seed = seed;
  task.device = choose_device(settings.device);
  task.seconds = settings.quick ? 0.0 : settings.seconds.value_or(kSeconds);
  task.progress = progress;
  std::optional<run::RunDirectory> directory;
  if (const auto folder = kept_folder(settings, name, seed); !folder.empty()) {
    directory = open_kept_run(folder, image_mixture_config(task, name, settings.quick));
    if (!directory) return {.end = CaseEnd::elsewhere};
    if (directory->finished()) return kept_outcome(*directory);
    task.directory = &*directory;
  }
  const auto mixture = train_image_mixture(task);
  if (mixture.interrupted) return {};
  const auto drawn = mixture.game->sample(settings.quick ? kQuickImages : kScoredImages, 0,
                                          Rng(seed).split(kSamples));
  const auto scores = score_images(see(judge.space, to_unit(drawn.rows), kSmallColour), judge.real);
  CaseOutcome outcome{.end = CaseEnd::done};
  outcome.scores = {{judge.space.score_name(), scores.score.mean},
                    {judge.space.distance_name(), scores.distance},
                    {"steps", static_cast<double>(mixture.steps)},
                    {"seconds", mixture.seconds}};
  auto& record = outcome.record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  record.title = concat("CIFAR-10: ", name);
  record.sentence =
      concat(judge.space.score_name(), " ", scores.score.mean, ", ", judge.space.distance_name(),
             " ", scores.distance, " after ", mixture.steps, " steps.");
  record.warnings = mixture.warnings;
  record.seeds = {seed};
  record.data = {{.name = "CIFAR-10",
                  .rows = static_cast<std::size_t>(rows.size(0)),
                  .columns = static_cast<std::size_t>(rows.size(1))}};
  record.pictures = {picture_of(mixture, task)};
  for (const auto& [metric, value] : outcome.scores) {
    record.metrics.push_back({.name = metric, .value = value});
  }
  record.seconds = mixture.seconds;
  record.scores = outcome.scores;
  if (directory) record = directory->finish(std::move(record));
  return outcome;
}

}  // namespace

ExperimentResult run_cifar10(const ExperimentSettings& settings) {
  start_learning(settings.threads);
  const auto rows = load_cifar_rows(settings.data, settings.quick ? kQuickRows : 0);
  const auto weights = find_weight_file(settings.data, "resnet56_cifar10.safetensors");
  Judge judge{.space = load_score_space(weights, choose_device(settings.device)), .real = {}};
  const auto real = see(judge.space, to_unit(rows), kSmallColour);
  judge.real = score::feature_moments(real.features);

  ExperimentResult experiment;
  experiment.config = {{"images", std::to_string(rows.size(0))},
                       {"networks", "residual, of WGAN-GP"}};
  experiment.notes = {
      concat(judge.space.score_name(), " and ", judge.space.distance_name(),
             ": the formulas of Inception Score and FID on what ", judge.space.name,
             " sees; they compare the lines of this table and nothing else. The paper's Inception "
             "Scores are 7.89 for k = 4 and 7.56 for k = 1."),
      "Both have the same networks, batch and rates and learn for the same time; the last model "
      "counts.",
      concat("The real images have ", judge.space.score_name(), " ",
             score_images(real, judge.real).score.mean, ".")};
  CaseTable table;
  for (const auto k : kComponents) table.names.push_back(concat("NWGAN k=", k));
  table.run = [&](std::size_t which, std::uint64_t seed,
                  const std::function<bool(double)>& progress) {
    return run_one(table.names[which], kComponents[which], rows, judge, seed, settings, progress);
  };
  run_case_table(table, settings, experiment);
  return experiment;
}

}  // namespace nw::experiments
