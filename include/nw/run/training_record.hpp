// From the log of a run to what a page shows.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "nw/record/run_record.hpp"
#include "nw/run/metrics_log.hpp"

namespace nw::run {

/// Every metric as a line over the steps, at most `max_points` of them evenly spread. Metrics whose
/// names share what stands before a slash, and the entries of a list, share a chart.
[[nodiscard]] std::vector<record::Series> metric_series(std::span<const MetricsRow> rows,
                                                        std::size_t max_points = 600);

/// The record of a run: result.json where the run is finished, otherwise what metrics.jsonl and
/// config.json tell so far (with `converged` false and a sentence that says so). `path` may also be
/// a record file.
[[nodiscard]] record::RunRecord read_run(const std::filesystem::path& path);

}  // namespace nw::run
