// nw._nw: the library as plain functions of arrays and dictionaries. python/nw/ makes it pleasant.
#include <pybind11/pybind11.h>

#include "nw/base/version.hpp"

#include "bindings/exceptions.hpp"
#include "bindings/parts.hpp"

PYBIND11_MODULE(_nw, module) {
  nw::python::register_exceptions();
  module.attr("__version__") = nw::version();
  nw::python::add_transport(module);
  nw::python::add_table(module);
  nw::python::add_measure(module);
  nw::python::add_label_shift(module);
  nw::python::add_report(module);
  nw::python::add_clustering(module);
  nw::python::add_learning(module);
}
