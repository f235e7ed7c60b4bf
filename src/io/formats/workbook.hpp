// Private: what an Excel workbook says besides the cells of its sheets (ECMA-376, part 1, 18).
#pragma once

#include <string>
#include <vector>

#include "nw/io/points.hpp"

#include "io/byte_source.hpp"
#include "io/zip.hpp"

namespace nw::io {

/// The entries of the archive, read whole.
class WorkbookParts {
 public:
  WorkbookParts(const ByteSource& source, const LoadOptions& options);

  [[nodiscard]] bool has(std::string_view name) const;
  /// Throws IoError where there is no such part, or more than options.max_unpacked_bytes.
  [[nodiscard]] std::string read(std::string_view name) const;
  /// The name of a part for messages.
  [[nodiscard]] std::string called(std::string_view name) const;
  [[nodiscard]] const std::string& file() const noexcept { return source_.name(); }

 private:
  const ByteSource& source_;
  const LoadOptions& options_;
  std::vector<ZipEntry> entries_;
};

struct Workbook {
  std::string sheet_part, sheet_name;  ///< of the first sheet that is not hidden
  std::size_t sheets = 0;
  bool from_1904 = false;  ///< day 0 is 1904-01-01 rather than 1899-12-30
  std::vector<std::string> shared_strings;
  std::vector<bool> date_styles;  ///< by the style of a cell: whether it shows a date
};

[[nodiscard]] Workbook read_workbook(const WorkbookParts& parts);

}  // namespace nw::io
