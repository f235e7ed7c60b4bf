// The one list of the fields of MixtureGameOptions: ranges and configurations are made from it.
#pragma once

#include "nw/base/option_field.hpp"
#include "nw/train/mixture_game.hpp"

namespace nw::train {

template <typename Visit>
void MixtureGameOptions::for_each_field(Visit&& visit) {
  const auto any = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help};
  };
  const auto at_least = [](double low, const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = low};
  };
  const auto positive = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = 0.0, .open_low = true};
  };
  // Follows from the recipe, which a configuration has.
  const auto implied = [](OptionField field) {
    field.decides = false;
    return field;
  };

  visit(at_least(1, "batch", "Rows of data in a critic step"), batch);
  visit(at_least(1, "critic_steps", "Critic steps for each generator step"), critic_steps);
  visit(any("allocation", "How many rows each component gets"), allocation);
  visit(implied(at_least(1, "floor", "Rows that every component gets at least")), floor);
  visit(any("lipschitz", "How the critic is kept 1-Lipschitz"), lipschitz);
  visit(positive("clip", "Largest weight of a critic that is clipped"), clip);
  visit(positive("penalty", "Weight of the gradient penalty"), penalty);
  visit(implied(OptionField{.name = "penalty_rows",
                            .help = "Rows at which it is taken; 0 means the batch",
                            .low = 0.0,
                            .high = static_cast<double>(batch)}),
        penalty_rows);
  visit(OptionField{.name = "averaging",
                    .help = "Weight of past values in what samples come from",
                    .low = 0.0,
                    .high = 1.0,
                    .open_high = true},
        averaging);
  visit(at_least(0, "diversity", "Reward for components that lie apart"), diversity);
  visit(any("critic_optimizer", "Of the critics"), critic);
  visit(any("generator_optimizer", "Of the components"), generator);
  visit(any("pi_optimizer", "Of the proportions"), proportions);
}

}  // namespace nw::train
