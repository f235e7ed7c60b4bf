// Checks what a TransportResult claims, from the definitions and nothing else.
#pragma once

#include <gtest/gtest.h>

#include "nw/ot/problem.hpp"

namespace nw::oracle {

/// What a certificate may be off by.
struct Tolerance {
  double marginal = 1e-12;  ///< of every point's mass, absolute (total mass is one)
  double gap = 1e-9;        ///< of primal - dual, relative to the cost
  /// Of the violation of f + g <= C, and of the floor below which a gap is rounding: relative to
  /// the largest |cost|.
  double feasibility = 1e-11;
  /// Absolute rounding accepted in all of them, for costs that are zero but for rounding.
  double absolute = 0.0;
};

/// Marginals, order and size of the plan, its cost, feasibility of the potentials against every
/// cost, the dual objective and the gap.
[[nodiscard]] ::testing::AssertionResult is_optimal(const ot::TransportResult& result,
                                                    MatrixView cost,
                                                    std::span<const double> source_masses,
                                                    std::span<const double> target_masses,
                                                    const Tolerance& tolerance = {});

/// The same for a point problem.
[[nodiscard]] ::testing::AssertionResult is_optimal(const ot::TransportResult& result,
                                                    const ot::PointProblem& problem,
                                                    const Tolerance& tolerance = {});

}  // namespace nw::oracle
