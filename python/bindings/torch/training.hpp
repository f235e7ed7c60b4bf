// What the applications that learn share on their way from and to Python.
#pragma once

#include "bindings/arrays.hpp"
#include "bindings/watch.hpp"

namespace nw::python {

/// Keeps the number of LibTorch's threads, which the caller's own tensors use too.
class KeepThreads {
 public:
  KeepThreads();
  ~KeepThreads();
  KeepThreads(const KeepThreads&) = delete;
  KeepThreads& operator=(const KeepThreads&) = delete;

 private:
  int threads_;
};

/// Runs `work` without the interpreter's lock. Ctrl-C and errors of the callback stop the work in
/// order: `watch` keeps them, so that what was learnt until then can be handed over with them.
template <typename Work>
auto train_unlocked(Work&& work) {
  const py::gil_scoped_release unlocked;
  const KeepThreads threads;
  return work();
}

void add_adaptation(py::module_& module);
void add_clustering(py::module_& module);
void add_denoising(py::module_& module);
void add_generation(py::module_& module);

}  // namespace nw::python
