// Ctrl-C and progress callbacks while the library works without the interpreter's lock.
#pragma once

#include <pybind11/pybind11.h>

#include "nw/base/progress.hpp"
#include "nw/base/stopwatch.hpp"

namespace nw::python {

namespace py = pybind11;

/// Asked now and then by long work: may it go on? Calls the user's callback and looks for signals a
/// few times per second. REQUIRES: created with the interpreter's lock, asked without it.
class Watch {
 public:
  explicit Watch(py::object progress) : progress_(std::move(progress)) {}

  bool go_on(const char* stage, double fraction) {
    if (failed_) return false;
    if (clock_.seconds() < next_) return true;
    next_ = clock_.seconds() + kInterval;
    const py::gil_scoped_acquire lock;
    if (!progress_.is_none()) {
      PyObject* const answer = PyObject_CallFunction(progress_.ptr(), "sd", stage, fraction);
      failed_ = answer == nullptr;
      Py_XDECREF(answer);
    }
    failed_ = failed_ || PyErr_CheckSignals() != 0;
    return !failed_;
  }

  /// What a signal handler or the callback raised, as an object; None otherwise. Call it with the
  /// lock, after the work, instead of rethrow().
  [[nodiscard]] py::object caught() const {
    if (!failed_) return py::none();
    const py::error_already_set error;
    return error.value();
  }

  /// Raises what a signal handler or the callback raised. Call it with the lock, after the work.
  void rethrow() const {
    if (failed_) throw py::error_already_set();
  }

 private:
  static constexpr double kInterval = 0.05;  // seconds
  py::object progress_;
  Stopwatch clock_;
  double next_ = 0.0;
  bool failed_ = false;
};

/// The watch as an application asks it; it must outlive the work.
[[nodiscard]] inline ProgressObserver observe(Watch& watch) {
  return [&watch](const Progress& now) { return watch.go_on(now.stage.c_str(), now.share); };
}

/// Runs `work` without the interpreter's lock, then raises what `watch` caught.
template <typename Work>
auto run_unlocked(Watch& watch, Work&& work) {
  auto result = [&] {
    const py::gil_scoped_release unlocked;
    return work();
  }();
  watch.rethrow();
  return result;
}

}  // namespace nw::python
