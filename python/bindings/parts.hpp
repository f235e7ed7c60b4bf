// The parts of the extension module, one file each.
#pragma once

#include <pybind11/pybind11.h>

namespace nw::python {

void add_transport(pybind11::module_& module);
void add_label_shift(pybind11::module_& module);
void add_measure(pybind11::module_& module);
void add_report(pybind11::module_& module);
void add_table(pybind11::module_& module);
void add_clustering(pybind11::module_& module);
void add_learning(pybind11::module_& module);

}  // namespace nw::python
