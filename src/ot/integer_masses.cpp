#include "ot/integer_masses.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nw::ot {
namespace {

/// Largest total of a side that counts as moderate: products of two stay below 2^62.
constexpr double kLargestCount = 1073741824.0;  // 2^30
constexpr std::int64_t kTotal = std::int64_t{1} << 60;

/// The weights as counts, or nothing when they are not moderate integers.
std::vector<std::int64_t> as_counts(std::span<const double> weights, std::size_t size) {
  if (weights.empty()) return std::vector<std::int64_t>(size, 1);
  const bool all_equal =
      std::all_of(weights.begin(), weights.end(), [&](double w) { return w == weights.front(); });
  if (all_equal) return std::vector<std::int64_t>(size, 1);
  double total = 0.0;
  for (const double w : weights) {
    if (w != std::floor(w) || w > kLargestCount) return {};
    total += w;
  }
  if (total > kLargestCount) return {};
  std::vector<std::int64_t> counts(size);
  std::transform(weights.begin(), weights.end(), counts.begin(),
                 [](double w) { return static_cast<std::int64_t>(w); });
  return counts;
}

/// Weights rounded to integers that sum to kTotal. Rounding errors go to the largest weight, where
/// they matter least.
std::vector<std::int64_t> as_shares(std::span<const double> weights, std::size_t size) {
  if (weights.empty()) return as_shares(std::vector<double>(size, 1.0), size);
  // Divide by the largest first: sums of extreme weights must not overflow.
  const double largest = *std::max_element(weights.begin(), weights.end());
  double total = 0.0;
  for (const double w : weights) total += w / largest;
  std::vector<std::int64_t> shares(size);
  std::int64_t left = kTotal;
  for (std::size_t i = 0; i < size; ++i) {
    shares[i] = std::llround(weights[i] / largest / total * static_cast<double>(kTotal));
    left -= shares[i];
  }
  const auto heaviest = std::max_element(shares.begin(), shares.end());
  *heaviest += left;
  return shares;
}

std::int64_t sum(const std::vector<std::int64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::int64_t{0});
}

}  // namespace

IntegerMasses integer_masses(std::span<const double> source_weights, std::size_t sources,
                             std::span<const double> target_weights, std::size_t targets) {
  IntegerMasses masses{.source = as_counts(source_weights, sources),
                       .target = as_counts(target_weights, targets)};
  if (!masses.source.empty() && !masses.target.empty()) {
    // Both are counts: cross-multiplying gives equal totals without rounding.
    const std::int64_t source_total = sum(masses.source), target_total = sum(masses.target);
    const std::int64_t common = std::gcd(source_total, target_total);
    for (auto& mass : masses.source) mass *= target_total / common;
    for (auto& mass : masses.target) mass *= source_total / common;
    masses.total = source_total * (target_total / common);
    return masses;
  }
  masses.source = as_shares(source_weights, sources);
  masses.target = as_shares(target_weights, targets);
  masses.total = kTotal;
  return masses;
}

}  // namespace nw::ot
