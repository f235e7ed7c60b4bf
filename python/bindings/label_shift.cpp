#include "nw/measure/label_shift.hpp"

#include <pybind11/stl.h>

#include "bindings/arrays.hpp"
#include "bindings/fields.hpp"
#include "bindings/parts.hpp"
#include "bindings/watch.hpp"

namespace nw::python {
namespace {

using namespace py::literals;

py::dict estimate_of(const measure::ShareEstimate& estimate) {
  Matrix bounds(estimate.interval.size(), 2);
  for (std::size_t c = 0; c < estimate.interval.size(); ++c) {
    bounds(c, 0) = estimate.interval[c].low;
    bounds(c, 1) = estimate.interval[c].high;
  }
  return py::dict("share"_a = to_array(std::vector(estimate.share)),
                  "interval"_a = to_array(bounds));
}

py::dict label_shift(const Points& scores_x, const std::vector<std::uint32_t>& class_of_x,
                     const Points& scores_y, const py::dict& given,
                     const std::vector<std::string>& names, std::uint64_t seed) {
  auto options = options_from<measure::LabelShiftOptions>(given);
  options.class_names = names;
  Watch watch{py::none()};
  const auto result = run_unlocked(watch, [&] {
    Rng rng(seed);
    return measure::label_shift({view_points(scores_x), class_of_x, view_points(scores_y)}, options,
                                rng);
  });
  return py::dict(
      "share_x"_a = to_array(std::vector(result.share_x)), "shares"_a = estimate_of(result.shares),
      "likelihood"_a = estimate_of(result.likelihood),
      "confusion"_a = estimate_of(result.confusion), "transport"_a = estimate_of(result.transport),
      "p"_a = result.p, "tenable"_a = result.tenable, "temperature"_a = result.temperature,
      "bias"_a = to_array(std::vector(result.bias)), "corrected"_a = to_array(result.corrected),
      "sentence"_a = result.sentence, "seconds"_a = result.seconds);
}

}  // namespace

void add_label_shift(py::module_& module) {
  module.def("label_shift", &label_shift, py::arg("scores_x").noconvert(), py::arg("class_of_x"),
             py::arg("scores_y").noconvert(), py::arg("options"), py::arg("names"),
             py::arg("seed"));
  module.def("label_shift_defaults", &defaults_of<measure::LabelShiftOptions>);
}

}  // namespace nw::python
