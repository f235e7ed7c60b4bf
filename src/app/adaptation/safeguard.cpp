#include "app/adaptation/safeguard.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/ot/exact.hpp"

namespace nw::app {
namespace {

// Predicted classes and proportions that differ by more were not learnt together.
constexpr double kLeastConsistency = 0.8;
// What an exchange of names must gain to be more than noise in rarely named classes.
constexpr double kLeastGain = 0.02;

/// Entry (a, b): of the rows that `plain` calls a, the share that `adapted` calls b. Rows of zeros
/// where nothing is called a.
Matrix named_shares(const adapt::Prediction& plain, const adapt::Prediction& adapted) {
  const auto k = static_cast<std::size_t>(plain.posterior.size(1));
  Matrix shares(k, k);
  std::vector<double> rows(k, 0.0);
  for (std::size_t i = 0; i < plain.predicted.size(); ++i) {
    const auto a = static_cast<std::size_t>(plain.predicted[i]);
    shares(a, static_cast<std::size_t>(adapted.predicted[i])) += 1.0;
    rows[a] += 1.0;
  }
  for (std::size_t a = 0; a < k; ++a) {
    for (std::size_t b = 0; b < k && rows[a] > 0.0; ++b) shares(a, b) /= rows[a];
  }
  return shares;
}

/// The sum of the entries that the best one-to-one match of rows and columns picks.
double best_match(const Matrix& shares) {
  Matrix cost(shares.rows(), shares.cols());
  for (std::size_t a = 0; a < shares.rows(); ++a) {
    for (std::size_t b = 0; b < shares.cols(); ++b) cost(a, b) = -shares(a, b);
  }
  return -ot::solve_exact(ot::MatrixProblem{.cost = cost}).cost *
         static_cast<double>(shares.rows());
}

}  // namespace

Safeguard judge_adaptation(const adapt::Prediction& plain, const adapt::Prediction& adapted,
                           double consistency) {
  require(plain.predicted.size() == adapted.predicted.size() && !plain.predicted.empty(),
          "judge_adaptation: predictions of other rows");
  const Matrix shares = named_shares(plain, adapted);
  double same = 0.0, named = 0.0;
  for (std::size_t a = 0; a < shares.rows(); ++a) {
    same += shares(a, a);
    double row = 0.0;
    for (const double share : shares.row(a)) row += share;
    named += row > 0.0 ? 1.0 : 0.0;
  }
  Safeguard found{.agreement = adapt::agreements(std::vector{plain, adapted})[0],
                  .same_names = same / named,
                  .best_names = best_match(shares) / named};
  const bool crosswise = found.best_names > found.same_names + kLeastGain;
  found.trusted = !crosswise && consistency >= kLeastConsistency;
  found.reason =
      crosswise ? concat(
                      "Adaptation exchanged classes: the adapted classifier agrees with one "
                      "that was not adapted for ",
                      percent(found.same_names, 2), " of the rows of a class, and for ",
                      percent(found.best_names, 2),
                      " once classes are renamed. The classifier without adaptation is used.")
      : !found.trusted
          ? concat("The adapted classifier's classes and proportions agree to ",
                   percent(consistency, 2), " only. The classifier without adaptation is used.")
          : concat("The adapted classifier agrees with one that was not adapted for ",
                   percent(found.agreement, 2), " of the target rows.");
  return found;
}

}  // namespace nw::app
