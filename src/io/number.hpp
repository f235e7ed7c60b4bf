// Private: decimal text to double.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <system_error>

#include <locale.h>

namespace nw::io {

enum class NumberStatus { ok, not_a_number, not_finite, too_large };

struct ParsedNumber {
  double value;
  const char* end;  ///< behind the last character that belongs to the number
  NumberStatus status;
};

namespace detail {

/// std::from_chars reports underflow and overflow alike and leaves no value; strtod tells them
/// apart.
inline ParsedNumber parse_extreme_number(const char* begin, const char* end) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  const double value = strtod_l(std::string(begin, end).c_str(), nullptr, c_locale);
  return {value, end, std::isfinite(value) ? NumberStatus::ok : NumberStatus::too_large};
}

}  // namespace detail

/// The longest decimal number at `begin`, with an optional plus sign. Never looks at the locale.
inline ParsedNumber parse_number(const char* begin, const char* end) {
  const char* digits = begin;
  if (end - begin > 1 && *begin == '+' && begin[1] != '-') ++digits;
  double value = 0.0;
  const auto [stop, error] = std::from_chars(digits, end, value);
  if (error == std::errc::result_out_of_range) return detail::parse_extreme_number(digits, stop);
  if (error != std::errc{}) return {0.0, begin, NumberStatus::not_a_number};
  if (!std::isfinite(value)) return {value, stop, NumberStatus::not_finite};
  return {value, stop, NumberStatus::ok};
}

}  // namespace nw::io
