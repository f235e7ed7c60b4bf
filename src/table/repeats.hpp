// Private: columns that say what another one says already.
#pragma once

#include <vector>

#include "table/typed_column.hpp"

namespace nw::table {

/// Marks columns that repeat another: the same groups of rows under other names, or a number that
/// is another one in other units. Of two, the one that is a number stays, then the first by name.
/// `columns` are in use, in the order of their names.
void leave_out_repeats(const std::vector<TypedColumn*>& columns);

}  // namespace nw::table
