#include "app/clustering/adversarial/cluster_rule.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/gan/recognition.hpp"
#include "nw/nn/feature_network.hpp"

namespace nw::app {
namespace {

constexpr std::uint64_t kRule = 304;

/// Images large enough to be recognised.
bool makes_images(const nn::MixtureGeneratorOptions& generator) {
  const bool images = generator.kind == nn::GeneratorKind::deconvolutional ||
                      generator.kind == nn::GeneratorKind::residual;
  return images && std::min(generator.image.height, generator.image.width) >= nn::kSmallestForLenet;
}

gan::Assignment likeliest(const gan::Recognition& recognition) {
  const auto sure = std::get<0>(recognition.membership.max(1)).contiguous();
  return {.component_of = recognition.component_of,
          .confidence = {sure.data_ptr<double>(), sure.data_ptr<double>() + sure.numel()},
          .membership = recognition.membership};
}

}  // namespace

ClusterRule rule_for(ClusterRule asked, ClusterRecipe recipe,
                     const nn::MixtureGeneratorOptions& generator) {
  if (asked == ClusterRule::automatic) {
    return makes_images(generator) && recipe == ClusterRecipe::best ? ClusterRule::recognised
                                                                    : ClusterRule::nearest;
  }
  require(asked == ClusterRule::nearest || makes_images(generator),
          "rule recognised is for components that make images: it needs features none and images "
          "of at least ",
          nn::kSmallestForLenet, " x ", nn::kSmallestForLenet, " pixels");
  return asked;
}

gan::Assignment assign_rows(const RuleTask& task) {
  const Rng rng = Rng(task.seed).split(kRule);
  if (task.rule == ClusterRule::recognised && task.generator.components() > 1) {
    return likeliest(gan::recognise({task.generator, task.pi}, task.rows, {}, rng));
  }
  const auto energies = gan::inversion_energies(task.generator, task.rows, task.inversion, rng);
  return gan::assign(gan::with_shares(energies, task.pi, task.inversion.price), task.temperature);
}

}  // namespace nw::app
