// Reading the domains of `nw adapt` and the data of `nw predict`.
#pragma once

#include <string>

#include "nw/io/points.hpp"

#include "cli/common_options.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {

/// Points with labels where a file, a column or the names of sub-folders say so.
struct LabelledInput {
  std::string points, labels, label_column;
};

/// Reads points and labels. Throws IoError, also when there are more or fewer labels than points.
[[nodiscard]] io::PointSet load_labelled(const LabelledInput& input, const PointOptions& options,
                                         const CommonOptions& common);

}  // namespace nw::cli
