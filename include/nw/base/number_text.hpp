// Numbers as people read them.
#pragma once

#include <string>
#include <vector>

namespace nw {

/// A number with this many significant digits, in plain notation where that is short.
[[nodiscard]] std::string significant(double value, int digits = 4);

/// A share as a percentage with this many significant digits: "12.3 %"; "< 0.1 %" for anything
/// smaller but not zero.
[[nodiscard]] std::string percent(double share, int digits = 3);

/// An amount with about this many significant digits: "2427", "139000", "9.94 million".
[[nodiscard]] std::string amount(double value, int digits = 3);

/// Seconds since 1970-01-01 00:00 UTC as 2024-01-31, with the time of the day unless that is
/// midnight.
[[nodiscard]] std::string date_text(double seconds);

/// Several shares: "80.8 %, 19.2 %".
[[nodiscard]] std::string percentages(const std::vector<double>& shares);

}  // namespace nw
