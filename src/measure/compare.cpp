// compare: test whether the samples differ and whether another mix could make that difference, fit
// the shared mixture for effect sizes, look at its members, and say what it all means.
#include "nw/measure/compare.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"
#include "nw/base/stopwatch.hpp"

#include "measure/class_tests.hpp"
#include "measure/compare_stages.hpp"

namespace nw::measure {
namespace {

ChangeOptions change_options(const CompareOptions& options, const StopCheck& stop) {
  return {.alpha = options.alpha_components,
          .share_bound = options.absence_ratio > 0.0 ? 1.0 / options.absence_ratio : 0.0,
          .max_k = options.max_k,
          .trees = options.trees,
          .threads = resolve_threads(options.nw.threads),
          .stop = stop};
}

NwOptions mixture_options(const CompareOptions& options, const ChangeTests& tests,
                          std::size_t rows) {
  NwOptions nw = options.nw;
  nw.components = nw.given != nullptr      ? nw.given->size()
                  : options.components > 0 ? options.components
                                           : std::min(tests.choice.k, rows);
  return nw;
}

void check_classes(std::size_t rows, const std::vector<std::uint32_t>& class_of) {
  if (class_of.empty()) return;
  require(class_of.size() == rows, "CompareOptions.class_of_x has ", class_of.size(),
          " entries for the ", rows, " rows of x");
  std::vector<std::size_t> count(std::ranges::max(class_of) + std::size_t{1}, 0);
  for (const std::uint32_t c : class_of) ++count[c];
  require(std::ranges::find(count, std::size_t{0}) == count.end(),
          "CompareOptions.class_of_x must use every class from 0 to ", count.size() - 1);
}

// Of all rows, by their weights: nothing about X needs to be estimated.
std::vector<double> class_shares(const ot::WeightedPoints& x,
                                 const std::vector<std::uint32_t>& class_of, std::size_t classes) {
  std::vector<double> share(classes, 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    const double weight = x.weights.empty() ? 1.0 : x.weights[i];
    share[class_of[i]] += weight;
    total += weight;
  }
  for (double& s : share) s /= total;
  return share;
}

// With classes known, another mix of them takes the place of another mix of unknown members.
ClassTests test_known_classes(const ot::WeightedPoints& x, const PooledRows& pool,
                              const ChangeTests& tests, const CompareOptions& options,
                              const StopCheck& stop, CompareResult& result) {
  std::vector<std::uint32_t> class_of;
  for (std::size_t i = 0; i < pool.in_x; ++i) class_of.push_back(options.class_of_x[pool.row[i]]);
  const std::size_t classes = std::ranges::max(options.class_of_x) + std::size_t{1};
  ClassTests known = test_classes(pool, class_of,
                                  {.classes = classes,
                                   .domain_trees = options.trees,
                                   .resamplings = options.resamplings,
                                   .confidence = options.confidence,
                                   .threads = resolve_threads(options.nw.threads),
                                   .stop = stop},
                                  Rng(pool.fingerprint).split(9));
  const std::vector<double> share_x = class_shares(x, options.class_of_x, classes);
  for (std::size_t c = 0; c < classes; ++c) {
    result.classes.push_back({share_x[c], known.share_y.share[c], known.share_y.interval[c]});
  }
  result.share_routes = known.routes;
  result.p_classes = known.p;
  // Samples that are the same are mixes of the same classes: one more test, one more in Bonferroni.
  result.p_same = std::min(1.0, 3.0 * std::min({tests.p_energy, tests.p_score, known.p}));
  // A single class has no other mix: whatever differs from it is new or has moved.
  result.p_components = classes == 1
                            ? result.p_same
                            : with_classes(tests.p_components, known.p, options.alpha_components);
  return known;
}

// The classes as components, each given by its rows.
Mixture classes_as_members(const ot::WeightedPoints& x,
                           const std::vector<std::uint32_t>& class_of) {
  std::vector<std::vector<std::size_t>> rows(std::ranges::max(class_of) + std::size_t{1});
  constexpr std::size_t kMostRows = 500;
  for (std::size_t i = 0; i < class_of.size(); ++i) {
    if (rows[class_of[i]].size() < kMostRows) rows[class_of[i]].push_back(i);
  }
  Mixture mixture;
  for (const auto& r : rows) mixture.components.push_back(sample_component(rows_at(x.points, r)));
  return mixture;
}

// Everything but the verdict. Throws Stopped.
void find_changes(const std::vector<ot::WeightedPoints>& data, const CompareOptions& options,
                  Rng& rng, CompareResult& result) {
  const ot::WeightedPoints &x = data[0], &y = data[1];
  const StopCheck stop(options.observer, options.nw.team);
  const PooledRows pool = pool_rows(x, y, options.max_test_points);
  const ChangeTests tests = test_changes(pool, change_options(options, stop));
  report_tests(x, y, pool, tests, result);
  if (result.interrupted) return;
  CompareOptions used = options;
  Mixture classes;
  ClassTests known;
  if (!options.class_of_x.empty()) {
    known = test_known_classes(x, pool, tests, options, stop, result);
    classes = classes_as_members(x, options.class_of_x);
    used.nw.given = &classes;
  }

  Rng own(rng.bits());
  const NwOptions nw = mixture_options(used, tests, std::min(x.points.rows(), y.points.rows()));
  const WorkingData work =
      canonical_data(data, pool, nw.given != nullptr ? 1 : nw.components, nw, own);
  CompareContext context{.options = options,
                         .nw = nw,
                         .pool = pool,
                         .tests = tests,
                         .known = known,
                         .work = work,
                         .stop = stop,
                         .rng = own.split(1),
                         .threads = resolve_threads(nw.threads)};
  stop.stage("fit", 0.0);
  const SharedModel model = fit_shared_mixture(context, result);
  compare_members(context, model, result);
}

}  // namespace

const char* to_string(Presence presence) {
  switch (presence) {
    case Presence::both:
      return "both";
    case Presence::only_x:
      return "only x";
    case Presence::only_y:
      return "only y";
  }
  return "unknown";
}

void CompareOptions::validate() const {
  require_fields_in_range("CompareOptions", *this);
  nw.validate();
}

CompareResult compare(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                      const CompareOptions& options, Rng& rng) {
  const Stopwatch watch;
  options.validate();
  const std::vector<ot::WeightedPoints> data{x, y};
  check_data(data, options.nw.given != nullptr ? 1 : std::max<std::size_t>(options.components, 1));
  check_classes(x.points.rows(), options.class_of_x);
  require(options.column_of.empty() || options.column_of.size() == x.points.cols(),
          "CompareOptions.column_of has ", options.column_of.size(), " entries for ",
          x.points.cols(), " coordinates");
  CompareResult result;
  result.resamplings = options.resamplings;
  try {
    find_changes(data, options, rng, result);
  } catch (const Stopped&) {
    result.interrupted = true;
  }
  decide_verdict(result, options);
  weigh_rows(result, options.alpha_components);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace nw::measure
