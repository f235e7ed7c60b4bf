// From the measure's results to what a run reports.
#pragma once

#include "nw/measure/choose_k.hpp"
#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

[[nodiscard]] record::CompareResult to_record(const measure::CompareResult& result);
[[nodiscard]] record::ModeChoice to_record(const measure::ChooseKResult& result);

/// What a record says of a comparison but for its data, its figure and the process that made it:
/// the answer, its figures, its settings. The same for the command and for Python.
void fill_record(const measure::CompareResult& result, const measure::CompareOptions& options,
                 record::RunRecord& record);
void fill_record(const measure::ChooseKResult& result, const measure::ChooseKOptions& options,
                 record::RunRecord& record);

/// The settings of a fit as a record lists them.
void add_fit_settings(const measure::NwOptions& options, record::RunRecord& record);

}  // namespace nw::app
