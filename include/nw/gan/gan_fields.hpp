// The one list of the fields of GanOptions: ranges and configurations are made from it.
#pragma once

#include "nw/gan/gan_options.hpp"
#include "nw/train/mixture_game_fields.hpp"

namespace nw::gan {

template <typename Visit>
void GanOptions::for_each_field(Visit&& visit) {
  const auto any = [](const char* name, const char* help) {
    return OptionField{.name = name, .help = help};
  };
  const auto at_least = [](double low, const char* name, const char* help) {
    return OptionField{.name = name, .help = help, .low = low};
  };

  visit(any("method", "Learnt proportions; one network; equal proportions with a classifier"),
        method);
  visit(at_least(1, "steps", "Generator steps"), steps);
  visit(at_least(1, "k", "Number of components"), generator.components);
  visit(any("fixed_pi", "Hold the proportions at 1/k"), fixed_pi);
  visit(any("start", "Where components begin"), start);
  // These two follow from recipe and method, which a configuration has.
  visit(OptionField{.name = "start_scale",
                    .help = "Deviation of a component that begins at a row",
                    .low = 0.0,
                    .open_low = true,
                    .decides = false},
        start_scale);
  visit(OptionField{.name = "classifier_weight",
                    .help = "mgan: weight of the classifier's loss",
                    .low = 0.0,
                    .decides = false},
        classifier_weight);
  game.for_each_field(visit);
  visit(any("critic", "Kind of the critics"), critic.kind);
  visit(any("critic_hidden", "Widths of a critic of points"), critic.hidden);
  visit(any("critic_channels", "Channels of a critic of images"), critic.channels);
}

}  // namespace nw::gan
