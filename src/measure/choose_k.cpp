// Theorem 1 [NW:thm1]: k* is the smallest k at which NW(k) is small while NW(k - 1) - NW(k) is
// still relatively large. "Small" is made precise by the noise floor of each k; "large" by a
// fraction of it.
//
// NW(k + 1) starts from NW(k): the components that cost most are split in turn, fresh starts by
// k-means++ and EM compete, and the mixture of k with one idle component is always a candidate, so
// the computed values never increase (Lemma 1).
#include "nw/measure/choose_k.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"

#include "measure/component_order.hpp"
#include "measure/nw_search.hpp"
#include "measure/seeding.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kSplitsTried = 3;
// A curve needs each value to a percent, not to the gap of a final answer.
constexpr Effort kEffort{.first_solves = 0, .last_solves = 3};
constexpr double kLooseGap = 0.02, kLooseTolerance = 5e-3;

// Components by what they cost beyond their share of the mass: a component that covers two modes
// pays far more per unit of mass than its neighbours.
std::vector<std::size_t> costliest(const SharedFit& fit, std::size_t samples) {
  std::vector<double> cost(fit.model().mixture.size(), 0.0);
  for (std::size_t s = 0; s < samples; ++s) {
    const auto part = fit.component_cost(s);
    for (std::size_t j = 0; j < cost.size(); ++j) cost[j] += part[j];
  }
  std::vector<std::size_t> order(cost.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return cost[a] > cost[b]; });
  order.resize(std::min(order.size(), kSplitsTried));
  return order;
}

std::vector<SharedModel> starts_for(const WorkingData& work, std::size_t k,
                                    const std::optional<BestFit>& previous,
                                    const NwOptions& options, Rng& rng) {
  std::vector<SharedModel> starts = cluster_starts(work, k, options, rng);
  if (!previous || previous->fit.model().mixture.size() + 1 != k) return starts;
  const EmOptions em{.shape = options.shape,
                     .max_iterations = 15,
                     .tolerance = 1e-4,
                     .move_components = true,
                     .ridge = density_ridge(work.variance)};
  EmResult best;
  bool any = false;
  for (const std::size_t j : costliest(previous->fit, work.samples.size())) {
    EmResult split = run_em(work.samples, split_component(previous->fit.model(), j), em);
    if (!any || split.log_likelihood > best.log_likelihood) best = std::move(split);
    any = true;
  }
  starts.push_back(std::move(best.model));
  return starts;
}

// Lemma 1 for computed values: k components are k + 1 with an idle one.
BestFit never_above(BestFit found, const std::optional<BestFit>& previous,
                    const FitProblem& problem) {
  const auto& [work, base, options, stop] = problem;
  if (!previous || found.fit.value() <= previous->fit.value()) return found;
  SharedFit idle(work.samples, base, append_idle_component(previous->fit.model(), 0),
                 fit_options(options, work.dim()));
  idle.balance(options.proportion_gap, 4);
  idle.renumber(component_order(idle.model()));
  return {.fit = std::move(idle), .converged = previous->converged};
}

// One resampled null tells a value that is far above the floor; the others are drawn near it.
NoiseFloor floor_beside(const SharedFit& fit, const FitProblem& problem, int replicates,
                        const Rng& rng) {
  constexpr double kFar = 1.5;
  std::vector<double> values =
      null_values(fit, problem, {.replicates = 1, .rounds = 0}, rng.split(0));
  // Without rounds of its own the null lies a little high.
  if (fit.value() < kFar * values[0]) {
    values = null_values(fit, problem, {.replicates = replicates, .rounds = 2}, rng.split(1));
  }
  return summarise(values);
}

std::string rounded_percent(double fraction) {
  return percent(fraction, fraction < 0.1 ? 2 : 3);
}

// Whether the drop to point i matters: a few percent of the floor, several times any later drop,
// and not shared by the floor itself, which falls with k because the atoms grow with it.
bool towers(const std::vector<CurvePoint>& curve, std::size_t i) {
  constexpr double kShareOfFloor = 0.03, kTimesLater = 4.0, kBeyondFloor = 0.3;
  double later = 0.0;
  for (std::size_t l = i + 1; l < curve.size(); ++l) later = std::max(later, curve[l].drop);
  const double of_floor = curve[i - 1].floor - curve[i].floor;
  return i + 1 < curve.size() && curve[i].drop >= kShareOfFloor * curve[i].floor &&
         curve[i].drop >= kTimesLater * later &&
         curve[i].drop - of_floor >= kBeyondFloor * curve[i].drop;
}

