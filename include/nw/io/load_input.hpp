// A file that is either a table, whose columns still need a meaning, or points right away.
#pragma once

#include <filesystem>
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

/// Reads a file or folder once, so that pipes work too. Of a table it heeds only what the options
/// say about the format; which columns are taken is for others to decide.
[[nodiscard]] LoadedInput load_input(const std::filesystem::path& path,
                                     const LoadOptions& options = {});

/// The same for a table in memory. `name` stands for the file in messages.
[[nodiscard]] LoadedInput parse_input(std::span<const std::byte> bytes, std::string_view name,
                                      const LoadOptions& options = {});

}  // namespace nw::io
