// Shared by the tests of table formats: tables from bytes, columns by name, archives.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "nw/io/load_input.hpp"

#include "io/io_test_support.hpp"
#include "io/zip.hpp"

namespace nw::io::test {

inline RawTable table_of(std::string_view bytes, std::string_view name,
                         const LoadOptions& options = {}) {
  return parse_input(std::as_bytes(std::span(bytes)), name, options).table.value();
}

inline std::string table_error(std::string_view bytes, std::string_view name,
                               const LoadOptions& options = {}) {
  return io_error([&] { static_cast<void>(table_of(bytes, name, options)); });
}

inline const RawColumn& column(const RawTable& table, std::string_view name) {
  for (const RawColumn& column : table.columns) {
    if (column.name == name) return column;
  }
  throw std::runtime_error("no column " + std::string(name));
}

/// Cells of a text column; missing ones as "<missing>".
inline std::vector<std::string> texts(const RawColumn& column) {
  EXPECT_EQ(column.kind, CellKind::text) << column.name;
  std::vector<std::string> cells;
  for (const std::uint32_t code : column.codes) {
    cells.push_back(code == RawColumn::kMissing ? "<missing>" : column.levels.at(code));
  }
  return cells;
}

/// The content of a ZIP file.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files,
                          bool compressed = true) {
  const TemporaryFolder folder;
  const auto path = folder.file("archive.zip");
  write_file_atomically(path, [&](FileSink& sink) {
    ZipWriter zip(sink);
    for (const auto& [name, content] : files) zip.add(name, {content}, compressed);
    zip.finish();
  });
  return content_of_file(path);
}

/// What every table keeps: each column has one cell for each row, codes have levels, levels differ,
/// and `missing` counts what is missing.
void expect_consistent(const RawTable& table);

}  // namespace nw::io::test
