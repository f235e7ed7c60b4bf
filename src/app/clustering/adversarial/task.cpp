#include "app/clustering/adversarial/task.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/cluster/gaussian_mixture.hpp"

#include "app/clustering/adversarial/cluster_rule.hpp"
#include "app/clustering/feature_space.hpp"

namespace nw::app {
namespace {

constexpr int kLikelyStarts = 5;
constexpr std::uint64_t kLikely = 203;

gan::GanOptions networks(const ClusteringOptions& asked, std::size_t k,
                         const gan::Normalisation& data) {
  const auto recipe = asked.recipe == ClusterRecipe::best ? gan::Recipe::best : gan::Recipe::paper;
  auto options = gan::cluster_options(recipe, static_cast<std::int64_t>(k), data);
  if (asked.steps) options.steps = *asked.steps;
  if (asked.batch) options.game.batch = *asked.batch;
  if (asked.latent) options.generator.latent_dim = *asked.latent;
  if (asked.width) options.generator.channels = options.critic.channels = *asked.width;
  if (asked.diversity) options.game.diversity = *asked.diversity;
  options.game.penalty_rows = std::min(options.game.penalty_rows, options.game.batch);
  options.validate();
  return options;
}

/// Rows chosen far apart miss small clusters beside large ones; likelihood often finds them.
cluster::WeightedMixture likely_start(const ClusteringOptions& options, const io::PointSet& points,
                                      const FeatureSpace& space, std::size_t k) {
  auto fit = cluster::gaussian_mixture(
      {.points = space.of(points)},
      {.components = k,
       .restarts = kLikelyStarts,
       .ridge = space.map ? kWalkNoise : cluster::GaussianMixtureOptions{}.ridge,
       .threads = options.threads},
      Rng(options.seed).split(kLikely));
  return {std::move(fit.mixture), std::move(fit.pi)};
}

}  // namespace

ClusterTask make_task(const ClusteringOptions& options, const io::PointSet& points,
                      const FeatureSpace& space, std::size_t k) {
  ClusterTask task;
  if (space.map) {
    io::PointSet mapped;
    mapped.values = space.mapped;
    task.normalisation = gan::fit_normalisation(mapped);
    task.inversion.price = task.noise = kWalkNoise;
  } else {
    task.normalisation = gan::fit_normalisation(points);
  }
  task.options = networks(options, k, task.normalisation);
  task.rule = rule_for(options.rule, options.recipe, task.options.generator);
  task.starts = options.restarts.value_or(1);
  if (options.moves) task.max_moves = *options.moves;
  const bool from_features = options.start == NetworkStart::automatic
                                 ? options.recipe == ClusterRecipe::best
                                 : options.start == NetworkStart::features;
  if (task.normalisation.is_image() && from_features && k > 1) {
    task.partition = feature_clusters(options, points, k);
    task.part_steps = std::max<std::int64_t>(1, task.options.steps / 4);
  }
  if (all_of_space(task.options.generator) && k > 1 && task.starts + task.max_moves > 1) {
    task.given_starts.push_back(likely_start(options, points, space, k));
  }
  task.seed = options.seed;
  task.device = options.device;
  task.threads = options.threads;
  return task;
}

}  // namespace nw::app
