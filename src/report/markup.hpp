// Text that is safe inside HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace nw::report {

/// `text` as character data or quoted attribute: markup becomes entities, control characters that
/// XML forbids become U+FFFD.
[[nodiscard]] std::string escape_markup(std::string_view text);

/// Markup in which numbers stay on one line with their percent signs and marks such as ≈, and dates
/// are not broken. Not for attributes.
[[nodiscard]] std::string unbroken(std::string markup);

/// JSON text as the content of a <script> element: '<', '>' and '&' become JSON escapes, so that
/// nothing inside can end the element or open a comment.
[[nodiscard]] std::string escape_json_for_script(std::string_view json);

/// `value` with at most `digits` significant digits, the shortest way; "–" when it is not finite.
[[nodiscard]] std::string format_number(double value, int digits = 4);

/// `value` with `decimals` digits after the point; "–" when it is not finite.
[[nodiscard]] std::string fixed(double value, int decimals);

}  // namespace nw::report
