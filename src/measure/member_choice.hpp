// Private: the members of two samples as Gaussians they share, for several numbers of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/base/rng.hpp"

#include "measure/pooled_rows.hpp"
#include "measure/shared_em.hpp"
#include "measure/stop_check.hpp"

namespace nw::measure {

/// Shared Gaussians with proportions of each sample, by maximum likelihood.
struct MemberFit {
  SharedModel model;
  double log_likelihood = 0.0;  ///< of all rows
  double bic = 0.0;             ///< Schwarz (1978); smaller is better
  [[nodiscard]] std::size_t k() const noexcept { return model.mixture.size(); }
};

struct MemberChoice {
  std::vector<MemberFit> fits;  ///< k = 1, 2, ... to twice the best at least, or max_k
  std::size_t k = 1;            ///< smallest BIC
  /// The k whose BIC is within 10 of the smallest: beyond that the evidence against a k counts as
  /// very strong (Kass and Raftery 1995).
  std::size_t k_low = 1, k_high = 1;
  bool reached_max = false;  ///< the best k is the largest tried
  double ridge = 0.0;        ///< of the densities

  [[nodiscard]] const MemberFit& fit(std::size_t components) const;
};

struct MemberOptions {
  std::size_t max_k = 12;
  /// Each k has at least this many rows of both samples per component.
  std::size_t rows_per_component = 12;
  int starts = 3;
  int threads = 1;
  StopCheck stop = {};
};

/// Fits k = 1, 2, ... components in the space of `points`, the pooled rows, of which the first
/// `in_x` belong to X.
[[nodiscard]] MemberChoice choose_members(const RowMatrix& points, std::size_t in_x,
                                          const MemberOptions& options, const Rng& rng);

/// How many times likelier a point is in Y than in X, if only the mix of these members changed:
/// sum_j pi_y,j g_j(x) / sum_j pi_x,j g_j(x), with each member's ratio kept within [1 / most,
/// most].
[[nodiscard]] std::vector<double> explained_ratio(const RowMatrix& points, std::size_t in_x,
                                                  const MemberFit& fit, double ridge, double most);

/// The likeliest member of every point, for proportions half way between the samples'.
[[nodiscard]] std::vector<std::uint32_t> likeliest_members(const RowMatrix& points,
                                                           const MemberFit& fit, double ridge);

}  // namespace nw::measure
