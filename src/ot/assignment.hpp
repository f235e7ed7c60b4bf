// Small transport problems between equally many points of equal masses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/ot/problem.hpp"

#include "ot/assignment_kernels.hpp"

namespace nw::ot {

/// A solver whose memory is used again from problem to problem. Not for two threads at a time.
class Assignment {
 public:
  explicit Assignment(const AssignmentKernels& kernels = assignment_kernels())
      : kernels_(&kernels) {}

  /// Whether a problem has equally many points of equal masses on either side, and not too many.
  [[nodiscard]] static bool fits(const PointProblem& problem);
  [[nodiscard]] static bool fits(const MatrixProblem& problem);

  /// Solves a valid problem that fits, or returns false: costs are near the end of the range of
  /// double, or rounding leaves a gap of more than `tolerance` times the largest of them.
  [[nodiscard]] bool solve(const PointProblem& problem, double tolerance, TransportResult& result);
  [[nodiscard]] bool solve(const MatrixProblem& problem, double tolerance, TransportResult& result);

 private:
  void reserve(std::size_t size, std::size_t dimension);
  [[nodiscard]] bool match(double tolerance, TransportResult& result);
  [[nodiscard]] double largest_cost() const;

  const AssignmentKernels* kernels_;
  AssignmentTask task_{};
  std::vector<double> memory_;
  double* lanes_ = nullptr;  ///< [dimension, stride], targets coordinate by coordinate
  std::vector<std::int32_t> row_of_, column_of_;
};

}  // namespace nw::ot
