#include "nw/app/generation/train_generator.hpp"

#include "bindings/fields.hpp"
#include "bindings/torch/training.hpp"

namespace nw::python {
namespace {

using namespace py::literals;

/// Python holds the model by value: pybind11 knows no pointers to constants.
struct Generator {
  std::shared_ptr<const app::GenerationModel> model;
};

py::tuple sample(const Generator& generator, std::int64_t count, std::uint64_t seed) {
  auto drawn = train_unlocked([&] { return generator.model->sample(count, {.seed = seed}); });
  return py::make_tuple(to_array(drawn.rows), to_array(std::move(drawn.component_of)));
}

py::dict generate(const Points& x, const py::dict& given, const py::object& progress) {
  const auto options = options_from<app::GenerationOptions>(given);
  const io::PointSet points = point_set(x, "x");
  Watch watch(progress);
  app::Generation found =
      train_unlocked([&] { return app::train_generator({.x = points}, options, observe(watch)); });
  std::vector<double> pi;
  if (!found.result.pi.empty()) pi = std::move(found.result.pi.front());
  py::object model = py::none();
  if (found.result.model) model = py::cast(Generator{found.result.model});
  return py::dict("model"_a = model, "pi"_a = to_array(std::move(pi)),
                  "wasserstein"_a = found.result.total_distance(), "steps"_a = found.result.steps,
                  "record"_a = record::to_json(found.record, -1), "caught"_a = watch.caught());
}

}  // namespace

void add_generation(py::module_& module) {
  py::class_<Generator>(module, "Generator")
      .def("sample", &sample, py::arg("count"), py::arg("seed"))
      .def(py::pickle(
          [](const Generator& generator) { return py::bytes(generator.model->to_bytes()); },
          [](const py::bytes& bytes) {
            return Generator{app::generation_model_from_bytes(bytes)};
          }));
  module.def("generate", &generate, py::arg("x").noconvert(), py::arg("options"),
             py::arg("progress"));
}

}  // namespace nw::python
