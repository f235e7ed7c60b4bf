// Row-major matrices: a view that someone else owns, and an owner.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nw/base/error.hpp"

namespace nw {

/// Read-only row-major matrix that someone else owns. Rows are points, columns coordinates.
class MatrixView {
 public:
  MatrixView() = default;
  MatrixView(std::span<const double> values, std::size_t rows, std::size_t cols)
      : values_(values), rows_(rows), cols_(cols) {
    require(values.size() == rows * cols, "MatrixView: ", values.size(), " values cannot fill ",
            rows, " x ", cols);
  }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t cols() const noexcept { return cols_; }
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const noexcept {
    return values_[i * cols_ + j];
  }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return values_.subspan(i * cols_, cols_);
  }
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }

 private:
  std::span<const double> values_;
  std::size_t rows_ = 0, cols_ = 0;
};

/// Row-major matrix that owns its values.
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::size_t rows, std::size_t cols, double fill = 0.0)
      : values_(rows * cols, fill), rows_(rows), cols_(cols) {}
  Matrix(std::vector<double> values, std::size_t rows, std::size_t cols)
      : values_(std::move(values)), rows_(rows), cols_(cols) {
    require(values_.size() == rows * cols, "Matrix: ", values_.size(), " values cannot fill ", rows,
            " x ", cols);
  }

  [[nodiscard]] std::size_t rows() const noexcept { return rows_; }
  [[nodiscard]] std::size_t cols() const noexcept { return cols_; }
  [[nodiscard]] double& operator()(std::size_t i, std::size_t j) noexcept {
    return values_[i * cols_ + j];
  }
  [[nodiscard]] double operator()(std::size_t i, std::size_t j) const noexcept {
    return values_[i * cols_ + j];
  }
  [[nodiscard]] std::span<double> row(std::size_t i) noexcept {
    return std::span(values_).subspan(i * cols_, cols_);
  }
  [[nodiscard]] std::span<const double> row(std::size_t i) const noexcept {
    return std::span(values_).subspan(i * cols_, cols_);
  }
  [[nodiscard]] std::span<double> values() noexcept { return values_; }
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  [[nodiscard]] MatrixView view() const { return {values_, rows_, cols_}; }
  operator MatrixView() const { return view(); }  // NOLINT: a Matrix is good wherever a view is

 private:
  std::vector<double> values_;
  std::size_t rows_ = 0, cols_ = 0;
};

}  // namespace nw
