#include "experiments/learning/objects_and_faces.hpp"

#include "nw/bridge/tensor_matrix.hpp"
#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/gan/component_start.hpp"

#include "app/learning/session.hpp"
#include "experiments/learning/image_sets.hpp"

namespace nw::experiments {
namespace {

constexpr std::size_t kObjects = 5000, kFaces = 10000, kQuickObjects = 60, kQuickFaces = 120;
constexpr double kSeconds = 240.0;  // of training, each run
constexpr std::int64_t kDirections = 50, kQuickDirections = 5;
constexpr std::uint64_t kGaussians = 23;

}  // namespace

Mixed load_mixed(const ExperimentSettings& settings) {
  const auto objects = load_cifar_rows(settings.data, settings.quick ? kQuickObjects : kObjects);
  const auto faces = load_celeba_rows(settings.data, settings.quick ? kQuickFaces : kFaces);
  Mixed mixed{.rows = torch::cat({objects, faces}), .source = {}, .coordinates = {}};
  mixed.source.assign(static_cast<std::size_t>(objects.size(0)), 0);
  mixed.source.resize(static_cast<std::size_t>(mixed.rows.size(0)), 1);
  const auto device = choose_device(settings.device);
  const auto rows = mixed.rows.to(device);
  mixed.coordinates =
      gan::principal_components(rows, settings.quick ? kQuickDirections : kDirections, Rng(0))
          .project(rows)
          .to(torch::kCPU);
  return mixed;
}

std::vector<std::uint32_t> two_gaussians(const Mixed& mixed, std::uint64_t seed, int threads) {
  const Matrix points = bridge::to_matrix(mixed.coordinates);
  return cluster::gaussian_mixture({.points = points},
                                   {.components = 2, .restarts = 3, .threads = threads},
                                   Rng(seed).split(kGaussians))
      .assignment;
}

ImageMixtureTask mixed_task(const Mixed& mixed, bool fixed_pi, std::uint64_t seed,
                            const ExperimentSettings& settings) {
  const auto device = choose_device(settings.device);
  ImageMixtureTask task{.options = image_mixture_options(2, settings.quick, device),
                        .rows = mixed.rows};
  task.options.fixed_pi = fixed_pi;
  task.start = two_gaussians(mixed, seed, settings.threads);
  task.seconds = settings.quick ? 0.0 : settings.seconds.value_or(kSeconds);
  task.seed = seed;
  task.device = device;
  return task;
}

record::RunRecord mixed_record(const std::string& title, const Mixed& mixed, std::uint64_t seed) {
  record::RunRecord record;
  record.kind = record::RunKind::training;
  record.command = "reproduce";
  record.title = title;
  record.seeds = {seed};
  record.data = {{.name = "CIFAR-10 and CelebA",
                  .rows = static_cast<std::size_t>(mixed.rows.size(0)),
                  .columns = static_cast<std::size_t>(mixed.rows.size(1))}};
  return record;
}

void finish_case(CaseOutcome& outcome, std::optional<run::RunDirectory>& directory) {
  outcome.end = CaseEnd::done;
  for (const auto& [metric, value] : outcome.scores) {
    outcome.record.metrics.push_back({.name = metric, .value = value});
  }
  outcome.record.scores = outcome.scores;
  if (directory) outcome.record = directory->finish(std::move(outcome.record));
}

}  // namespace nw::experiments
