// nw._nw: the library as plain functions of arrays and dictionaries. python/nw/ makes it pleasant.
#include <pybind11/pybind11.h>

#include "nw/base/error.hpp"
#include "nw/base/version.hpp"

#include "bindings/parts.hpp"

PYBIND11_MODULE(_nw, module) {
  namespace py = pybind11;
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const nw::IoError& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    } catch (const nw::Error& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    }
  });
  module.attr("__version__") = nw::version();
  nw::python::add_transport(module);
  nw::python::add_table(module);
  nw::python::add_measure(module);
  nw::python::add_report(module);
}
