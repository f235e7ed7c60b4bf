// The tensors of a backbone as a file of weights has them.
#pragma once

#include "nw/nn/backbone.hpp"

namespace nw::nn {

inline NamedTensors named_tensors(const Backbone& backbone) {
  NamedTensors tensors;
  for (const auto* set : {&backbone.parameters(), &backbone.statistics()}) {
    for (std::size_t i = 0; i < set->size(); ++i) {
      tensors[set->specs()[i].name] = (*set)[i].detach();
    }
  }
  return tensors;
}

}  // namespace nw::nn
