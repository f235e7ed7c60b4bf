// The options of every command that reads points, and the reading.
#pragma once

#include <string>

#include "nw/io/points.hpp"
#include "nw/table/options.hpp"

namespace CLI {
class App;
}

namespace nw::cli {

/// How all inputs of a command are read. One set of options serves X and Y.
struct PointOptions {
  io::LoadOptions load;  ///< also says which columns, label and weight to take
  table::TableOptions table;
  bool describe = false;  ///< show every column rather than three lines
};

/// Adds --columns, --label-column, --weight-column and what files need that do not explain
/// themselves.
void add_point_options(CLI::App& command, PointOptions& options);

/// Adds --exclude, --types, --scale, --missing, --strict and --describe: for commands on tables.
void add_table_options(CLI::App& command, PointOptions& options);

/// Adds --by, --from and --to: one table as two data sets.
void add_by_options(CLI::App& command, PointOptions& options);

/// What the table layer needs to know: `table` with the columns, label and weight of `load`.
[[nodiscard]] table::TableOptions table_options(const PointOptions& options);

}  // namespace nw::cli
