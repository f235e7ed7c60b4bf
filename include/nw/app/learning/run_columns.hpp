// Data and the run that learns from them: tables keep with the run how their columns were read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nw/base/progress.hpp"
#include "nw/io/points.hpp"
#include "nw/table/read_inputs.hpp"

namespace nw::app {

/// Leaves RUN/columns.json as soon as training reports, for further rows of the same columns; takes
/// an older one away where the data are arrays or images. `inputs` and `observer`, which is called
/// in any case, must outlive the result. An empty `run` keeps nothing.
[[nodiscard]] ProgressObserver keeping_columns(const std::string& run, const table::Inputs& inputs,
                                               const ProgressObserver& observer);

/// The columns of the data that a run learnt from; nothing for arrays and images. Throws IoError.
[[nodiscard]] std::optional<table::Encoding> columns_of_run(const std::string& run);

/// The same of several runs, which must be one. Throws IoError naming the first that differs.
[[nodiscard]] std::optional<table::Encoding> columns_of_runs(const std::vector<std::string>& runs);

/// Further rows of data that were read before: columns by name where those were a table. Throws
/// IoError, also for values that cannot be squared.
[[nodiscard]] io::PointSet load_like(const std::optional<table::Encoding>& columns,
                                     const std::string& data, const io::LoadOptions& options);

/// Writes rows that are coordinates of `columns` to a file, in the columns and units of the data:
/// CSV with the component of each row where some are given, NPY where all columns are numbers.
/// Throws InvalidArgument naming a column that is not.
void write_rows(const std::string& file, const Matrix& rows, const table::Encoding& columns,
                const std::vector<std::uint32_t>& component_of = {});

/// The same for rows that may not have come from a table: those are written as they are.
void write_rows(const std::string& file, const Matrix& rows,
                const std::optional<table::Encoding>& columns);

}  // namespace nw::app
