#include "nw/base/number_text.hpp"

#include <cmath>
#include <sstream>

namespace nw {

std::string significant(double value, int digits) {
  if (value == 0.0) return "0";
  std::ostringstream text;
  // Integers of moderate size keep all their digits: 1234.5 with three digits is 1234, not 1.23e3.
  // Rounding counts: 99.96 with three digits is 100, not 1e+02.
  const double step = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
  const double magnitude = std::floor(std::log10(std::round(std::abs(value) / step) * step) + 1e-9);
  if (magnitude >= digits && magnitude < 9) {
    text.precision(0);
    text << std::fixed << value;
  } else {
    text.precision(digits);
    text << value;
  }
  return text.str();
}

std::string percent(double share, int digits) {
  constexpr double kSmallest = 0.001;
  if (!std::isfinite(share)) return "–";
  if (share > 0.0 && share < kSmallest) return "< 0.1 %";
  return significant(100.0 * share, digits) + " %";
}

std::string percentages(const std::vector<double>& shares) {
  std::string text;
  for (const double share : shares) text += (text.empty() ? "" : ", ") + percent(share);
  return text;
}

}  // namespace nw
