// Private: which components are missing from one of the samples.
#pragma once

#include <span>
#include <vector>

#include "nw/measure/compare.hpp"

namespace nw::measure {

struct PresenceTest {
  std::vector<Presence> presence;  ///< [k]
  std::vector<double> p;           ///< [k] corrected p-value of "present in both"
  /// p-value of "every component is present in both samples".
  double p_all_present = 1.0;
};

/// Proportions of one sample, and the rows they were estimated from.
struct SampleShares {
  std::span<const double> pi;
  double rows = 0.0;
};

/// Tests for each component whether its share in one sample is below `ratio` times its share in the
/// other, from the numbers of members that proportions and rows imply.
[[nodiscard]] PresenceTest test_presence(const SampleShares& x, const SampleShares& y, double ratio,
                                         double alpha);

/// P(Binomial(trials, probability) <= successes).
[[nodiscard]] double binomial_cdf(double successes, double trials, double probability);

}  // namespace nw::measure
