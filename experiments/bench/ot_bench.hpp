// Our exact solver and POT's on the same points, each in a process of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/bench/point_clouds.hpp"

namespace nw::experiments {

/// What a process that solves one problem reports.
struct SolveReport {
  double seconds = 0.0;      ///< the best of the repetitions
  double cpu_seconds = 0.0;  ///< of all threads together; the best likewise
  double memory_mb = 0.0;    ///< peak above what the process held with the points loaded
  double value = 0.0;        ///< transport cost: W1, or W2 squared
};

/// One line of the benchmark: the same problem solved by us and by the peer.
struct BenchRow {
  std::string name = {};
  std::size_t n = 0, m = 0, dimension = 0;
  int p = 1;
  bool weighted = false;
  SolveReport ours = {};
  double gap = 0.0;  ///< relative to the value
  std::int64_t pivots = 0;
  bool converged = false;
  std::optional<SolveReport> peer = {};  ///< absent when it was not run
  double peer_cost_matrix_seconds = 0.0;

  /// How many times faster we are, solve against solve.
  [[nodiscard]] std::optional<double> ratio() const;
  /// |our value - peer's| relative to the larger.
  [[nodiscard]] std::optional<double> difference() const;
};

struct BenchSetup {
  int threads = 0;
  int repeat = 1;
  bool peer = true;
  std::string python = "/usr/bin/python3";
};

[[nodiscard]] BenchRow measure(const CloudPair& clouds, int p, const BenchSetup& setup);

/// Whether the peer can be run, and if not why.
[[nodiscard]] std::optional<std::string> why_no_peer(const BenchSetup& setup);

/// How the process behind measure() solves its problem.
struct BenchSolve {
  int p = 1, repeat = 1, threads = 0;
};

/// What that process does: solves the problem whose arrays are in `folder`. Returns its report as a
/// line of JSON.
[[nodiscard]] std::string solve_for_bench(const std::string& folder, const BenchSolve& how);

}  // namespace nw::experiments
