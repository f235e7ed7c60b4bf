// Options described once. An options struct has one list of its fields,
//   template <typename Visit> void for_each_field(Visit&& visit),
// that calls visit(OptionField{...}, member) for each: validation, the command line, configurations
// and Python's keywords are made from it. A default is written at the member alone.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "nw/base/error.hpp"

namespace nw {

struct OptionField {
  const char* name;       ///< of the member, as configurations and Python call it
  const char* help = "";  ///< one sentence without a full stop
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false;          ///< `low` itself is out of range
  const char* setting = nullptr;  ///< what users call it; null: the name with hyphens, "": nothing
  bool applies = true;            ///< this very struct has a use for it
  bool decides = true;            ///< numbers depend on it: it belongs to a configuration
  bool open_high = false;         ///< `high` itself is out of range
};

// Fields that most options have. Commands have an option of their own for each.
inline constexpr OptionField kSeedField{
    .name = "seed", .help = "Seed of everything random", .setting = ""};
inline constexpr OptionField kThreadsField{.name = "threads",
                                           .help = "Threads; 0 means all cores",
                                           .low = 0,
                                           .setting = "",
                                           .decides = false};
inline constexpr OptionField kDeviceField{
    .name = "device", .help = "Where to compute: auto, cpu or cuda", .setting = ""};

/// What users call a field: its name with hyphens, unless it says otherwise; "" for nothing.
[[nodiscard]] inline std::string setting_name(const OptionField& field) {
  if (field.setting != nullptr) return field.setting;
  std::string name = field.name;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// One name of an enumeration. An enumeration lists its names in a function that argument-dependent
/// lookup finds: constexpr auto choices(Enum) { return std::array{Choice{"name", Enum::name}}; }
template <typename Enum>
struct Choice {
  const char* name;
  Enum value;
};

/// What `choices` calls a value.
template <typename Enum>
[[nodiscard]] constexpr const char* choice_name(Enum value) {
  for (const auto& choice : choices(value)) {
    if (choice.value == value) return choice.name;
  }
  return "unknown";
}

/// Throws InvalidArgument naming the choices when `text` is none of them; `what` starts the
/// message.
template <typename Enum>
[[nodiscard]] Enum parse_choice(const std::string& text, const std::string& what) {
  std::string names;
  for (const auto& choice : choices(Enum{})) {
    if (text == choice.name) return choice.value;
    names += (names.empty() ? "" : "|") + std::string(choice.name);
  }
  throw InvalidArgument(concat(what, ": '", text, "' is not one of ", names));
}

/// Throws InvalidArgument naming `owner`, field, range and value unless a number is in range.
/// Other values and empty optionals pass.
template <typename T>
void require_in_range(const char* owner, const OptionField& field, const T& value) {
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    const auto number = static_cast<double>(value);
    const bool above = field.open_low ? number > field.low : number >= field.low;
    const bool is_bounded = field.high < std::numeric_limits<double>::infinity();
    const bool below = field.open_high ? number < field.high : number <= field.high;
    require(
        above && below, owner, ".", field.name, " must be ",
        field.open_low ? "greater than " : "at least ", field.low,
        is_bounded ? concat(field.open_high ? " and less than " : " and at most ", field.high) : "",
        ", got ", value);
  } else if constexpr (requires { value.has_value(); }) {
    if (value) require_in_range(owner, field, *value);
  }
}

/// Checks the range of every field that applies.
template <typename Options>
void require_fields_in_range(const char* owner, const Options& options) {
  // A list of fields is written for options that may change; this visitor changes nothing.
  const_cast<Options&>(options).for_each_field([&](const OptionField& field, const auto& value) {
    if (field.applies) require_in_range(owner, field, value);
  });
}

}  // namespace nw
