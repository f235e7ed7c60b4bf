#include "cli/torch/adapt_inputs.hpp"

#include "nw/base/error.hpp"
#include "nw/io/squarable.hpp"

namespace nw::cli {
namespace {

void add_labels(const std::string& file, io::PointSet& points) {
  if (file.empty()) return;
  if (points.labels) {
    throw IoError(concat(file, ": labels points that ", points.source, " has labelled already"));
  }
  points.labels = io::load_labels(file);
  if (points.labels->size() == points.size()) return;
  throw IoError(concat(file, ": has ", points.labels->size(), " labels for ", points.size(),
                       " points of ", points.source, "; give one label per point"));
}

}  // namespace

table::Inputs load_domains(const LabelledInput& source, const LabelledInput& target,
                           const PointOptions& options, const CommonOptions& common) {
  require(source.points != "-" || target.points != "-",
          "source and target cannot both be standard input");
  io::LoadOptions load = options.load;
  load.threads = common.threads;
  table::TableOptions how = table_options(options);
  how.label_column = source.label_column;
  how.label_column_y = target.label_column;
  table::Inputs domains = table::read_inputs({source.points, target.points}, load, how);
  add_labels(source.labels, domains.x);
  add_labels(target.labels, domains.y);
  io::require_squarable(domains.x);
  io::require_squarable(domains.y);
  return domains;
}

}  // namespace nw::cli
