// What every command writes into its record in the same way.
#pragma once

#include <string>

#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

#include "cli/common_options.hpp"

namespace nw::cli {

/// A record of this moment, version and seed.
[[nodiscard]] record::RunRecord start_record(record::RunKind kind, const std::string& command,
                                             const CommonOptions& options);

/// How a record speaks of an input.
[[nodiscard]] record::DataSet describe(const io::PointSet& points, const std::string& path);

}  // namespace nw::cli
