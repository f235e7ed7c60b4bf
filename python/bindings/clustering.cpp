// Clusters by the methods that need no LibTorch.
#include "nw/app/clustering/cluster.hpp"

#include "bindings/arrays.hpp"
#include "bindings/fields.hpp"
#include "bindings/parts.hpp"
#include "bindings/watch.hpp"

namespace nw::python {
namespace {

using namespace py::literals;

/// Python holds the model by value: pybind11 knows no pointers to constants.
struct FoundClusters {
  std::shared_ptr<const app::ClusterModel> model;
};

py::tuple assign(const FoundClusters& clusters, const Points& rows, int threads,
                 const std::string& /*device*/) {
  const MatrixView view = view_points(rows);
  auto found = [&] {
    const py::gil_scoped_release unlocked;
    return clusters.model->assign(view, {.threads = threads});
  }();
  return py::make_tuple(to_array(std::move(found.cluster)), to_array(found.membership));
}

/// Ctrl-C and errors of the callback stop the work in order and are handed over with what was found
/// until then.
py::dict find_clusters(const Points& x, const py::dict& given, const py::object& progress) {
  const auto options = options_from<app::ClusteringOptions>(given);
  const io::PointSet points = point_set(x, "x");
  Watch watch(progress);
  auto [result, record, finished_before] = [&] {
    const py::gil_scoped_release unlocked;
    return app::cluster_without_learning(points, options, observe(watch));
  }();
  py::object model = py::none();
  if (result.model) model = py::cast(FoundClusters{result.model});
  return py::dict("model"_a = model, "pi"_a = to_array(std::move(result.pi)),
                  "labels"_a = to_array(std::move(result.assignment)),
                  "confidence"_a = to_array(std::move(result.confidence)),
                  "record"_a = record::to_json(record, -1), "caught"_a = watch.caught());
}

}  // namespace

void add_clustering(py::module_& module) {
  py::class_<FoundClusters>(module, "Clusters", py::module_local())
      .def("assign", &assign, py::arg("rows").noconvert(), py::arg("threads"), py::arg("device"))
      .def(py::pickle(
          [](const FoundClusters& clusters) { return py::bytes(clusters.model->to_bytes()); },
          [](const py::bytes& bytes) {
            return FoundClusters{app::cluster_model_from_bytes(bytes)};
          }));
  module.def("cluster", &find_clusters, py::arg("x").noconvert(), py::arg("options"),
             py::arg("progress"));
}

}  // namespace nw::python
