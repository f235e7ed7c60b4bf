#include <pybind11/pybind11.h>

#include "nw/record/run_record.hpp"
#include "nw/report/html_report.hpp"

#include "bindings/parts.hpp"

namespace nw::python {

namespace py = pybind11;

void add_report(py::module_& module) {
  module.def("render_fragment", [](const std::string& record) {
    return report::render_fragment(record::from_json(record));
  });
  module.def("write_page", [](const std::string& path, const std::string& record) {
    const record::RunRecord parsed = record::from_json(record);
    report::write_html(path, {&parsed, 1});
  });
}

}  // namespace nw::python
