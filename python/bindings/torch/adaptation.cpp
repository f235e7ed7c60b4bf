#include "nw/app/adaptation/adaptation.hpp"

#include "bindings/fields.hpp"
#include "bindings/torch/training.hpp"

namespace nw::python {
namespace {

using namespace py::literals;
using Classes = py::array_t<std::int64_t, py::array::c_style>;

py::bytes bytes_of(const app::AdaptedClassifier& model) {
  const auto bytes = model.to_bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

app::AdaptedClassifier classifier_from(const py::bytes& bytes) {
  const std::string_view text = bytes;
  return app::AdaptedClassifier::from_bytes(std::as_bytes(std::span(text)));
}

py::tuple predict(const app::AdaptedClassifier& model, const Points& rows,
                  const std::string& device) {
  const MatrixView view = view_points(rows);
  auto found = train_unlocked([&] { return model.predict(view, device); });
  return py::make_tuple(to_array(std::move(found.predicted)), to_array(found.probability));
}

py::dict adapt(const Points& x, const Classes& labels, const Points& target, const py::dict& given,
               const py::object& progress) {
  const auto options = options_from<app::AdaptationOptions>(given);
  app::AdaptationData data{.source = point_set(x, "x"), .target = point_set(target, "target")};
  data.source.labels.emplace().values.assign(labels.data(), labels.data() + labels.size());
  Watch watch(progress);
  app::Adaptation found = train_unlocked(
      [&] { return app::adapt_classifier(std::move(data), options, observe(watch)); });
  std::vector<double> pi;  // the estimate of the proportions, not the shares of predicted classes
  if (found.record.adaptation) pi = found.record.adaptation->pi_target;
  py::object model = py::none();
  if (found.model) model = py::cast(std::move(found.model));
  return py::dict("model"_a = model, "pi_target"_a = to_array(std::move(pi)),
                  "record"_a = record::to_json(found.record, -1), "finished"_a = found.finished,
                  "caught"_a = watch.caught());
}

}  // namespace

void add_adaptation(py::module_& module) {
  py::class_<app::AdaptedClassifier>(module, "Classifier")
      .def("predict", &predict, py::arg("rows").noconvert(), py::arg("device"))
      .def(py::pickle(&bytes_of, &classifier_from));
  module.def("adapt", &adapt, py::arg("x").noconvert(), py::arg("labels"),
             py::arg("target").noconvert(), py::arg("options"), py::arg("progress"));
}

}  // namespace nw::python
