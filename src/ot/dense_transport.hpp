// Small transport problems with all costs in memory.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "nw/ot/problem.hpp"

namespace nw::ot {

/// A solver whose memory is used again from problem to problem. Not for two threads at a time.
class DenseTransport {
 public:
  /// Matrices with more points on a side are left to the other solver.
  static constexpr std::size_t kLargest = 256;

  /// Solves a valid problem, with memory of n x m numbers, or returns false: it takes too many
  /// augmentations, ties leave a plan that is not a forest, or rounding a gap of more than
  /// `tolerance` times the largest cost.
  [[nodiscard]] bool solve(const PointProblem& problem, double tolerance, TransportResult& result);
  [[nodiscard]] bool solve(const MatrixProblem& problem, double tolerance, TransportResult& result);
  /// Finds flows for integer masses of equal totals, where `cost(i, j)` is that of a pair; false
  /// when it takes too many augmentations.
  template <typename Cost>
  [[nodiscard]] bool find_flows(std::vector<std::int64_t> supply, std::vector<std::int64_t> demand,
                                const Cost& cost) {
    n_ = supply.size(), m_ = demand.size();
    costs_.resize(n_ * m_);
    for (std::size_t i = 0; i < n_; ++i) {
      for (std::size_t j = 0; j < m_; ++j) costs_[i * m_ + j] = cost(i, j);
    }
    supply_ = std::move(supply);
    demand_ = std::move(demand);
    return send_all();
  }
  /// Calls visit(source, target, flow) for the flows found last.
  template <typename Visit>
  void for_each_flow(Visit&& visit) const {
    for (std::size_t j = 0; j < m_; ++j) {
      for (const std::int32_t i : suppliers_[j]) {
        visit(static_cast<std::size_t>(i), j, flow_[j * n_ + static_cast<std::size_t>(i)]);
      }
    }
  }

 private:
  [[nodiscard]] bool send_all();
  [[nodiscard]] bool solve_costs(std::span<const double> source_weights,
                                 std::span<const double> target_weights, double tolerance,
                                 TransportResult& result);
  void start();
  /// Sends mass of `source` along one cheapest path to a target with room.
  void augment(std::size_t source);
  void add_flow(std::size_t source, std::size_t target, std::int64_t amount);
  void answer(double total, TransportResult& result);

  std::size_t n_ = 0, m_ = 0, paths_ = 0;
  std::vector<double> costs_;   ///< [n, m]
  std::vector<double> points_;  ///< of the targets, coordinate by coordinate
  std::vector<std::int64_t> supply_, demand_, left_, room_;
  std::vector<double> u_, v_;                         ///< potentials of sources and targets
  std::vector<std::int64_t> flow_;                    ///< [m, n]
  std::vector<std::vector<std::int32_t>> suppliers_;  ///< of each target, those with flow
  // Of a search: targets ...
  std::vector<double> distance_, closed_, final_;
  std::vector<std::int64_t> previous_;
  std::vector<std::int32_t> done_;
  // ... and sources.
  std::vector<double> row_distance_;
  std::vector<std::int32_t> row_from_, rows_;
  std::vector<char> seen_;
};

}  // namespace nw::ot
