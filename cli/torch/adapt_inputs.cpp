#include "cli/torch/adapt_inputs.hpp"

#include <set>

#include "nw/adapt/weight_file.hpp"
#include "nw/base/error.hpp"
#include "nw/io/squarable.hpp"

#include "app/learning/class_features.hpp"

namespace nw::cli {

using namespace app;

io::PointSet load_labelled(const LabelledInput& input, const PointOptions& options,
                           const CommonOptions& common) {
  io::LoadOptions load = options.load;
  load.threads = common.threads;
  load.label_column = input.label_column;
  load.labels_file = input.labels;
  io::PointSet points = io::load_points(input.points, load);
  io::require_squarable(points);
  if (!input.take_folders && input.labels.empty() && input.label_column.empty()) {
    points.labels.reset();
  }
  if (!input.weights.empty()) {
    const auto backbone = adapt::load_backbone(input.weights);
    return features_of(points, {.backbone = *backbone, .side = nn::kBackboneSide});
  }
  return points;
}

Domains load_domains(const LabelledInput& source, const LabelledInput& target,
                     const PointOptions& options, const CommonOptions& common) {
  require(source.points != "-" || target.points != "-",
          "source and target cannot both be standard input");
  Domains domains;
  domains.source = load_labelled(source, options, common);
  if (!domains.source.labels) {
    throw IoError(concat(domains.source.source,
                         " has no labels: give them with --source-labels or --label-column"));
  }
  domains.target = load_labelled(target, options, common);
  domains.form = adapt::fit_form(domains.source, domains.target);
  try {
    domains.classes = adapt::classes_of(*domains.source.labels);
  } catch (const InvalidArgument& error) {
    throw IoError(concat(domains.source.source, ": ", error.what()));
  }
  domains.source_class = domains.classes.indices_of(*domains.source.labels);
  if (domains.target.labels) {
    domains.target_class = domains.classes.indices_of(*domains.target.labels);
    domains.unknown = unknown_names(*domains.target.labels, domains.classes);
  }
  return domains;
}

std::vector<std::string> unknown_names(const io::Labels& labels, const adapt::Classes& classes) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string name = labels.name_of(i);
    if (classes.index_of(name) < 0) names.insert(name);
  }
  return {names.begin(), names.end()};
}

}  // namespace nw::cli
