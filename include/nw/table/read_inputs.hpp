// From files to points with a description: the way data enter the commands.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/base/team.hpp"
#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"
#include "nw/table/description.hpp"
#include "nw/table/encoding.hpp"
#include "nw/table/options.hpp"
#include "nw/table/row_split.hpp"

namespace nw::table {

/// Files of each side. An entry may be a pattern such as "jan-*.csv", or several paths with commas
/// between; "-" is standard input. `y` is empty for one data set, and for one table that is split.
struct InputFiles {
  std::string x = {}, y = {};
  /// Processes that share the reading where a side has several tables: each takes some of them, and
  /// all get the same rows. Null: this one reads everything.
  Team* team = nullptr;
};

/// One or two data sets as points, and what is known about their columns.
struct Inputs {
  io::PointSet x = {}, y = {};            ///< y has no rows when there is one data set
  std::optional<Encoding> encoding = {};  ///< of tables; arrays and images are points as they are
  Description description = {};
  InputFiles files = {};               ///< empty: the data were in memory
  io::LoadOptions load = {};           ///< how the files were read
  std::optional<RowSplit> split = {};  ///< of one table whose rows were told apart by a column
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

/// Some rows of a side, as coordinates.
struct RowBlock {
  bool of_y = false;
  std::size_t file = 0;  ///< among those of its side
  MatrixView rows;
};

/// Whether `inputs` hold a sample of a side whose files can be read once more.
[[nodiscard]] bool can_visit_all_rows(const Inputs& inputs);
/// Reads the files of sides of which `inputs` hold a sample once more, block by block. Processes of
/// `inputs.files.team` take different files.
void visit_all_rows(const Inputs& inputs, const std::function<void(const RowBlock&)>& visit);

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
