// Text for people: how wide it may be, its colours, and where lines break.
#pragma once

#include <cstddef>
#include <string>

namespace nw::report {

enum class Ink { plain, bold, faint, green, orange, blue, violet };

/// What shows the text: by default 80 columns without colours.
struct TextStyle {
  std::size_t width = 80;
  bool colour = false;
  bool interactive = false;  ///< false: a pipe or a file, where long lines stay whole

  /// Columns for a line that is not part of a layout.
  [[nodiscard]] std::size_t line_width() const { return interactive ? width : std::string::npos; }

  /// `text` in this ink, or as it is where there are no colours.
  [[nodiscard]] std::string in(Ink ink, const std::string& text) const;
};

/// Columns that UTF-8 text takes: one per code point.
[[nodiscard]] std::size_t columns_of(const std::string& text);

/// `text` broken at blanks into lines of at most `width` columns; all but the first line begin with
/// `indent` blanks. No line break at the end.
[[nodiscard]] std::string wrapped(const std::string& text, std::size_t width,
                                  std::size_t indent = 0);

/// `text` with blanks after or before it up to `width` columns.
[[nodiscard]] std::string to_the_left(const std::string& text, std::size_t width);
[[nodiscard]] std::string to_the_right(const std::string& text, std::size_t width);

}  // namespace nw::report
