// Private: the standard normal distribution function and its inverse.
#pragma once

namespace nw::measure {

/// P(Z <= x).
[[nodiscard]] double normal_cdf(double x);

/// The x with P(Z <= x) = p, to about 1e-15 relative. REQUIRES: 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

}  // namespace nw::measure
