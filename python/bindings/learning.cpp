// What the estimators that learn need before they learn: defaults, and the method that suits the
// rows. Needs no LibTorch, so that importing nw does not load it.
#include "nw/app/adaptation/adaptation.hpp"
#include "nw/app/clustering/find_clusters.hpp"
#include "nw/app/denoising/denoising.hpp"
#include "nw/app/generation/options.hpp"

#include "bindings/arrays.hpp"
#include "bindings/fields.hpp"
#include "bindings/parts.hpp"

namespace nw::python {
namespace {

/// The method of these options for rows like `x`: their own, or the one that `auto` stands for
/// where whatever learns is at hand.
std::string clustering_method(const Points& x, const py::dict& given) {
  const auto options = options_from<app::ClusteringOptions>(given);
  if (options.method != app::ClusterMethod::automatic) return choice_name(options.method);
  return choice_name(app::choose_method(point_set(x, "x"), options, /*can_learn=*/true));
}

template <typename Enum>
std::vector<std::string> names_of() {
  std::vector<std::string> names;
  for (const auto& choice : choices(Enum{})) names.emplace_back(choice.name);
  return names;
}

/// Of every estimator that learns: what its parameter `method` may be.
py::dict method_names() {
  using namespace py::literals;
  return py::dict("MixtureGAN"_a = names_of<gan::GanMethod>(),
                  "Adapter"_a = names_of<adapt::AdaptMethod>(),
                  "MixtureClustering"_a = names_of<app::ClusterMethod>(),
                  "Denoiser"_a = names_of<adapt::DenoiseMethod>());
}

}  // namespace

void add_learning(py::module_& module) {
  module.def("generation_defaults", &defaults_of<app::GenerationOptions>);
  module.def("adaptation_defaults", &defaults_of<app::AdaptationOptions>);
  module.def("clustering_defaults", &defaults_of<app::ClusteringOptions>);
  module.def("denoising_defaults", &defaults_of<app::DenoisingOptions>);
  module.def("method_names", &method_names);
  module.def("clustering_method", &clustering_method, py::arg("x").noconvert(), py::arg("options"));
}

}  // namespace nw::python
