// Exact optimal transport where mass may use some pairs of points only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "nw/ot/exact.hpp"
#include "nw/ot/problem.hpp"

namespace nw::ot {

/// Costs of some pairs in compressed rows; no mass may move between the others. Those of row i are
/// the entries row_begin[i], ..., row_begin[i + 1] - 1, by increasing column.
struct SparseCosts {
  std::size_t rows = 0, columns = 0;
  std::span<const std::int64_t> row_begin = {};  ///< [rows + 1]
  std::span<const std::int64_t> column = {};     ///< [entries]
  std::span<const double> cost = {};             ///< [entries], finite; zero is a cost like others
};

/// min <C, T> over the couplings T that use no other pairs.
struct SparseProblem {
  SparseCosts cost = {};
  std::span<const double> source_weights = {};  ///< [rows] or empty
  std::span<const double> target_weights = {};  ///< [columns] or empty

  void validate() const;
};

/// Solves the problem with memory in proportion to the entries. The potentials satisfy
/// f_i + g_j <= C_ij on the entries. Throws InvalidArgument when no plan uses the given pairs
/// alone, with how much mass cannot be moved and rows that reach too few columns. Stopped before
/// there is a plan, the result has none and an infinite cost. `options.gap` stops nothing early;
/// `options.warm_start` must be null.
[[nodiscard]] TransportResult solve_sparse(const SparseProblem& problem,
                                           const ExactOptions& options = {});

}  // namespace nw::ot
