// Private: an adapted classifier as a run record: numbers, sentences, embeddings.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/domain.hpp"
#include "nw/adapt/label_shift.hpp"

#include "app/adaptation/judge_outcome.hpp"
#include "app/adaptation/training.hpp"

namespace nw::app {

/// What the record is about.
struct AdaptedTarget {
  adapt::Recipe recipe = adapt::Recipe::best;
  const adapt::Classes& classes;
  const AdaptOutcome& outcome;
  std::optional<adapt::Scores> scores{};
  std::vector<std::string> unknown{};  ///< classes of the target that the source lacks
  std::optional<Judgement> judged{};   ///< of method auto
};

/// Everything but time, seeds and data sets.
void describe_adaptation(const AdaptedTarget& adapted, record::RunRecord& record);

}  // namespace nw::app
