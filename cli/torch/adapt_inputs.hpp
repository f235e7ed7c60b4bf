// Reading the domains of `nw adapt` and `nw denoise`.
#pragma once

#include <string>

#include "nw/table/read_inputs.hpp"

#include "cli/common_options.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {

/// Points with labels where a file, a column or the names of sub-folders say so.
struct LabelledInput {
  std::string points, labels, label_column;
};

/// Source and target: tables are matched by name and encoded together. Throws IoError, also when
/// there are more or fewer labels than points.
[[nodiscard]] table::Inputs load_domains(const LabelledInput& source, const LabelledInput& target,
                                         const PointOptions& options, const CommonOptions& common);

}  // namespace nw::cli
