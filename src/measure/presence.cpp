// Given the members c of a component in both samples together, and a share in X of `ratio` times
// that in Y, the number of members in X is Binomial(c, n ratio / (n ratio + m)). Few members in X
// under that law mean that the component is absent from X. Rare components of both samples hold few
// members, so they are never called absent for want of luck.
//
// Several components may each be too small to call absent alone. For every t the t components with
// the smallest p-values are pooled, corrected by Bonferroni for their choice among k over t and for
// the values of t.
#include "measure/presence.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nw::measure {
namespace {

// A member is called absent only where it has less than a tenth of its other share: what people
// call gone. The bound on shares alone may be as near as a third in small samples.
constexpr double kAbsentShare = 0.1;

double log_choose(double n, double r) {
  return std::lgamma(n + 1.0) - std::lgamma(r + 1.0) - std::lgamma(n - r + 1.0);
}

struct OneSided {
  std::vector<double> p;  // per component, uncorrected
  double joint = 1.0;
};

OneSided absent_from_first(const SampleShares& first, const SampleShares& second, double ratio) {
  const std::size_t k = first.pi.size();
  const double chance = first.rows * ratio / (first.rows * ratio + second.rows);
  OneSided result{.p = std::vector<double>(k), .joint = 1.0};
  std::vector<double> few(k), all(k);
  for (std::size_t j = 0; j < k; ++j) {
    few[j] = std::round(first.pi[j] * first.rows);
    all[j] = few[j] + std::round(second.pi[j] * second.rows);
    result.p[j] = binomial_cdf(few[j], all[j], chance);
  }
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return result.p[a] < result.p[b]; });
  double pooled_few = 0.0, pooled_all = 0.0;
  const double total = static_cast<double>(k);
  for (std::size_t t = 0; t < k; ++t) {
    pooled_few += few[order[t]];
    pooled_all += all[order[t]];
    const double choices = std::exp(log_choose(total, static_cast<double>(t + 1)));
    result.joint =
        std::min(result.joint, total * choices * binomial_cdf(pooled_few, pooled_all, chance));
  }
  return result;
}

}  // namespace

double binomial_cdf(double successes, double trials, double probability) {
  if (successes >= trials) return 1.0;
  // Above the mean nothing is decided here, and the sum would be long.
  if (successes > trials * probability) return 1.0;
  double sum = 0.0;
  for (double s = 0.0; s <= successes; s += 1.0) {
    sum += std::exp(log_choose(trials, s) + s * std::log(probability) +
                    (trials - s) * std::log1p(-probability));
  }
  return std::min(sum, 1.0);
}

PresenceTest test_presence(const SampleShares& x, const SampleShares& y, double ratio,
                           double alpha) {
  const std::size_t k = x.pi.size();
  const OneSided from_x = absent_from_first(x, y, ratio);
  const OneSided from_y = absent_from_first(y, x, ratio);
  PresenceTest test;
  test.p_all_present = std::min(1.0, 2.0 * std::min(from_x.joint, from_y.joint));
  for (std::size_t j = 0; j < k; ++j) {
    const double smaller = std::min(from_x.p[j], from_y.p[j]);
    // When many are absent together, each is believed on the evidence of all.
    const double p = std::min(1.0, 2.0 * static_cast<double>(k) * smaller);
    const double part = std::min(x.pi[j], y.pi[j]) / std::max(x.pi[j], y.pi[j]);
    const bool absent =
        part < kAbsentShare &&
        (p < alpha || (test.p_all_present < alpha && smaller < 0.5 && part < ratio));
    test.p.push_back(p);
    test.presence.push_back(!absent                     ? Presence::both
                            : from_x.p[j] < from_y.p[j] ? Presence::only_y
                                                        : Presence::only_x);
  }
  return test;
}

}  // namespace nw::measure
