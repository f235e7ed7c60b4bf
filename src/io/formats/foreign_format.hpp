// Private: files that nw recognises but does not read, and what to do with them.
#pragma once

#include <optional>
#include <string_view>

namespace nw::io {

struct ForeignFormat {
  std::string_view what;    ///< "an Excel workbook from before 2007"
  std::string_view remedy;  ///< "save it as CSV or XLSX"
};

/// Looks at the first bytes (a few hundred tell most) and at the suffix of `plain_name` where a
/// format has no mark of its own.
[[nodiscard]] std::optional<ForeignFormat> foreign_format(std::string_view first_bytes,
                                                          std::string_view plain_name);

/// Throws IoError "<file>: this is <what>; <remedy>" for a foreign format, otherwise returns.
void refuse_foreign(std::string_view first_bytes, std::string_view file);

/// Whether `path` is an address on the web rather than a file.
[[nodiscard]] bool is_web_address(std::string_view path);

}  // namespace nw::io
