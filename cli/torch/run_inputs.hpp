// Data and the run that learns from them: tables keep with the run how their columns were read.
#pragma once

#include <string>

#include "nw/app/learning/run_folder.hpp"
#include "nw/io/points.hpp"
#include "nw/table/read_inputs.hpp"

#include "app/compare/data_units.hpp"
#include "cli/common_options.hpp"
#include "cli/point_options.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {

/// The run directory of a command on these data, which must outlive the result.
template <typename Arguments>
[[nodiscard]] app::RunFolder run_folder(const Arguments& arguments, const table::Inputs& inputs) {
  app::RunFolder folder = run_folder(arguments);
  folder.columns = inputs.encoding;
  folder.complete = [&inputs](record::RunRecord& record) { app::complete_record(inputs, record); };
  return folder;
}

/// Further rows of data that were read before: columns by name where those were a table. Throws
/// IoError, also for values that cannot be squared.
[[nodiscard]] io::PointSet load_like(const std::optional<table::Encoding>& columns,
                                     const std::string& data, const PointOptions& options,
                                     const CommonOptions& common);

/// The same for the model of a run.
[[nodiscard]] io::PointSet load_for_run(const std::string& run, const std::string& data,
                                        const PointOptions& options, const CommonOptions& common);

}  // namespace nw::cli
