// Private: passes over all pairs of two point clouds that never store a cost matrix.
//
// Every pass visits the costs C_ij between one block of rows and all columns. A row's result is
// computed by the same operations in the same order whatever the instruction set, the number of
// threads or the other rows of its block, so results are reproducible to the bit.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Points stored eight abreast, coordinate by coordinate: lane l of group q is point 8 q + l.
class PackedPoints {
 public:
  static constexpr std::size_t kLanes = 8;

  PackedPoints() = default;
  explicit PackedPoints(MatrixView points);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
  [[nodiscard]] std::size_t groups() const noexcept { return (size_ + kLanes - 1) / kLanes; }
  /// The eight values of coordinate k of group q start here; those past the last point repeat it.
  [[nodiscard]] const double* group(std::size_t q) const noexcept {
    return values_.data() + q * kLanes * dimension_;
  }

 private:
  std::vector<double> values_;
  std::size_t size_ = 0, dimension_ = 0;
};

/// Rows against columns under one ground cost.
struct PairCosts {
  const Matrix* rows = nullptr;
  const PackedPoints* columns = nullptr;
  GroundCost cost = GroundCost::euclidean;
};

/// A value per column, padded to whole groups of lanes with `fill`.
[[nodiscard]] std::vector<double> padded(std::span<const double> values, double fill);

/// log sum_j exp(h_j - C_ij / epsilon) for every row. `h` is padded with -infinity.
void log_sum_exp(const PairCosts& pairs, std::span<const double> h, double epsilon, int threads,
                 std::span<double> result);

/// min_j (C_ij - g_j) for every row: the c-transform. `g` is padded with -infinity.
void c_transform(const PairCosts& pairs, std::span<const double> g, int threads,
                 std::span<double> result);

/// Sums over the columns of row i of the plan T_ij = exp(u_i + h_j - C_ij / epsilon).
struct PlanSums {
  double mass = 0.0;              ///< sum_j v_j T_ij
  double cost = 0.0;              ///< sum_j v_j T_ij C_ij
  double independent_cost = 0.0;  ///< sum_j w_j C_ij
};

/// REQUIRES: u_i + h_j - C_ij / epsilon <= 700. `h` is padded with -infinity, v and w with zero.
void plan_sums(const PairCosts& pairs, std::span<const double> u, std::span<const double> h,
               std::span<const double> v, std::span<const double> w, double epsilon, int threads,
               std::span<PlanSums> result);

}  // namespace nw::ot
