// The main picture of a comparison as one SVG file: the points, and the shares of the components.
#pragma once

#include <string>

#include "nw/record/run_record.hpp"

namespace nw::report {

/// Headline, the rows on the two columns that tell the components apart best (or on principal axes
/// where the record holds no columns), and the share of every component in X and Y. The record must
/// have a comparison; without a figure the shares stand alone.
[[nodiscard]] std::string render_picture(const record::RunRecord& record);

}  // namespace nw::report
