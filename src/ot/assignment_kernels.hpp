// The inner loops of matchings between two sets of equally many points, one copy per instruction
// set. Everything here is plain data: the translation units that implement it are compiled for
// different processors and must share no inline code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nw::ot {

/// Rows of costs are filled up to a multiple of so many columns.
inline constexpr std::size_t kAssignmentLanes = 8;
/// Most points of a side: up to here a matching is found sooner than a basis of the large solver,
/// measured with normal points in 2 and 8 dimensions.
inline constexpr std::size_t kLargestAssignment = 768;
/// What a column costs that is there to fill up a row. Costs must be far below.
inline constexpr double kFarCost = 1e306;

/// A matching and its potentials while it is looked for; memory of the caller's. `cost` and
/// `potential` are aligned to 64 bytes.
struct AssignmentTask {
  std::size_t size;         ///< points of a side, at most kLargestAssignment
  std::size_t stride;       ///< columns with those that fill up
  double* cost;             ///< [size, stride]; kFarCost from `size` on
  double* potential;        ///< [stride], of the columns; 0 from `size` on
  std::int32_t* row_of;     ///< [stride], of each column
  std::int32_t* column_of;  ///< [size], of each row
  double* row_potential;    ///< [size]
  std::int64_t paths = 0;   ///< searches that were needed
};

struct AssignmentKernels {
  const char* name;
  /// cost[i, j] = |x_i - y_j|^2, or its root, and potential[j] the smallest of column j. `lanes`
  /// has y coordinate by coordinate: lanes[k * stride + j].
  void (*fill)(const double* x, const double* lanes, std::size_t dim, bool root,
               const AssignmentTask& task);
  /// Finds a matching of least cost, and potentials under which its pairs cost nothing more than
  /// any other; from potentials at most the smallest of each column.
  void (*match)(AssignmentTask& task);
  /// row_potential[i] = the smallest cost[i, j] - potential[j].
  void (*complete)(const AssignmentTask& task);
};

/// Those of the best set this processor runs: see kernel_set().
[[nodiscard]] const AssignmentKernels& assignment_kernels();

/// Those of a set, or null when this build or this processor lacks it.
[[nodiscard]] const AssignmentKernels* find_assignment_kernels(const char* name);

}  // namespace nw::ot
