// Shared by the tests of table/: tables written as CSV.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "nw/io/load_input.hpp"
#include "nw/table/read_inputs.hpp"

#include "io/io_test_support.hpp"

namespace nw::table::test {

inline io::RawTable csv(std::string_view text, std::string_view name = "data.csv") {
  return io::parse_input(std::as_bytes(std::span(text)), name).table.value();
}

inline Inputs encode(std::string_view x, std::string_view y, const TableOptions& options = {}) {
  const io::RawTable first = csv(x, "x.csv"), second = csv(y, "y.csv");
  return encode_tables(first, &second, options);
}

inline Inputs encode(std::string_view x, const TableOptions& options = {}) {
  return encode_tables(csv(x, "x.csv"), nullptr, options);
}

inline const ColumnReport& column(const Inputs& inputs, std::string_view name) {
  for (const ColumnReport& report : inputs.description.columns) {
    if (report.name == name) return report;
  }
  throw std::runtime_error("no column " + std::string(name));
}

}  // namespace nw::table::test
