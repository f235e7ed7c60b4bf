// How a generator is trained.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/base/option_field.hpp"
#include "nw/gan/gan_kinds.hpp"
#include "nw/train/lipschitz.hpp"

namespace nw::app {

struct GenerationOptions {
  gan::GanMethod method = gan::GanMethod::nwgan;
  gan::Recipe recipe = gan::Recipe::best;
  std::int64_t k = 0;     ///< components; wgan has one whatever it says
  bool fixed_pi = false;  ///< hold the proportions at 1/k
  // What replaces the recipe's choice where it is given.
  std::optional<std::int64_t> steps = {}, batch = {}, critic_steps = {}, latent = {}, width = {};
  std::optional<double> rate = {}, diversity = {};
  std::optional<train::Lipschitz> lipschitz = {};
  std::uint64_t seed = 0;
  int threads = 0;  ///< 0: all cores
  std::string device = "auto";

  /// Throws InvalidArgument naming the first field that is out of range.
  void validate() const;

  /// The fields in the order of help texts.
  template <typename Visit>
  void for_each_field(Visit&& visit) {
    visit(OptionField{.name = "method",
                      .help = "Learnt proportions; one network; equal proportions with a "
                              "classifier"},
          method);
    visit(OptionField{.name = "recipe",
                      .help = "Networks and rates: ours, or those of the paper's tables"},
          recipe);
    visit(OptionField{.name = "k",
                      .help = "Number of components",
                      .low = method == gan::GanMethod::wgan ? 0.0 : 1.0},
          k);
    visit(OptionField{.name = "fixed_pi", .help = "Hold the proportions at 1/k"}, fixed_pi);
    visit(
        OptionField{
            .name = "steps", .help = "Generator steps (default: those of the recipe)", .low = 1},
        steps);
    visit(OptionField{.name = "batch", .help = "Rows of data in a step", .low = 1}, batch);
    visit(
        OptionField{
            .name = "critic_steps", .help = "Critic steps for each generator step", .low = 1},
        critic_steps);
    visit(
        OptionField{.name = "latent", .help = "Length of the noise that components map", .low = 1},
        latent);
    visit(
        OptionField{
            .name = "width", .help = "Images: channels of the layers next to the image", .low = 1},
        width);
    visit(
        OptionField{
            .name = "rate", .help = "All learning rates times this", .low = 0, .open_low = true},
        rate);
    visit(
        OptionField{.name = "diversity", .help = "Reward for components that lie apart", .low = 0},
        diversity);
    visit(OptionField{.name = "lipschitz", .help = "How the critic is kept 1-Lipschitz"},
          lipschitz);
    visit(kSeedField, seed);
    visit(kThreadsField, threads);
    visit(kDeviceField, device);
  }
};

}  // namespace nw::app
