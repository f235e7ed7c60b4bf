// The application around measure::choose_k: record and figure in the names of the columns.
#include "nw/app/compare/choose_k.hpp"

#include "nw/app/compare/weighted.hpp"

#include "app/compare/data_units.hpp"
#include "app/compare/describe_side.hpp"
#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"

namespace nw::app {

void ModeCountOptions::validate() const {
  search.validate();
}

ModeCount choose_k(const table::Inputs& data, const ModeCountOptions& options,
                   const ProgressObserver& observer) {
  measure::ChooseKOptions search = options.search;
  if (observer) search.observer = observer;
  const ot::WeightedPoints x = weighted(data.x), y = weighted(data.y);
  const bool two = data.y.size() > 0;
  Rng rng(options.seed);
  ModeCount found;
  found.result = two ? measure::choose_k(x, y, search, rng) : measure::choose_k(x, search, rng);
  found.finished = !found.result.interrupted;

  record::RunRecord& record = found.record;
  record = record::start_record(record::RunKind::choose_k, "choose-k", options.seed);
  record.data = {describe_side(data.x, data.files.x, "x")};
  if (two) record.data.push_back(describe_side(data.y, data.files.y, "y"));
  fill_record(found.result, search, record);
  add_columns(data, record);
  if (options.figure && !found.result.fits.empty()) {
    record.figure =
        make_figure(x, y, axis_names(data), found.result.fit(found.result.k), search.nw.threads);
  }
  return found;
}

}  // namespace nw::app
