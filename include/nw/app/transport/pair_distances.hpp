// Distances between every two of several data sets.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "nw/io/points.hpp"
#include "nw/record/run_record.hpp"

namespace nw::app {

struct PairOptions {
  int p = 1;        ///< 1 or 2
  int threads = 0;  ///< 0: all cores
  /// Called with the number of pairs done and of all; false asks to stop. May be empty.
  std::function<bool(std::size_t done, std::size_t all)> observer{};

  /// Throws InvalidArgument.
  void validate() const;
};

struct PairDistances {
  Matrix distances{};        ///< W_p, symmetric; not a number where a pair was not solved
  double largest_gap = 0.0;  ///< primal - dual over all pairs
  bool certified = true;     ///< every pair was solved to its optimum
  double seconds = 0.0;
};

/// Exact distances. The sets must have the same dimension.
[[nodiscard]] PairDistances pair_distances(std::span<const io::PointSet> sets,
                                           const PairOptions& options);

/// What the run reports; `names` are those of the sets, `folder` is where they come from.
[[nodiscard]] record::RunRecord pair_record(const PairDistances& found,
                                            const std::vector<std::string>& names,
                                            const std::string& folder, int p);

/// Writes the matrix, as NPY where the name ends so and as CSV with the names otherwise.
void write_distances(const std::string& path, const PairDistances& found,
                     const std::vector<std::string>& names);

/// The files of a folder that are not hidden, in order. Throws IoError, also for less than two.
[[nodiscard]] std::vector<std::string> sample_files(const std::string& folder);

}  // namespace nw::app
