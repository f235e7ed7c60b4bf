// From the measure's results to what a run reports.
#pragma once

#include <string>
#include <vector>

#include "nw/measure/choose_k.hpp"
#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

[[nodiscard]] record::CompareResult to_record(const measure::CompareResult& result);
[[nodiscard]] record::ModeChoice to_record(const measure::ChooseKResult& result);

/// What a record says of a comparison but for its data, its figure and the process that made it:
/// the answer, its figures, its settings. The same for the command and for Python. `names` are
/// those of the components: the classes of X where they are known; empty: components go by their
/// number.
void fill_record(const measure::CompareResult& result, const measure::CompareOptions& options,
                 const std::vector<record::ComponentName>& names, record::RunRecord& record);
void fill_record(const measure::ChooseKResult& result, const measure::ChooseKOptions& options,
                 record::RunRecord& record);

}  // namespace nw::app
