#include "nw/base/number_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>
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

std::string amount(double value, int digits) {
  constexpr double kMillion = 1e6, kBillion = 1e9, kTrillion = 1e12, kAllDigits = 1e5;
  const double size = std::abs(value);
  if (!(size >= kAllDigits) || size >= kTrillion) return significant(value, digits);
  const double step = std::pow(10.0, std::floor(std::log10(size)) - digits + 1);
  const double rounded = step > 1.0 ? std::round(value / step) * step : value;
  if (std::abs(rounded) >= kBillion) return significant(rounded / kBillion, digits) + " billion";
  if (std::abs(rounded) >= kMillion) return significant(rounded / kMillion, digits) + " million";
  return significant(rounded, 9);
}

std::string date_text(double seconds) {
  const double day = std::floor(seconds / 86400.0);
  if (!std::isfinite(day) || std::abs(day) > 3e6) return "?";
  // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": the civil date of a day.
  const long z = static_cast<long>(day) + 719468;
  const long era = (z >= 0 ? z : z - 146096) / 146097;
  const auto doe = static_cast<unsigned>(z - era * 146097);
  const unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const unsigned mp = (5 * doy + 2) / 153;
  const unsigned d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9;
  const long y = static_cast<long>(yoe) + era * 400 + (m <= 2 ? 1 : 0);
  const auto rest = static_cast<int>(seconds - day * 86400.0);
  std::array<char, 48> text{};
  if (rest < 30) {
    std::snprintf(text.data(), text.size(), "%04ld-%02u-%02u", y, m, d);
  } else {
    std::snprintf(text.data(), text.size(), "%04ld-%02u-%02u %02d:%02d", y, m, d, rest / 3600,
                  rest / 60 % 60);
  }
  return text.data();
}

std::string percentages(const std::vector<double>& shares) {
  std::string text;
  for (const double share : shares) text += (text.empty() ? "" : ", ") + percent(share);
  return text;
}

}  // namespace nw
