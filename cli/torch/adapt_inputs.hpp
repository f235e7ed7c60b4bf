// Reading the domains of `nw adapt` and the data of `nw predict`.
#pragma once

#include <string>
#include <vector>

#include "nw/adapt/domain.hpp"
#include "nw/io/points.hpp"

#include "cli/common_options.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {

/// Points with labels where a file or a column says so; names of sub-folders count only when
/// `take_folders`.
struct LabelledInput {
  std::string points, labels, label_column;
  bool take_folders = true;
  /// Weights of a backbone that turns images into rows of features; empty: none.
  std::string weights;
};

/// Reads points and labels. Throws IoError, also when there are more or fewer labels than points.
[[nodiscard]] io::PointSet load_labelled(const LabelledInput& input, const PointOptions& options,
                                         const CommonOptions& common);

/// Both domains, brought to one form.
struct Domains {
  io::PointSet source, target;
  adapt::InputForm form;
  adapt::Classes classes;
  std::vector<std::int64_t> source_class;
  std::vector<std::int64_t> target_class;  ///< for scoring; empty without labels
  std::vector<std::string> unknown;        ///< classes of the target that the source lacks
};

[[nodiscard]] Domains load_domains(const LabelledInput& source, const LabelledInput& target,
                                   const PointOptions& options, const CommonOptions& common);

/// Names that are no class of `classes`, each once.
[[nodiscard]] std::vector<std::string> unknown_names(const io::Labels& labels,
                                                     const adapt::Classes& classes);

}  // namespace nw::cli
