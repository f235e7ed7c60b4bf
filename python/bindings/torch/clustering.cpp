#include "nw/app/clustering/adversarial/cluster_points.hpp"

#include "bindings/fields.hpp"
#include "bindings/torch/training.hpp"

namespace nw::python {
namespace {

using namespace py::literals;
using Model = std::shared_ptr<const app::ClusterModel>;

/// Python holds the model by value: pybind11 knows no pointers to constants.
struct Clusters {
  Model model;
};

py::tuple assign(const Clusters& clusters, const Points& rows, int threads,
                 const std::string& device) {
  const MatrixView view = view_points(rows);
  auto found = train_unlocked(
      [&] { return clusters.model->assign(view, {.threads = threads, .device = device}); });
  return py::make_tuple(to_array(std::move(found.cluster)), to_array(found.membership));
}

py::dict cluster(const Points& x, const py::dict& given, const py::object& progress) {
  const auto options = options_from<app::ClusteringOptions>(given);
  const io::PointSet points = point_set(x, "x");
  Watch watch(progress);
  app::Clustering found =
      train_unlocked([&] { return app::cluster_points(points, options, observe(watch)); });
  py::object model = py::none();
  if (found.result.model) model = py::cast(Clusters{found.result.model});
  return py::dict("model"_a = model, "pi"_a = to_array(std::move(found.result.pi)),
                  "labels"_a = to_array(std::move(found.result.assignment)),
                  "confidence"_a = to_array(std::move(found.result.confidence)),
                  "record"_a = record::to_json(found.record, -1), "caught"_a = watch.caught());
}

}  // namespace

void add_clustering(py::module_& module) {
  py::class_<Clusters>(module, "Clusters")
      .def("assign", &assign, py::arg("rows").noconvert(), py::arg("threads"), py::arg("device"))
      .def(
          py::pickle([](const Clusters& clusters) { return py::bytes(clusters.model->to_bytes()); },
                     [](const py::bytes& bytes) {
                       return Clusters{app::any_cluster_model_from_bytes(bytes)};
                     }));
  module.def("cluster", &cluster, py::arg("x").noconvert(), py::arg("options"),
             py::arg("progress"));
}

}  // namespace nw::python
