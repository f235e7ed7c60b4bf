// What the applications that learn share on their way from and to Python.
#pragma once

#include <string>

#include "nw/base/progress.hpp"
#include "nw/io/points.hpp"

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

/// A copy of the rows: applications own their points.
[[nodiscard]] inline io::PointSet point_set(const Points& array, const char* name) {
  const MatrixView view = view_points(array);
  io::PointSet points;
  points.values = Matrix({array.data(), array.data() + array.size()}, view.rows(), view.cols());
  points.source = name;
  return points;
}

[[nodiscard]] inline ProgressObserver observe(Watch& watch) {
  return [&watch](const Progress& now) { return watch.go_on(now.stage.c_str(), now.share); };
}

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
void add_generation(py::module_& module);

}  // namespace nw::python
