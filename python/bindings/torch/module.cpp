// nw._nw_torch: the applications that learn, in the interpreter's own process. Loaded when a model
// is first fitted, for it loads LibTorch.
#include <ATen/Parallel.h>

#include "bindings/exceptions.hpp"
#include "bindings/torch/training.hpp"

namespace nw::python {

KeepThreads::KeepThreads() : threads_(at::get_num_threads()) {}

KeepThreads::~KeepThreads() {
  at::set_num_threads(threads_);
}

}  // namespace nw::python

PYBIND11_MODULE(_nw_torch, module) {
  nw::python::register_exceptions();
  nw::python::add_adaptation(module);
  nw::python::add_clustering(module);
  nw::python::add_denoising(module);
  nw::python::add_generation(module);
}
