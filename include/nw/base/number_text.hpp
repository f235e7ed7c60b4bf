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

/// Several shares: "80.8 %, 19.2 %".
[[nodiscard]] std::string percentages(const std::vector<double>& shares);

}  // namespace nw
