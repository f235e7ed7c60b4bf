// What every run writes into its record in the same way.
#pragma once

#include <string>

#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

namespace nw::record {

/// A record of this moment, version and seed.
[[nodiscard]] RunRecord start_record(RunKind kind, const std::string& command, std::uint64_t seed);

/// How a record speaks of an input.
[[nodiscard]] DataSet describe(const io::PointSet& points, const std::string& path);

}  // namespace nw::record
