#include "io/formats/left_out.hpp"

#include <algorithm>
#include <utility>

#include "io/failure.hpp"
#include "io/formats/utf8.hpp"

namespace nw::io {
namespace {

void note(RawTable& table, const std::vector<std::string>& names, const char* why) {
  if (names.empty()) return;
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  table.notes.push_back(concat("left out, ", why, ": ", list));
}

}  // namespace

void LeftOut::note_in(RawTable& table) const {
  note(table, nested, "not single values");
  note(table, unknown, "of a type nw does not read");
  note(table, binary, "bytes that are not text");
  if (!table.columns.empty()) return;
  fail(table.source, "has no column that nw reads",
       table.notes.empty() ? "" : "; " + table.notes.front());
}

void take_or_leave(RawColumn column, RawTable& table, LeftOut& left_out) {
  const auto binary = [](const std::string& level) { return !is_utf8(level); };
  if (std::ranges::any_of(column.levels, binary)) {
    left_out.binary.push_back(std::move(column.name));
  } else {
    table.columns.push_back(std::move(column));
  }
}

}  // namespace nw::io
