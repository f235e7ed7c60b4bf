// The application around measure::compare: classes from labels, names and units of columns, record.
#include "nw/app/compare/compare.hpp"

#include "nw/app/compare/weighted.hpp"
#include "nw/base/error.hpp"

#include "app/compare/all_rows.hpp"
#include "app/compare/component_names.hpp"
#include "app/compare/data_units.hpp"
#include "app/compare/describe_side.hpp"
#include "app/compare/figure_columns.hpp"
#include "app/compare/known_classes.hpp"
#include "app/compare/measure_figure.hpp"
#include "app/compare/measure_record.hpp"

namespace nw::app {

void ComparisonOptions::validate() const {
  test.validate();
}

Comparison compare(const table::Inputs& data, const ComparisonOptions& options,
                   const ProgressObserver& observer) {
  measure::CompareOptions test = options.test;
  if (observer) test.observer = observer;
  test.column_of = column_of_coordinates(data);
  Comparison comparison;
  if (data.x.labels) {
    KnownClasses known = known_classes(*data.x.labels);
    test.class_of_x = std::move(known.class_of);
    comparison.class_names = std::move(known.names);
  }
  const ot::WeightedPoints x = weighted(data.x), y = weighted(data.y);
  Rng rng(options.seed);
  measure::CompareResult& result = comparison.result;
  result = measure::compare(x, y, test, rng);
  comparison.finished = !result.interrupted;
  count_all_rows(data, result);
  // Names are found in coordinates, before these become units.
  const std::vector<record::ComponentName> names = comparison.class_names.empty()
                                                       ? component_names(data, result.components)
                                                       : names_of_classes(comparison.class_names);
  to_data_units(data, result);

  record::RunRecord& record = comparison.record;
  record = record::start_record(record::RunKind::compare, "compare", options.seed);
  record.data = {describe_side(data.x, data.files.x, "x"),
                 describe_side(data.y, data.files.y, "y")};
  add_columns(data, record);
  fill_record(result, test, names, record);
  name_columns(data, result, record);
  if (!data.description.advice.empty()) record.warnings.push_back(data.description.advice);
  if (options.figure && comparison.finished) {
    record.figure = make_figure(x, y, axis_names(data), result.fit, test.nw.threads);
    add_row_columns(data, *record.figure);
  }
  return comparison;
}

}  // namespace nw::app
