// An adapted classifier as a run record: numbers, sentences, embeddings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/domain.hpp"
#include "nw/adapt/label_shift.hpp"

#include "app/adaptation/training.hpp"

namespace nw::app {

/// What the record speaks of.
struct AdaptStory {
  std::string source_name, target_name;  ///< as the user wrote them
  adapt::Recipe recipe = adapt::Recipe::best;
  const adapt::Classes& classes;
  const AdaptOutcome& outcome;
  std::optional<adapt::Scores> scores{};
  std::vector<std::string> unknown{};  ///< classes of the target that the source lacks
};

/// A record of `nw adapt` without time, seeds and data sets.
void tell(const AdaptStory& story, record::RunRecord& record);

}  // namespace nw::app
