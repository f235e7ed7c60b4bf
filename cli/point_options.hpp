// The options of every command that reads points, and the reading.
#pragma once

#include <string>

#include "nw/io/points.hpp"

namespace CLI {
class App;
}

namespace nw::cli {

/// How all inputs of a command are read. One set of options serves X and Y.
struct PointOptions {
  io::LoadOptions load;
};

/// Adds --columns, --label-column, --weight-column and what files need that do not explain
/// themselves.
void add_point_options(CLI::App& command, PointOptions& options);

/// Reads weights, one number per line or entry, for points that have none yet.
/// Throws IoError if they do not fit the points.
void load_weights(const std::string& file, const PointOptions& options, io::PointSet& points);

}  // namespace nw::cli