void decide(ChooseKResult& result, const ChooseKOptions& options) {
  auto& curve = result.curve;
  std::size_t best = curve.size();
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].at_floor) {
      best = i;
      break;
    }
  }
  result.reached_floor = best < curve.size();
  if (!result.reached_floor) {
    // The best guess is the point after the largest relative drop.
    best = 0;
    for (std::size_t i = 1; i < curve.size(); ++i) {
      const double drop = curve[i].drop / std::max(curve[i].nw, 1e-300);
      if (best == 0 || drop > curve[best].drop / std::max(curve[best].nw, 1e-300)) best = i;
    }
    result.k = curve[best].k;
    result.reason = concat("no k up to ", curve.back().k, " brings NW down to its noise floor; NW(",
                           curve.back().k, ") is ", significant(curve.back().nw, 3),
                           " where noise alone would give ", significant(curve.back().floor, 3),
                           ". k = ", result.k, " follows the largest drop");
    return;
  }
  // In high dimensions noise is most of every value, and a k that is still short of a mode may lie
  // within the margin. The last drop that towers over those after it then tells k*.
  for (std::size_t i = best + 1; i < curve.size(); ++i) {
    if (towers(curve, i)) best = i;
  }
  // And where the floor was missed by a whisker, the k before it ends the last large drop.
  constexpr double kWhisker = 1.35;
  while (best > 0 && !towers(curve, best) &&
         curve[best].drop <= options.large_drop * curve[best].floor &&
         curve[best - 1].nw <= kWhisker * curve[best - 1].floor) {
    --best;
  }
  result.k = curve[best].k;
  result.clear =
      best == 0 || towers(curve, best) || curve[best].drop > options.large_drop * curve[best].floor;
  const double over = curve[best].nw / curve[best].floor - 1.0;
  result.reason = concat("NW(", result.k, ") = ", significant(curve[best].nw, 3),
                         " is at the noise floor ", significant(curve[best].floor, 3),
                         over > 0.0 ? concat(" (", rounded_percent(over), " above it)") : "");
  if (best > 0) {
    result.reason +=
        concat(", and NW(", curve[best - 1].k, ") = ", significant(curve[best - 1].nw, 3),
               " is not: the drop from ", curve[best - 1].k, " to ", result.k, " is ",
               rounded_percent(curve[best].drop / curve[best].floor), " of the floor");
  }
  if (best + 1 < curve.size()) {
    double later = 0.0;
    for (std::size_t i = best + 1; i < curve.size(); ++i) later = std::max(later, curve[i].drop);
    result.reason += concat("; the largest drop after it is ",
                            rounded_percent(later / curve[best].floor), " of the floor");
  }
}

ChooseKResult search(const std::vector<ot::WeightedPoints>& data, const ChooseKOptions& options,
                     Rng& rng) {
  const Stopwatch watch;
  options.validate();
  NwOptions nw = options.nw;
  nw.given = nullptr;
  nw.proportion_gap = std::max(nw.proportion_gap, kLooseGap);
  nw.tolerance = std::max(nw.tolerance, kLooseTolerance);
  Rng own(rng.bits());
  std::size_t rows = data[0].points.rows();
  for (const auto& d : data) rows = std::min(rows, d.points.rows());
  const WorkingData work = prepare(data, options.min_k, nw, own);
  const std::size_t last_k = std::min(options.max_k, rows);
  // One set of base points for the whole curve, or the values would not be comparable.
  if (nw.atoms_per_component == 0) {
    nw.atoms_per_component = atom_count(nw, work, std::clamp<std::size_t>(last_k, 1, 12));
  }
  const Matrix base = quasi_normal_points(nw.atoms_per_component, work.dim());

  ChooseKResult result;
  std::optional<BestFit> previous;
  std::size_t beyond = 0;
  for (std::size_t k = options.min_k; k <= last_k; ++k) {
    if (options.observer &&
        !options.observer({"choose-k", static_cast<double>(k - options.min_k) /
                                           static_cast<double>(last_k - options.min_k + 1)})) {
      result.interrupted = true;
      break;
    }
    nw.components = k;
    Rng stream = own.split(k);
    const FitProblem problem{work, base, nw};
    BestFit found = never_above(best_fit(problem, starts_for(work, k, previous, nw, stream)),
                                previous, problem);
    NwResult fit = describe(found, problem);
    fit.floor = floor_beside(found.fit, problem, beyond == 0 ? 3 : 2, stream.split(1));
    CurvePoint point;
    point.k = k;
    point.nw = fit.value;
    point.nw_low = std::max(fit.value - 1.96 * fit.standard_error, 0.0);
    point.nw_high = fit.value + 1.96 * fit.standard_error;
    point.floor = fit.floor.mean;
    point.floor_high = std::max((1.0 + options.floor_margin) * fit.floor.mean,
                                fit.floor.mean + 3.0 * fit.floor.deviation);
    point.drop = result.curve.empty() ? 0.0 : result.curve.back().nw - fit.value;
    point.at_floor = point.nw <= point.floor_high;
    result.curve.push_back(point);
    result.fits.push_back(std::move(fit));
    previous.emplace(std::move(found));
    if (point.at_floor && beyond++ == options.beyond_floor && options.beyond_floor > 0) break;
  }
  if (result.curve.empty()) {
    result.reason = "stopped on request before the first k";
  } else {
    decide(result, options);
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace

void ChooseKOptions::validate() const {
  require_fields_in_range("ChooseKOptions", *this);
  require(max_k >= min_k, "ChooseKOptions.max_k must be at least min_k = ", min_k, ", got ", max_k);
  nw.validate();
}

const NwResult& ChooseKResult::fit(std::size_t components) const {
  for (std::size_t i = 0; i < curve.size(); ++i) {
    if (curve[i].k == components) return fits[i];
  }
  throw InvalidArgument(concat("the curve has no point for k = ", components));
}

ChooseKResult choose_k(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                       const ChooseKOptions& options, Rng& rng) {
  return search({x, y}, options, rng);
}

ChooseKResult choose_k(const ot::WeightedPoints& x, const ChooseKOptions& options, Rng& rng) {
  return search({x}, options, rng);
}

}  // namespace nw::measure
