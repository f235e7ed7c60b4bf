#include "app/adaptation/safeguard.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/ot/exact.hpp"

#include "app/adaptation/training.hpp"

namespace nw::app {
namespace {

// Predicted classes and proportions that differ by more were not learnt together.
constexpr double kLeastConsistency = 0.8;
// What an exchange of names must gain to be more than noise in rarely named classes.
constexpr double kLeastGain = 0.02;

// A classifier has collapsed where it names fewer than this part of the further classes that the
// plain one finds, though that one does not find the most frequent class so often. On digits by
// simulated classifiers this held for no true shift down to proportions drawn from a Dirichlet of
// 0.3 (docs/measurements/adapt_measured.md).
constexpr double kFurtherClasses = 0.2, kFoundByPlain = 0.6;

double median(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// How many classes the plain classifier finds, and what the adapted one makes of them.
struct Spread {
  double plain = 1.0, adapted = 1.0;  // effective numbers of classes
  std::size_t largest = 0;            // the class that the adapted one names most
  double share = 0.0, found = 0.0;    // its share now, and by the plain one

  [[nodiscard]] bool collapsed() const {
    return adapted - 1.0 < kFurtherClasses * (plain - 1.0) && found < kFoundByPlain * share;
  }
};

/// By medians of the three ways of counting, of which each may have collapsed itself.
Spread spread_of(const CountedShares& plain, const std::vector<double>& named) {
  Spread spread{.plain = median(effective_classes(plain.named), effective_classes(plain.estimated),
                                effective_classes(plain.confused)),
                .adapted = effective_classes(named)};
  spread.largest = static_cast<std::size_t>(std::ranges::max_element(named) - named.begin());
  spread.share = named[spread.largest];
  spread.found = median(plain.named[spread.largest], plain.estimated[spread.largest],
                        plain.confused[spread.largest]);
  return spread;
}

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

double effective_classes(const std::vector<double>& shares) {
  double entropy = 0.0;
  for (const double share : shares) entropy -= share > 0.0 ? share * std::log(share) : 0.0;
  return std::exp(entropy);
}

Safeguard judge_adaptation(const adapt::Prediction& plain, const adapt::Prediction& adapted,
                           double consistency, const CountedShares& counted) {
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
  const auto classes = static_cast<std::size_t>(plain.posterior.size(1));
  const auto spread = spread_of(counted, predicted_shares(adapted.predicted, classes));
  found.collapsed = spread.collapsed();
  found.trusted = !crosswise && !found.collapsed && consistency >= kLeastConsistency;
  found.reason =
      crosswise ? concat(
                      "Adaptation exchanged classes: the adapted classifier agrees with one "
                      "that was not adapted for ",
                      percent(found.same_names, 2), " of the rows of a class, and for ",
                      percent(found.best_names, 2),
                      " once classes are renamed. The classifier without adaptation is used.")
      : found.collapsed
          ? concat("Adaptation lost most classes: ", percent(spread.share, 2),
                   " of the rows are given one class, which has ", percent(spread.found, 2),
                   " by the classifier without adaptation, and the classes in use are as many as ",
                   significant(spread.adapted, 2), " equally frequent ones instead of ",
                   significant(spread.plain, 2), ". The classifier without adaptation is used.")
      : !found.trusted
          ? concat("The adapted classifier's classes and proportions agree to ",
                   percent(consistency, 2), " only. The classifier without adaptation is used.")
          : concat("The adapted classifier agrees with one that was not adapted for ",
                   percent(found.agreement, 2), " of the target rows.");
  return found;
}

}  // namespace nw::app
