// --report FILE of the commands that make a run record.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include "nw/base/matrix_view.hpp"
#include "nw/record/projection.hpp"
#include "nw/record/run_record.hpp"

namespace nw::cli {

/// Adds --report; `page` stays empty when it is not given.
void add_report_option(CLI::App& command, std::string& page);

/// Writes the record as a page, unless `page` is empty.
void write_page(const std::string& page, const record::RunRecord& record);

/// Rows of one data set that a page draws; more make it slow and no clearer.
inline constexpr std::size_t kDrawnRows = 1000;

/// The axes and sampled points of X and Y: what every figure starts with. `y` may be empty.
[[nodiscard]] record::Figure start_figure(const record::Projection& projection, MatrixView x,
                                          MatrixView y);

}  // namespace nw::cli
