#include "nw/ot/wasserstein.hpp"

#include "bindings/arrays.hpp"
#include "bindings/fields.hpp"
#include "bindings/parts.hpp"
#include "bindings/watch.hpp"

namespace nw::python {
namespace {

/// The plan as three arrays of equal length.
py::object plan_of(const ot::TransportResult& transport) {
  if (transport.plan.empty()) return py::none();
  std::vector<std::int64_t> source, target;
  std::vector<double> mass;
  for (const ot::Flow& flow : transport.plan) {
    source.push_back(flow.source);
    target.push_back(flow.target);
    mass.push_back(flow.mass);
  }
  return py::make_tuple(to_array(std::move(source)), to_array(std::move(target)),
                        to_array(std::move(mass)));
}

py::object potentials_of(ot::TransportResult& transport) {
  if (transport.source_potential.empty()) return py::none();
  return py::make_tuple(to_array(std::move(transport.source_potential)),
                        to_array(std::move(transport.target_potential)));
}

py::dict wasserstein(const Points& x, const Points& y, const std::optional<Points>& weights_x,
                     const std::optional<Points>& weights_y, const py::dict& given) {
  auto options = options_from<ot::WassersteinOptions>(given);
  Watch watch{py::none()};
  options.exact.observer = [&](const ot::ExactProgress& now) {
    return watch.go_on("exact", static_cast<double>(now.level) / now.levels);
  };
  options.sinkhorn.observer = [&](const ot::SinkhornProgress&) {
    return watch.go_on("sinkhorn", 0.0);
  };
  auto result = run_unlocked(watch, [&] {
    return ot::wasserstein(view_weighted(x, weights_x), view_weighted(y, weights_y), options);
  });
  using namespace py::literals;
  return py::dict(
      "distance"_a = result.distance, "p"_a = options.p, "method"_a = to_string(result.method),
      "reason"_a = result.reason, "primal"_a = result.primal, "dual"_a = result.dual,
      "gap"_a = result.gap(), "converged"_a = result.converged, "exact"_a = result.exact,
      "marginal_error"_a = result.marginal_error, "standard_error"_a = result.standard_error,
      "seconds"_a = result.seconds, "plan"_a = plan_of(result.transport),
      "potentials"_a = potentials_of(result.transport));
}

}  // namespace

void add_transport(py::module_& module) {
  module.def("wasserstein", &wasserstein, py::arg("x").noconvert(), py::arg("y").noconvert(),
             py::arg("weights_x"), py::arg("weights_y"), py::arg("options"));
  module.def("wasserstein_defaults", &defaults_of<ot::WassersteinOptions>);
}

}  // namespace nw::python
