// NumPy arrays as views and vectors as NumPy arrays, both without copying.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "nw/base/matrix_view.hpp"
#include "nw/io/points.hpp"
#include "nw/ot/problem.hpp"

namespace nw::python {

namespace py = pybind11;

/// The Python side hands over nothing but C-contiguous float64.
using Points = py::array_t<double, py::array::c_style>;

[[nodiscard]] inline MatrixView view_points(const Points& array) {
  require(array.ndim() == 2, "expected an array of two dimensions, got ", array.ndim());
  const auto rows = static_cast<std::size_t>(array.shape(0));
  const auto cols = static_cast<std::size_t>(array.shape(1));
  return {{array.data(), rows * cols}, rows, cols};
}

[[nodiscard]] inline ot::WeightedPoints view_weighted(const Points& points,
                                                      const std::optional<Points>& weights) {
  ot::WeightedPoints view{.points = view_points(points)};
  if (weights) view.weights = {weights->data(), static_cast<std::size_t>(weights->size())};
  return view;
}

/// A copy of the rows: applications own their points.
[[nodiscard]] inline io::PointSet point_set(const Points& array, const char* name) {
  const MatrixView view = view_points(array);
  io::PointSet points;
  points.values = Matrix({array.data(), array.data() + array.size()}, view.rows(), view.cols());
  points.source = name;
  return points;
}

/// The array takes the vector over.
template <typename T>
[[nodiscard]] py::array_t<T> to_array(std::vector<T> values) {
  auto* const owned = new std::vector<T>(std::move(values));
  const py::capsule owner(owned,
                          [](void* pointer) { delete static_cast<std::vector<T>*>(pointer); });
  return py::array_t<T>(static_cast<py::ssize_t>(owned->size()), owned->data(), owner);
}

[[nodiscard]] inline py::array_t<double> to_array(const Matrix& matrix) {
  const auto values = matrix.values();
  return to_array(std::vector<double>(values.begin(), values.end()))
      .reshape({static_cast<py::ssize_t>(matrix.rows()), static_cast<py::ssize_t>(matrix.cols())});
}

}  // namespace nw::python
