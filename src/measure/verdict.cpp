// The paper's table [NW:compare]: W low -> same; W high and NW low -> proportions; both high ->
// components. "High" means unlikely under the null that p_same and p_components belong to.
#include "measure/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>

#include "nw/base/error.hpp"

namespace nw::measure {
namespace {

// Below this multiple of the floor a misfit is of no interest, however significant.
constexpr double kRoughly = 1.1;

std::string number(double value, int digits = 3) {
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

std::string percent(double share) {
  return concat(number(100.0 * share, 2), " %");
}

std::string p_value(const char* name, double p, int resamplings) {
  const double smallest = 1.0 / (resamplings + 1.0);
  return p <= smallest * 1.0001 ? concat(name, " <= ", number(smallest, 2))
                                : concat(name, " = ", number(p, 2));
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

std::string what_changed(const CompareResult& result, double alpha) {
  std::vector<std::size_t> only_x, only_y, moved;
  for (std::size_t j = 0; j < result.k; ++j) {
    const auto& c = result.components[j];
    if (c.presence == Presence::only_x) only_x.push_back(j);
    if (c.presence == Presence::only_y) only_y.push_back(j);
    if (c.presence == Presence::both && c.p < alpha) moved.push_back(j);
  }
  std::vector<std::string> parts;
  if (!only_y.empty()) {
    double mass = 0.0;
    for (const auto j : only_y) mass += result.pi_y[j];
    parts.push_back(concat(plural(only_y.size(), "component"), " ", list(only_y),
                           only_y.size() == 1 ? " is" : " are", " new in Y (", percent(mass),
                           " of it)"));
  }
  if (!only_x.empty()) {
    double mass = 0.0;
    for (const auto j : only_x) mass += result.pi_x[j];
    parts.push_back(concat(plural(only_x.size(), "component"), " ", list(only_x),
                           only_x.size() == 1 ? " is" : " are", " missing from Y (", percent(mass),
                           " of X)"));
  }
  if (!moved.empty()) {
    const auto largest = *std::max_element(moved.begin(), moved.end(), [&](auto a, auto b) {
      return result.components[a].contribution < result.components[b].contribution;
    });
    parts.push_back(concat("the members of ", plural(moved.size(), "component"), " ", list(moved),
                           " differ, most in ", largest + 1, " (centre moved by ",
                           number(result.components[largest].shift_size, 2), " deviations)"));
  }
  if (parts.empty()) return "no single component stands out";
  std::string text = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) text += concat("; ", parts[i]);
  return text;
}

void add_notes(CompareResult& result, const CompareOptions& options) {
  auto& notes = result.notes;
  if (!result.family_fits) {
    notes.push_back(concat("The family does not describe the data: fitted alone with ", result.k,
                           " components, X lies ", number(result.misfit_x), " and Y ",
                           number(result.misfit_y),
                           " times as far from the mixture as noise"
                           " would make it; more components or another shape may."));
  } else if (result.p_fit < options.alpha && result.verdict != Verdict::components &&
             result.normalized_wasserstein > kRoughly * result.floor) {
    notes.push_back(concat("The shared components fit only roughly (NW ",
                           number(result.normalized_wasserstein), ", noise alone ",
                           number(result.floor),
                           "); the verdict compares members within components and does not"
                           " rest on their exact shape."));
  }
  if (!result.choose_k.curve.empty() && !result.choose_k.reached_floor) {
    notes.push_back(concat("The number of components is a guess: ", result.choose_k.reason, "."));
  }
  const auto& reduction = result.fit.reduction;
  if (reduction.dim < reduction.original_dim) {
    notes.push_back(concat("Computed in ", reduction.dim, " principal components of ",
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
                           result.fit.y.rows,
                           " rows; proportions use"
                           " all of them."));
  }
}

}  // namespace

void decide_verdict(CompareResult& result, const CompareOptions& options) {
  const bool differ = result.p_same < options.alpha;
  const bool components = result.p_components <= options.alpha_components;
  const std::string p_same = p_value("p_same", result.p_same, result.resamplings);
  const std::string p_components = p_value("p_components", result.p_components, result.resamplings);
  const std::string parts = concat(result.k, result.k == 1 ? " component" : " components");
  if (components && !result.family_fits) {
    result.verdict = Verdict::undecided;
    result.sentence =
        concat("X and Y differ, but mixtures of ", parts, " of shape ", to_string(options.nw.shape),
               " describe neither well, so whether their members changed cannot be said (", p_same,
               ", ", p_components, ").");
  } else if (components) {
    result.verdict = Verdict::components;
    result.sentence = concat("The components differ: ", what_changed(result, options.alpha), " (",
                             p_components, ").");
  } else if (differ) {
    result.verdict = Verdict::proportions;
    result.sentence = concat("X and Y have the same ", parts,
                             " in different proportions: ", biggest_moves(result), " (", p_same,
                             ", ", p_components, ").");
  } else {
    result.verdict = Verdict::same;
    result.sentence =
        concat("No difference between X and Y was found: W = ", number(result.wasserstein),
               ", and chance alone gives ", number(result.wasserstein_null), " on average (",
               p_same, ", ", p_components, ").");
  }
  if (result.verdict == Verdict::proportions && result.k == 1) {
    result.sentence =
        concat("X and Y differ (", p_same, "), but not clearly in the one component they share (",
               p_components, ").");
  }
  add_notes(result, options);
}

}  // namespace nw::measure
