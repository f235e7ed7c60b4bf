// Options by name: the fields' own defaults become those of the Python functions.
#pragma once

#include <string>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "nw/base/error.hpp"
#include "nw/measure/choose_k.hpp"
#include "nw/measure/compare.hpp"
#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/ot/wasserstein.hpp"

namespace nw::python {

namespace py = pybind11;

template <typename Visit>
void for_each_field(ot::WassersteinOptions& options, Visit&& visit) {
  visit("p", options.p);
  visit("method", options.method);
  visit("time_limit", options.time_limit);
  visit("seed", options.seed);
  visit("threads", options.threads);
  visit("epsilon", options.sinkhorn.epsilon);
}

template <typename Visit>
void for_each_field(measure::NwOptions& options, Visit&& visit) {
  visit("p", options.order);
  visit("shape", options.shape);
  visit("restarts", options.restarts);
  visit("max_points", options.max_points);
  visit("max_dim", options.max_dim);
  visit("threads", options.threads);
}

template <typename Visit>
void for_each_field(measure::ChooseKOptions& options, Visit&& visit) {
  visit("min_k", options.min_k);
  visit("max_k", options.max_k);
  visit("beyond_floor", options.beyond_floor);
  for_each_field(options.nw, visit);
}

template <typename Visit>
void for_each_field(measure::CompareOptions& options, Visit&& visit) {
  visit("k", options.components);
  visit("max_k", options.max_k);
  visit("resamplings", options.resamplings);
  visit("alpha", options.alpha);
  visit("alpha_components", options.alpha_components);
  visit("confidence", options.confidence);
  visit("min_effect", options.min_effect.share);
  visit("min_move", options.min_effect.deviations);
  for_each_field(options.nw, visit);
}

inline py::object to_python(const ot::WassersteinMethod& method) {
  return py::str(to_string(method));
}
inline py::object to_python(const measure::Shape& shape) {
  return py::str(to_string(shape));
}
template <typename T>
py::object to_python(const T& value) {
  return py::cast(value);
}

template <typename T>
void assign(const char* name, T& field, const py::handle& value) {
  try {
    field = value.cast<T>();
  } catch (const py::cast_error&) {
    throw InvalidArgument(concat(name, " cannot be ", py::repr(value).cast<std::string>()));
  }
}
inline void assign(const char*, ot::WassersteinMethod& field, const py::handle& value) {
  field = ot::wasserstein_method_from_string(py::str(value));
}
inline void assign(const char* name, measure::Shape& field, const py::handle& value) {
  const std::string text = py::str(value);
  for (const auto shape :
       {measure::Shape::full, measure::Shape::diagonal, measure::Shape::spherical}) {
    if (text != to_string(shape)) continue;
    field = shape;
    return;
  }
  throw InvalidArgument(concat(name, " must be full, diagonal or spherical, got ", text));
}

/// {name: default} of an options struct.
template <typename Options>
py::dict defaults_of() {
  py::dict found;
  Options options;
  for_each_field(options, [&](const char* name, auto& field) { found[name] = to_python(field); });
  return found;
}

/// Options with the fields that `given` names. Throws InvalidArgument for a value of a wrong kind.
template <typename Options>
Options options_from(const py::dict& given) {
  Options options;
  for_each_field(options, [&](const char* name, auto& field) {
    if (given.contains(name)) assign(name, field, given[name]);
  });
  return options;
}

}  // namespace nw::python
