// Private: the columns of a file that do not become columns of the table, and why.
#pragma once

#include <string>
#include <vector>

#include "nw/io/raw_table.hpp"

namespace nw::io {

struct LeftOut {
  std::vector<std::string> nested, unknown, binary;

  /// Names them in the notes of `table`. Throws IoError when it has no column at all.
  void note_in(RawTable& table) const;
};

/// Adds `column` to the table, unless its texts are bytes that are not UTF-8.
void take_or_leave(RawColumn column, RawTable& table, LeftOut& left_out);

}  // namespace nw::io
