// The mix of classes in a sample without labels, by maximum likelihood.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::measure {

struct LikelySharesOptions {
  /// How often each row counts; empty: once.
  std::span<const std::uint32_t> counts = {};
  /// Where the iteration begins; empty: at the prior.
  std::span<const double> start = {};
  /// It ends when no share moves by more than this.
  double tolerance = 1e-8;
  int most_iterations = 500;
};

/// Shares that make a classifier's posteriors most likely (Saerens, Latinne and Decaestecker 2002):
/// the fixed point of pi_j = mean_i pi_j r_ij / sum_l pi_l r_il with r_ij = p(j | x_i) / prior_j.
/// `posterior` is [n, k], `prior` [k] the shares the classifier was trained with. Throws
/// InvalidArgument for sizes that do not fit and for a prior that is not positive.
[[nodiscard]] std::vector<double> likely_shares(MatrixView posterior, std::span<const double> prior,
                                                const LikelySharesOptions& options = {});

}  // namespace nw::measure
