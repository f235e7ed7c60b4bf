// A file that is either a table, whose columns still need a meaning, or points right away.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>

#include "nw/io/points.hpp"
#include "nw/io/raw_table.hpp"

namespace nw::io {

/// One of the two is there: `table` for formats with columns (CSV and the like), `points` for
/// arrays and images, which are numbers of one kind.
struct LoadedInput {
  std::optional<RawTable> table;
  std::optional<PointSet> points;
};

/// Reads a file or folder once, so that pipes work too. For a table it uses only what the options
/// say about the format; callers decide which columns to take.
[[nodiscard]] LoadedInput load_input(const std::filesystem::path& path,
                                     const LoadOptions& options = {});

/// A table that is read from start to end, for files of more rows than memory holds.
class TableBlocks {
 public:
  virtual ~TableBlocks() = default;
  TableBlocks() = default;
  TableBlocks(const TableBlocks&) = delete;
  TableBlocks& operator=(const TableBlocks&) = delete;

  /// The next rows: all that are left, or a little more than `cells` cells of them. Nothing at the
  /// end. A column may be one of numbers in one block and of text in the next.
  [[nodiscard]] virtual std::optional<RawTable> next(std::size_t cells) = 0;
};

/// As LoadedInput, the table not yet read.
struct OpenedInput {
  std::unique_ptr<TableBlocks> table;
  std::optional<PointSet> points;
};

/// Text is read in blocks of any size and Parquet by its row groups; other tables come whole.
[[nodiscard]] OpenedInput open_input(const std::filesystem::path& path,
                                     const LoadOptions& options = {});

/// As load_input for a file in memory. `name` stands for the file in messages.
[[nodiscard]] LoadedInput parse_input(std::span<const std::byte> bytes, std::string_view name,
                                      const LoadOptions& options = {});

}  // namespace nw::io
