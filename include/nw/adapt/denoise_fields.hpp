// The one list of the fields of DenoiseOptions: ranges and configurations are made from it.
#pragma once

#include "nw/adapt/denoise_options.hpp"
#include "nw/base/option_field.hpp"

namespace nw::adapt {

template <typename Visit>
void DenoiseOptions::for_each_field(Visit&& visit) {
  const auto at_least = [](double low, const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = low};
  };
  const auto any = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help};
  };
  visit(any("method", "What brings the embeddings together"), method);
  visit(at_least(1, "steps", "Training steps"), steps);
  visit(at_least(0, "initial_steps", "Steps without adaptation"), initial_steps);
  visit(at_least(0, "components_from", "Steps before components learn"), components_from);
  visit(at_least(0, "ramp_steps", "Steps over which lambda rises"), ramp_steps);
  visit(at_least(1, "k", "Kinds of rows: components of W_N"), components);
  visit(at_least(0, "lambda", "Weight of the distance between embeddings"), weight);
  visit(any("batch", "Rows of each domain in a step"), game.batch);
  visit(any("form", "How distances are computed"), form);
  visit(any("one_batch", "Critics see the embeddings of the step's own batch"), one_batch);
  visit(any("critic_steps", "Critic steps in a step"), game.critic_steps);
  visit(any("critic_hidden", "Widths of the critics"), critic_hidden);
  visit(any("component_hidden", "Widths of the components"), component_hidden);
  visit(any("lipschitz", "What keeps the critics' slope in bounds"), game.lipschitz);
  visit(any("clip", "Largest weight of a critic that is clipped"), game.clip);
  visit(any("penalty", "Weight of the gradient penalty"), game.penalty);
  visit(OptionField{.name = "averaging",
                    .help = "Weight of past values in the averages that denoise",
                    .low = 0.0,
                    .high = 1.0,
                    .open_high = true},
        averaging);
  visit(any("encoder_optimizer", "How the encoder learns"), encoder);
  visit(any("decoder_optimizer", "How the decoder learns"), decoder);
  visit(any("critic_optimizer", "How critics learn"), game.critic);
  visit(any("component_optimizer", "How components learn"), game.generator);
  visit(any("pi_optimizer", "How proportions move"), game.proportions);
}

}  // namespace nw::adapt
