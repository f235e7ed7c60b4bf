// Private: enumerators and the names that commands and files use for them.
#pragma once

#include <cstddef>
#include <string>

#include "nw/base/error.hpp"

namespace nw::nn {

template <typename Enum>
struct NamedValue {
  const char* name;
  Enum value;
};

template <typename Enum, std::size_t N>
const char* name_of(const NamedValue<Enum> (&table)[N], Enum value) {
  for (const auto& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "unknown";
}

/// Throws InvalidArgument naming the choices; `what` says what is being named.
template <typename Enum, std::size_t N>
Enum value_of(const NamedValue<Enum> (&table)[N], const std::string& name, const char* what) {
  std::string choices;
  for (const auto& entry : table) {
    if (name == entry.name) return entry.value;
    choices += (choices.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw InvalidArgument(concat("'", name, "' is no ", what, "; choices are ", choices));
}

}  // namespace nw::nn
