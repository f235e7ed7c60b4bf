// From files to points with a description: the way data enter the commands.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"
#include "nw/table/description.hpp"
#include "nw/table/encoding.hpp"
#include "nw/table/options.hpp"

namespace nw::table {

/// Files of each side. An entry may be a pattern such as "jan-*.csv", or several paths with commas
/// between; "-" is standard input. `y` is empty for one data set, and for one table that is split.
struct InputFiles {
  std::string x = {}, y = {};
};

/// One or two data sets as points, and what is known about their columns.
struct Inputs {
  io::PointSet x = {}, y = {};            ///< y has no rows when there is one data set
  std::optional<Encoding> encoding = {};  ///< of tables; arrays and images are points as they are
  Description description = {};
  InputFiles files = {};      ///< empty: the data were in memory
  io::LoadOptions load = {};  ///< how the files were read
};

/// Reads everything. Tables are typed, matched by name and encoded; arrays and images are points
/// right away. Of `load`, the choice of columns, label and weight is replaced by that of `options`.
/// Throws IoError with file, place and remedy.
[[nodiscard]] Inputs read_inputs(const InputFiles& files, const io::LoadOptions& load = {},
                                 const TableOptions& options = {});

/// The same for tables in memory; `y` may be null.
[[nodiscard]] Inputs encode_tables(const io::RawTable& x, const io::RawTable* y,
                                   const TableOptions& options);

/// Further rows of the columns that an encoding knows, found by name; of `load` the format, label
/// and file of labels are heeded. Throws IoError naming a column that is absent or holds something
/// else.
[[nodiscard]] io::PointSet read_like(const Encoding& encoding, const std::string& argument,
                                     const io::LoadOptions& load);

/// The same block by block, for files larger than memory: calls `visit` with the coordinates of
/// some rows after the other, in order.
void visit_like(const Encoding& encoding, const std::string& argument, const io::LoadOptions& load,
                const std::function<void(MatrixView)>& visit);
/// Whether all that `argument` stands for are files rather than pipes.
[[nodiscard]] bool can_be_read_again(const std::string& argument);

/// The paths that an argument stands for.
[[nodiscard]] std::vector<std::string> expand_paths(const std::string& argument);

/// The column with more than nine tenths of the pooled variance, and its share; nothing when there
/// is none, or just one column: a distance in raw units is then one of that column.
struct DominantColumn {
  std::string name;
  double share = 0.0;
};
[[nodiscard]] std::optional<DominantColumn> dominant_column(const io::PointSet& x,
                                                            const io::PointSet& y);

}  // namespace nw::table
