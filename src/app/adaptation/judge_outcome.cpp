#include "app/adaptation/judge_outcome.hpp"

#include "nw/adapt/adapt_method.hpp"
#include "nw/adapt/label_shift.hpp"
#include "nw/base/error.hpp"

#include "app/adaptation/lost_classes.hpp"
#include "app/adaptation/safeguard.hpp"
#include "app/adaptation/wider_intervals.hpp"

namespace nw::app {
namespace {

CountedShares counted_by(const AdaptOutcome& plain, std::size_t classes) {
  return {.named = predicted_shares(plain.target.predicted, classes),
          .estimated = plain.pi,
          .confused = plain.confused};
}

}  // namespace

Judgement judge_outcome(const AdaptOutcome& plain, AdaptOutcome& adapted,
                        const adapt::Classes& classes,
                        const std::vector<std::int64_t>& target_class) {
  const auto counted = counted_by(plain, classes.size());
  const auto found = judge_adaptation(plain.target, adapted.target, adapted.consistency, counted);
  Judgement result{.trusted = found.trusted,
                   .differing = disagreements(plain.target, adapted.target)};
  if (found.trusted) {
    const auto named = predicted_shares(adapted.target.predicted, classes.size());
    result.lost =
        describe(lost_classes(counted, named, adapted.target.predicted.size()), classes.names);
    if (!result.lost.empty()) {
      widen_to(adapted.interval, plain.pi);
      widen_to(adapted.interval, plain.confused);
    }
  }
  result.summary = {
      .chosen = to_string(found.trusted ? adapt::AdaptMethod::nw : adapt::AdaptMethod::source_only),
      .agreement = found.agreement,
      .same_names = found.same_names,
      .best_names = found.best_names,
      .reason = result.lost.empty() ? found.reason : concat(found.reason, " ", result.lost),
      .pi_unadapted = plain.pi};
  if (!target_class.empty()) {
    result.summary.unadapted_accuracy =
        adapt::score(target_class, plain.target.predicted, classes.size()).mean_class_accuracy;
  }
  return result;
}

}  // namespace nw::app
