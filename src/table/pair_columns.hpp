// Private: which columns of two tables belong together, what becomes of each, and of what kind it
// is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "nw/io/raw_table.hpp"
#include "nw/table/options.hpp"

#include "table/column_names.hpp"
#include "table/encode_tables.hpp"
#include "table/typed_column.hpp"

namespace nw::table {

[[nodiscard]] ColumnNames names_of(const io::RawTable& table);

struct PairedColumns {
  ColumnNames names;       ///< of the columns of X; those of Y where X has no header
  bool has_names = false;  ///< some side has a header
  /// In the order of X, then those that Y alone has; with the reason where one is not used.
  std::vector<TypedColumn> columns;
  std::vector<std::string> notes;
};

/// Throws IoError for names that occur twice, columns that `strict` asks for, and for tables that
/// have no column in common.
[[nodiscard]] PairedColumns pair_columns(const TableSides& sides, const TableOptions& options);

/// The columns that are used, in the order of their names, so that the order in the files does not
/// matter. Those that repeat another one get their reason here, unless columns were chosen. Throws
/// IoError when none is left.
[[nodiscard]] std::vector<TypedColumn*> collect_used(PairedColumns& paired, const TableSides& sides,
                                                     const TableOptions& options);

}  // namespace nw::table
