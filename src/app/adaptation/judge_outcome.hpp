// Private: what became of two trainings, with and without adaptation, judged for the record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "nw/adapt/domain.hpp"
#include "nw/record/adaptation_results.hpp"

#include "app/adaptation/disagreements.hpp"
#include "app/adaptation/training.hpp"

namespace nw::app {

struct Judgement {
  bool trusted = true;  ///< the adapted classifier may be used
  record::SafeguardSummary summary = {};
  std::string lost = {};  ///< what there is to say of classes that adaptation lost; mostly nothing
  std::vector<Disagreement> differing = {};  ///< target rows of different answers
};

/// Judges an adapted classifier by one that was not adapted: whether to trust it (safeguard.hpp),
/// and whether it lost classes (lost_classes.hpp). Where it did, the interval of its proportions is
/// widened to what the plain classifier estimates. `target_class` may be empty.
[[nodiscard]] Judgement judge_outcome(const AdaptOutcome& plain, AdaptOutcome& adapted,
                                      const adapt::Classes& classes,
                                      const std::vector<std::int64_t>& target_class);

}  // namespace nw::app
