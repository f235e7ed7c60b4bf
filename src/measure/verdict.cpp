// The paper's table [NW:compare]: nothing changed -> same; only the mix -> proportions; more than
// any mix explains -> components. Sentence, statuses and notes are all made here, from one
// decision, so that they cannot contradict each other.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "measure/compare_stages.hpp"
#include "measure/possible_moves.hpp"

namespace nw::measure {
namespace {

// Below this multiple of the floor a misfit is of no interest, however significant.
constexpr double kRoughly = 1.1;
// "Only the mix changed" is said when a new member of half a sample at least would have been seen.
constexpr double kLargestBlindSpot = 0.5;

std::string percent(double share) {
  return nw::percent(share, 2);
}

std::string p_value(const char* name, double p) {
  return p < 0.001 ? concat(name, " < 0.001") : concat(name, " = ", significant(p, 2));
}

// Components are counted from 1 in sentences, as people do.
std::string list(const std::vector<std::size_t>& components) {
  std::string text;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (i > 0) text += i + 1 == components.size() ? " and " : ", ";
    text += std::to_string(components[i] + 1);
  }
  return text;
}

std::string plural(std::size_t count, const char* noun) {
  return concat(noun, count == 1 ? "" : "s");
}

std::string biggest_moves(const CompareResult& result) {
  std::vector<std::size_t> order(result.k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto move = [&](std::size_t j) { return std::abs(result.pi_y[j] - result.pi_x[j]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return move(a) > move(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, order.size()); ++i) {
    const std::size_t j = order[i];
    text += concat(i > 0 ? ", component " : "component ", j + 1, " goes from ",
                   percent(result.pi_x[j]), " to ", percent(result.pi_y[j]));
  }
  return text;
}

std::vector<std::size_t> with_status(const CompareResult& result, MemberStatus status) {
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    if (result.components[j].status == status) found.push_back(j);
  }
  return found;
}

std::string of_whole(const std::vector<std::size_t>& members, const std::vector<double>& pi) {
  double mass = 0.0;
  for (const std::size_t j : members) mass += pi[j];
  return percent(mass);
}

// What refutes another mix, in words that need no members: where the samples differ beyond the
// bound, or that no mix of the known classes fits.
std::string refutation_in_words(const CompareResult& result, double alpha) {
  const RegionChange* decides = deciding_region(result, alpha);
  if (decides == nullptr) {
    return result.classes.size() == 1 ? "Y differs from the only class of X"
                                      : "no mix of the classes of X gives Y";
  }
  const RegionChange& region = *decides;
  const bool in_y = decides == &result.more_in_y;
  const double more = in_y ? region.share_y : region.share_x;
  const double less = in_y ? region.share_x : region.share_y;
  return concat(percent(more), in_y ? " of Y lies where " : " of X lies where ", percent(less),
                in_y ? " of X does" : " of Y does");
}

std::string what_changed(const CompareResult& result, double alpha) {
  std::vector<std::string> parts;
  if (const auto members = with_status(result, MemberStatus::new_in_y); !members.empty()) {
    parts.push_back(concat(plural(members.size(), "component"), " ", list(members),
                           members.size() == 1 ? " is" : " are", " new in Y (",
                           of_whole(members, result.pi_y), " of it)"));
  }
  if (const auto members = with_status(result, MemberStatus::missing_from_y); !members.empty()) {
    parts.push_back(concat(plural(members.size(), "component"), " ", list(members),
                           members.size() == 1 ? " is" : " are", " missing from Y (",
                           of_whole(members, result.pi_x), " of X)"));
  }
  if (const auto members = with_status(result, MemberStatus::moved); !members.empty()) {
    const auto largest = *std::max_element(members.begin(), members.end(), [&](auto a, auto b) {
      return result.components[a].contribution < result.components[b].contribution;
    });
    parts.push_back(concat("the members of ", plural(members.size(), "component"), " ",
                           list(members), " differ, most in ", largest + 1, " (centre moved by ",
                           significant(result.components[largest].shift_size, 2), " deviations)"));
  }
  parts.push_back(refutation_in_words(result, alpha));
  std::string text = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) text += concat("; ", parts[i]);
  return text;
}

// Rows so few that even samples without a point in common could not be told apart.
bool too_few_for_any_test(const CompareResult& result, double alpha) {
  const double n = static_cast<double>(result.rows_tested_x),
               m = static_cast<double>(result.rows_tested_y);
  const double labellings = std::lgamma(n + m + 1.0) - std::lgamma(n + 1.0) - std::lgamma(m + 1.0);
  return labellings < std::log(2.0 / alpha);
}

// Numbers of members that the data do not rule out and that contradict each other: with one,
// another mix explains the difference; with the other, it does not. Empty where they agree, or
// where the verdict does not depend on them.
std::string contradiction(const CompareResult& result, double alpha) {
  if (result.p_ratio_narrow > alpha || !result.classes.empty()) return {};
  const KReading *explains = nullptr, *refuses = nullptr;
  for (const KReading& reading : result.k_readings) {
    if (reading.k < result.k_low || reading.k > result.k_high) continue;
    (reading.p > alpha ? explains : refuses) = &reading;
  }
  if (explains == nullptr || refuses == nullptr) return {};
  return concat(
      "X and Y differ, and it depends on the number of members whether another mix of them"
      " explains it: ",
      explains->k, " do (", p_value("p", explains->p), "), ", refuses->k, " do not (",
      p_value("p", refuses->p), ")");
}

void decide(CompareResult& result, const CompareOptions& options) {
  // Whoever rejects "only the mix changed" rejects "nothing changed" too.
  result.p_components = std::max(result.p_components, result.p_same);
  const bool differ = result.p_same < options.alpha;
  result.verdict = Verdict::undecided;
  if (result.interrupted) {
    result.reason = "the comparison was stopped before its end";
  } else if (too_few_for_any_test(result, options.alpha)) {
    result.reason = concat("X has ", result.rows_tested_x, " rows and Y ", result.rows_tested_y,
                           ", too few to show any difference");
  } else if (!differ && result.smallest_share > 1.0) {
    // Nothing found where nothing could be: `same` would be a guess.
    result.reason = concat("no difference between X and Y was found, but with ",
                           std::min(result.rows_tested_x, result.rows_tested_y),
                           " rows even a sample made up of new members alone could go unnoticed");
  } else if (!differ || result.effect.below_min_effect) {
    result.verdict = Verdict::same;
  } else if (result.p_components <= options.alpha_components) {
    result.verdict = Verdict::components;
  } else if (auto reason = contradiction(result, options.alpha_components); !reason.empty()) {
    result.reason = std::move(reason);
  } else if (result.smallest_share > kLargestBlindSpot) {
    result.reason =
        concat("X and Y differ, but with ", std::min(result.rows_tested_x, result.rows_tested_y),
               " rows a new member would go unnoticed unless it made up ",
               percent(std::min(result.smallest_share, 1.0)), " of a sample or more");
  } else {
    result.verdict = Verdict::proportions;
  }
}

void set_statuses(CompareResult& result, double alpha) {
  for (auto& c : result.components) {
    c.status = MemberStatus::shared;
    if (result.verdict != Verdict::components) {
      c.presence = Presence::both;
    } else if (c.presence == Presence::only_y) {
      c.status = MemberStatus::new_in_y;
    } else if (c.presence == Presence::only_x) {
      c.status = MemberStatus::missing_from_y;
    } else if (c.p < alpha) {
      c.status = MemberStatus::moved;
    }
    if (c.status != MemberStatus::moved) c.columns_moved.clear();
  }
}

std::string sentence_of(const CompareResult& result, double alpha) {
  const std::string p_same = p_value("p_same", result.p_same);
  const std::string p_components = p_value("p_components", result.p_components);
  const std::string blind =
      concat("a member new in Y or gone from it would have been noticed if it made up about ",
             percent(std::min(result.smallest_share, 1.0)), " or more");
  switch (result.verdict) {
    case Verdict::same:
      if (result.effect.below_min_effect) {
        return concat("X and Y differ (", p_same, "), but by less than counts (",
                      significant(100.0 * result.effect.min_effect.share, 2), " points, ",
                      significant(result.effect.min_effect.deviations, 2), " deviations).");
      }
      return concat("No difference between X and Y was found (", p_same, "); ", blind, ".");
    case Verdict::components:
      return concat("The components differ: ", what_changed(result, alpha), " (", p_components,
                    ").");
    case Verdict::proportions:
      if (result.k == 1) {
        return concat("X and Y differ (", p_same,
                      ") in a way that another mix of the same members can explain (", p_components,
                      "), but the members overlap too much to be told apart.");
      }
      return concat("X and Y have the same ", result.k, " ", plural(result.k, "component"),
                    " in different proportions: ", biggest_moves(result), " (", p_same, ", ",
                    p_components, ").");
    case Verdict::undecided:
      break;
  }
  return concat("Undecided: ", result.reason, ".");
}

void add_notes(CompareResult& result, const CompareOptions& options) {
  auto& notes = result.notes;
  if (result.interrupted) return;
  if (!result.effect.sentence.empty()) notes.push_back(result.effect.sentence);
  const bool known = !result.classes.empty();  // members are classes: no family, no choice of k
  if (result.verdict == Verdict::proportions && !known) {
    notes.push_back(concat("No region's share changes by more than a factor of ",
                           significant(result.share_bound, 2),
                           " beyond chance: another mix of the same members explains the"
                           " difference. Members that overlap completely cannot be told apart"
                           " without labels."));
  }
  if (result.max_k_reached && !known) {
    notes.push_back(concat("The largest number of components that was tried, ", result.k_high,
                           ", fits best; more might fit even better (raise `max_k`)."));
  }
  if (!result.family_fits && !known) {
    notes.push_back(concat("The family does not describe the data well: X lies ",
                           significant(result.misfit_x, 3), " and Y ",
                           significant(result.misfit_y, 3), " times as far from the mixture of ",
                           result.k, " ", plural(result.k, "component"),
                           " as noise would make it. The verdict does not rest on it, but the"
                           " table of components does."));
  } else if (!known && result.p_fit < options.alpha && result.verdict != Verdict::components &&
             result.normalized_wasserstein > kRoughly * result.floor) {
    notes.push_back(concat("The shared components fit only roughly (NW ",
                           significant(result.normalized_wasserstein, 3), ", noise alone ",
                           significant(result.floor, 3), ")."));
  }
  const auto& reduction = result.fit.reduction;
  if (reduction.dim < reduction.original_dim) {
    notes.push_back(concat("Distances are computed in ", reduction.dim, " principal components of ",
                           reduction.original_dim, " columns, which keep ",
                           percent(reduction.kept_variance), " of the variance."));
  }
  if (reduction.constant_columns > 0) {
    notes.push_back(concat(reduction.constant_columns, " of ", reduction.original_dim,
                           " columns are constant and carry no information."));
  }
  if (result.fit.x.rows_used < result.fit.x.rows || result.fit.y.rows_used < result.fit.y.rows) {
    notes.push_back(concat("Distances and tests use random subsamples of ", result.fit.x.rows_used,
                           " and ", result.fit.y.rows_used, " of ", result.fit.x.rows, " and ",
                           result.fit.y.rows, " rows; proportions use all of them."));
  }
}

}  // namespace

void decide_verdict(CompareResult& result, const CompareOptions& options) {
  decide(result, options);
  set_statuses(result, options.alpha);
  result.possible_moves =
      find_possible_moves(result.components, result.fit.mixture_original, options.column_of);
  say_effect(result);
  result.sentence = sentence_of(result, options.alpha_components);
  add_notes(result, options);
}

}  // namespace nw::measure
