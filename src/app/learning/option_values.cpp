#include "app/learning/option_values.hpp"

#include <charconv>
#include <sstream>

#include "nw/base/error.hpp"

namespace nw::app {

double number_setting(const std::string& name, const std::string& text) {
  double value = 0.0;
  const char *first = text.data(), *last = text.data() + text.size();
  const auto [end, error] = std::from_chars(first, last, value);
  require(error == std::errc() && end == last && first != last, "setting ", name, "=", text,
          ": expected a number");
  return value;
}

std::int64_t whole_setting(const std::string& name, const std::string& text) {
  const double value = number_setting(name, text);
  const auto result = static_cast<std::int64_t>(value);
  require(static_cast<double>(result) == value, "setting ", name, " needs a whole number, got ",
          text);
  return result;
}

std::vector<std::int64_t> widths_setting(const std::string& name, const std::string& text) {
  std::vector<std::int64_t> result;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, 'x');) {
    result.push_back(whole_setting(name, part));
  }
  require(!result.empty() && !text.ends_with('x'), "setting ", name, "=", text,
          ": expected widths such as 256x100");
  return result;
}

}  // namespace nw::app
