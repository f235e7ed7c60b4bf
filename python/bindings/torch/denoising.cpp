#include "nw/app/denoising/denoising.hpp"

#include "bindings/fields.hpp"
#include "bindings/torch/training.hpp"

namespace nw::python {
namespace {

using namespace py::literals;

py::bytes bytes_of(const app::Denoiser& model) {
  const auto bytes = model.to_bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

app::Denoiser denoiser_from(const py::bytes& bytes) {
  const std::string_view text = bytes;
  return app::Denoiser::from_bytes(std::as_bytes(std::span(text)));
}

py::array_t<double> apply(const app::Denoiser& model, const Points& rows) {
  const MatrixView view = view_points(rows);
  return to_array(train_unlocked([&] { return model.denoise(view); }));
}

py::dict denoise(const Points& clean, const Points& noisy, const py::dict& given,
                 const py::object& progress) {
  const auto options = options_from<app::DenoisingOptions>(given);
  const app::DenoisingData data{.source = point_set(clean, "clean"),
                                .target = point_set(noisy, "noisy")};
  Watch watch(progress);
  app::Denoising found =
      train_unlocked([&] { return app::train_denoiser(data, options, observe(watch)); });
  const double removed = found.record.denoising ? found.record.denoising->residual_variance : 0.0;
  py::object model = py::none();
  if (found.model) model = py::cast(std::move(found.model));
  return py::dict("model"_a = model, "denoised"_a = to_array(found.denoised),
                  "removed_variance"_a = removed, "record"_a = record::to_json(found.record, -1),
                  "finished"_a = found.finished, "caught"_a = watch.caught());
}

}  // namespace

void add_denoising(py::module_& module) {
  py::class_<app::Denoiser>(module, "DenoisingModel")
      .def("apply", &apply, py::arg("rows").noconvert())
      .def(py::pickle(&bytes_of, &denoiser_from));
  module.def("denoise", &denoise, py::arg("clean").noconvert(), py::arg("noisy").noconvert(),
             py::arg("options"), py::arg("progress"));
}

}  // namespace nw::python
