#include "nw/table/options.hpp"

#include <array>

#include "nw/base/error.hpp"

namespace nw::table {
namespace {

constexpr std::array<std::pair<Kind, const char*>, 8> kKinds = {{{Kind::numeric, "numeric"},
                                                                 {Kind::integer, "integer"},
                                                                 {Kind::boolean, "boolean"},
                                                                 {Kind::categorical, "categorical"},
                                                                 {Kind::datetime, "datetime"},
                                                                 {Kind::identifier, "identifier"},
                                                                 {Kind::text, "text"},
                                                                 {Kind::constant, "constant"}}};

}  // namespace

const char* to_string(Kind kind) {
  for (const auto& [value, name] : kKinds) {
    if (value == kind) return name;
  }
  return "unknown";
}

std::optional<Kind> kind_from(std::string_view text) {
  for (const auto& [value, name] : kKinds) {
    if (text == name) return value;
  }
  return {};
}

const char* to_string(Scale scale) {
  switch (scale) {
    case Scale::none:
      return "none";
    case Scale::std:
      return "std";
    case Scale::robust:
      return "robust";
    case Scale::rank:
      return "rank";
  }
  return "unknown";
}

void TableOptions::validate() const {
  require(by.given() || (by.from.empty() && by.to.empty()),
          "TableOptions.by: from and to need a column");
  require(label_column.empty() || label_column != weight_column,
          "TableOptions: label_column and weight_column are both ", label_column);
  require(count_column.empty() || (count_column != weight_column && count_column != label_column),
          "TableOptions: count_column ", count_column, " is the label or the weight as well");
  for (const auto& [column, kind] : types) {
    require(!column.empty(), "TableOptions.types: a column without a name is ", to_string(kind));
  }
}

}  // namespace nw::table
