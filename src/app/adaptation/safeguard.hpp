// Private: whether an adapted classifier is to be trusted, by a classifier that was not adapted.
#pragma once

#include <string>

#include "nw/adapt/prediction.hpp"

#include "app/adaptation/lost_classes.hpp"

namespace nw::app {

/// What two classifiers say of the same target rows, without labels.
struct Safeguard {
  bool trusted = true;     ///< the adapted classifier may be used
  bool collapsed = false;  ///< it gives nearly all rows a class or two
  double agreement = 1.0;  ///< share of rows that both give the same class
  /// Means over the classes that the plain classifier names: of the share of its rows that the
  /// adapted one gives the same class, and the same after the best exchange of names.
  double same_names = 1.0, best_names = 1.0;
  std::string reason = {};  ///< of the choice, one sentence
};

/// An adapted classifier that matched classes crosswise agrees better with the plain one once names
/// are exchanged: no honest improvement does. One whose predicted classes contradict the
/// proportions that it was aligned under (`consistency`) is not trusted either, nor one that gives
/// nearly all rows a class or two where the plain one, which counts `shares`, finds many.
[[nodiscard]] Safeguard judge_adaptation(const adapt::Prediction& plain,
                                         const adapt::Prediction& adapted, double consistency,
                                         const CountedShares& shares);

/// exp of the entropy of shares: how many classes there would be, were they equally frequent.
[[nodiscard]] double effective_classes(const std::vector<double>& shares);

}  // namespace nw::app
