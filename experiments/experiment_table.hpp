// Finding an experiment, and its numbers beside the paper's as a table or as JSON.
#pragma once

#include <string>

#include "nw/report/text_table.hpp"

#include "experiments/experiment.hpp"
#include "io/json_value.hpp"

namespace nw::experiments {

/// Throws InvalidArgument that lists those there are.
[[nodiscard]] Experiment find_experiment(const std::string& id);

/// The way to compute it of this name; the first when `method` is empty. Throws InvalidArgument
/// that lists those there are.
[[nodiscard]] ExperimentRun find_method(const Experiment& experiment, const std::string& method);

/// Mean and standard deviation between seeds, and the paper's number, a line for each metric.
[[nodiscard]] report::TextTable table_of(const ExperimentResult& result);

/// The same as an array of objects.
[[nodiscard]] Json rows_json(const ExperimentResult& result);

}  // namespace nw::experiments
