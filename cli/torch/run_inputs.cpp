#include "cli/torch/run_inputs.hpp"

#include "nw/io/squarable.hpp"

namespace nw::cli {

io::PointSet load_like(const std::optional<table::Encoding>& columns, const std::string& data,
                       const PointOptions& options, const CommonOptions& common) {
  io::LoadOptions load = options.load;
  load.threads = common.threads;
  io::PointSet points =
      columns ? table::read_like(*columns, data, load) : io::load_points(data, load);
  io::require_squarable(points);
  return points;
}

io::PointSet load_for_run(const std::string& run, const std::string& data,
                          const PointOptions& options, const CommonOptions& common) {
  return load_like(app::columns_of_run(run), data, options, common);
}

}  // namespace nw::cli
