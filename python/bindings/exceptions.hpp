// The library's exceptions as Python's: ValueError for misuse, OSError for files.
#pragma once

#include <pybind11/pybind11.h>

#include "nw/base/error.hpp"

namespace nw::python {

inline void register_exceptions() {
  pybind11::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
}

}  // namespace nw::python
