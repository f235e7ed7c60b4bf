// How the rows of one table were told apart by the values of a column.
#pragma once

#include <string>
#include <vector>

#include "nw/table/options.hpp"

namespace nw::table {

/// One value or range of a column.
struct ValueChoice {
  enum class By { text, word, range };
  By by = By::text;
  std::string text = {};          ///< as it is written; of words, in lower case
  double begin = 0.0, end = 0.0;  ///< of ranges: from `begin` to before `end`
};

/// Rows with one of `from` are X, those with one of `to` are Y; an empty list stands for all that
/// the other one leaves. Rows without a value are neither.
struct RowSplit {
  std::string column = {};
  Kind kind = Kind::categorical;  ///< what the column was taken for
  std::vector<ValueChoice> from = {}, to = {};
  std::string x_name = {}, y_name = {};  ///< "island = Biscoe"
};

}  // namespace nw::table
