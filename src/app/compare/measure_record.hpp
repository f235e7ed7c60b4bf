// From the measure's results to what a run reports.
#pragma once

#include "nw/measure/choose_k.hpp"
#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

[[nodiscard]] record::CompareResult to_record(const measure::CompareResult& result);
[[nodiscard]] record::ModeChoice to_record(const measure::ChooseKResult& result);

}  // namespace nw::app
