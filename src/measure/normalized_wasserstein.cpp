// The measure: prepare the data, find starts, descend, and set the noise floor beside the value.
#include "nw/measure/normalized_wasserstein.hpp"

#include <algorithm>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"

#include "measure/nw_search.hpp"

namespace nw::measure {
namespace {

SharedModel given_model(const WorkingData& work, const Mixture& given) {
  const double share = 1.0 / static_cast<double>(given.size());
  return {.mixture = reduce(work.reduction, given),
          .pi = std::vector<std::vector<double>>(work.samples.size(),
                                                 std::vector<double>(given.size(), share))};
}

NwResult measure(const std::vector<ot::WeightedPoints>& data, const NwOptions& options, Rng& rng) {
  const Stopwatch watch;
  options.validate();
  const std::size_t k = options.given != nullptr ? options.given->size() : options.components;
  if (options.given != nullptr && !data.empty()) {
    require(options.given->dim() == data[0].points.cols(), "the given components have ",
            options.given->dim(), " coordinates, the data ", data[0].points.cols());
  }
  Rng own(rng.bits());
  const auto interrupted = [&](const char* stage, double fraction) {
    return options.observer && !options.observer({stage, fraction});
  };
  const WorkingData work = prepare(data, options.given != nullptr ? 1 : k, options, own);
  const Matrix base = quasi_normal_points(atom_count(options, work, k), work.dim());
  bool stopped = interrupted("starts", 0.0);
  const std::vector<SharedModel> starts =
      options.given != nullptr ? std::vector<SharedModel>{given_model(work, *options.given)}
                               : cluster_starts(work, k, options, own);
  stopped = stopped || interrupted("fit", 0.0);
  NwOptions fit_with = options;
  if (stopped) fit_with.max_rounds = 0;
  const BestFit found = best_fit({work, base, fit_with}, starts);
  const FitProblem problem{work, base, options};
  NwResult result = describe(found, problem);
  stopped = stopped || interrupted("floor", 0.0);
  if (!stopped && options.floor_replicates > 0) {
    result.floor = summarise(
        null_values(found.fit, problem, {.replicates = options.floor_replicates}, own.split(1)));
  }
  if (stopped) {
    result.termination = NwTermination::interrupted;
    result.reason = "stopped on request";
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace

void NwOptions::validate() const {
  require_fields_in_range("NwOptions", *this);
  if (given != nullptr) given->validate();
}

const char* to_string(NwTermination termination) {
  switch (termination) {
    case NwTermination::converged:
      return "converged";
    case NwTermination::round_limit:
      return "round limit";
    case NwTermination::interrupted:
      return "interrupted";
  }
  return "unknown";
}

NwResult normalized_wasserstein(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                const NwOptions& options, Rng& rng) {
  return measure({x, y}, options, rng);
}

NwResult fit_mixture(const ot::WeightedPoints& x, const NwOptions& options, Rng& rng) {
  return measure({x}, options, rng);
}

}  // namespace nw::measure
