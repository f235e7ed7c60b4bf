// From the measure's results to what a run reports.
#pragma once

#include "nw/measure/choose_k.hpp"
#include "nw/measure/compare.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

/// `alpha` is the level below which a component counts as shifted.
[[nodiscard]] record::CompareResult to_record(const measure::CompareResult& result, double alpha);
[[nodiscard]] record::ModeChoice to_record(const measure::ChooseKResult& result);

}  // namespace nw::app
