#include "report/markup.hpp"

#include <cmath>
#include <cstdio>

namespace nw::report {
namespace {

std::string with_minus_sign(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "−");
  return text;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        const bool forbidden = byte < 0x20 && c != '\n' && c != '\t' && c != '\r';
        out += forbidden ? "\xef\xbf\xbd" : std::string(1, c);
      }
    }
  }
  return out;
}

std::string unbroken(std::string markup) {
  const auto replace = [&](const std::string& text, const std::string& by) {
    for (std::size_t at = 0; (at = markup.find(text, at)) != std::string::npos; at += by.size()) {
      markup.replace(at, text.size(), by);
    }
  };
  replace(" %", "\u00A0%");
  replace(" ≈ ", "\u00A0≈\u00A0");
  // Browsers break lines behind the hyphens of a date; a word joiner forbids that.
  const auto is_date = [&](std::size_t at) {
    const std::string_view shape = "dddd-dd-dd";
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (at + i >= markup.size()) return false;
      const char c = markup[at + i];
      if (shape[i] == '-' ? c != '-' : c < '0' || c > '9') return false;
    }
    return true;
  };
  const std::string joiner = "\u2060";
  for (std::size_t at = 0; at < markup.size(); ++at) {
    if (!is_date(at)) continue;
    markup.insert(at + 8, joiner).insert(at + 5, joiner);
    at += 10;
  }
  return markup;
}

std::string escape_json_for_script(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        out += "\\u003c";
        break;
      case '>':
        out += "\\u003e";
        break;
      case '&':
        out += "\\u0026";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) return "–";
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return with_minus_sign(text);
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  if (std::abs(value) >= 1e15) return format_number(value);
  char text[40];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  const bool is_zero = std::string_view(text).find_first_of("123456789") == std::string_view::npos;
  return is_zero && text[0] == '-' ? text + 1 : with_minus_sign(text);
}

}  // namespace nw::report
