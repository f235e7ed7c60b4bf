// Options by name: an options struct's own list of fields gives Python its keywords and defaults.
#pragma once

#include <set>
#include <string>
#include <type_traits>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "nw/base/error.hpp"
#include "nw/base/option_field.hpp"

namespace nw::python {

namespace py = pybind11;

template <typename T>
void assign_option(const OptionField& field, T& value, const py::handle& given) {
  if constexpr (std::is_enum_v<T>) {
    value = parse_choice<T>(py::str(given), field.name);
  } else if constexpr (requires { value.has_value(); }) {
    if (given.is_none()) {
      value.reset();
    } else {
      assign_option(field, value.emplace(), given);
    }
  } else {
    try {
      value = given.cast<T>();
    } catch (const py::cast_error&) {
      throw InvalidArgument(concat(field.name, " cannot be ", std::string(py::repr(given))));
    }
  }
}

/// What Python calls the value of a field: a choice by its name, nothing as None.
template <typename T>
py::object to_python(const T& value) {
  if constexpr (std::is_enum_v<T>) {
    return py::str(choice_name(value));
  } else if constexpr (requires { value.has_value(); }) {
    return value ? to_python(*value) : py::none();
  } else {
    return py::cast(value);
  }
}

/// {name: default} of an options struct.
template <typename Options>
py::dict defaults_of() {
  py::dict found;
  Options{}.for_each_field(
      [&](const OptionField& field, const auto& value) { found[field.name] = to_python(value); });
  return found;
}

/// Options with the fields that `given` names. Throws InvalidArgument for a name or a value that
/// cannot be.
template <typename Options>
Options options_from(const py::dict& given) {
  Options options;
  std::set<std::string> unknown;
  for (const auto& item : given) unknown.insert(py::str(item.first));
  options.for_each_field([&](const OptionField& field, auto& value) {
    if (unknown.erase(field.name) > 0) assign_option(field, value, given[field.name]);
  });
  require(unknown.empty(), "there is no option ", unknown.empty() ? "" : *unknown.begin());
  options.validate();
  return options;
}

}  // namespace nw::python
