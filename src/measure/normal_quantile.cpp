// Rational start value after Abramowitz and Stegun 26.2.23 (error below 5e-4), then Halley steps on
// the distribution function, which triple the digits each: three reach machine precision.
#include "measure/normal_quantile.hpp"

#include <cmath>
#include <numbers>

namespace nw::measure {

double normal_cdf(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1.0 - p);
  const double t = std::sqrt(-2.0 * std::log(p));
  double x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
  for (int step = 0; step < 3; ++step) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double newton = (normal_cdf(x) - p) / density;
    x -= newton / (1.0 + 0.5 * x * newton);
  }
  return x;
}

}  // namespace nw::measure
