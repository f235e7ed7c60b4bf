#include "measure/rank_tests.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "measure/change_tests.hpp"

namespace nw::measure {

double rank_sum_two_sided(std::span<const double> a, std::span<const double> b) {
  std::vector<double> score(a.begin(), a.end());
  score.insert(score.end(), b.begin(), b.end());
  std::vector<std::uint8_t> label(a.size(), 0);
  label.resize(score.size(), 1);
  const double higher = rank_sum_p(score, label);
  for (auto& v : score) v = -v;
  return std::min(1.0, 2.0 * std::min(higher, rank_sum_p(score, label)));
}

double kolmogorov_distance(std::span<const double> a, std::span<const double> b) {
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  double largest = 0.0;
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const double at = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == at) ++i;
    while (j < b.size() && b[j] == at) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m));
  }
  return largest;
}

double kolmogorov_p(double distance, double rows_a, double rows_b) {
  const double root = std::sqrt(rows_a * rows_b / (rows_a + rows_b));
  const double t = (root + 0.12 + 0.11 / root) * distance;
  if (t < 0.2) return 1.0;  // where the series converges slowly, it is one to twenty digits
  double sum = 0.0, sign = 1.0;
  for (int j = 1; j <= 100; ++j) {
    const double term = std::exp(-2.0 * t * t * j * j);
    sum += sign * term;
    sign = -sign;
    if (term < 1e-16) break;
  }
  return std::clamp(2.0 * sum, 0.0, 1.0);
}

double kolmogorov_band(double confidence, double rows_a, double rows_b) {
  return std::sqrt(0.5 * std::log(2.0 / (1.0 - confidence)) * (1.0 / rows_a + 1.0 / rows_b));
}

double two_sample_p(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return 1.0;
  std::ranges::sort(a);
  std::ranges::sort(b);
  const double shape = kolmogorov_p(kolmogorov_distance(a, b), static_cast<double>(a.size()),
                                    static_cast<double>(b.size()));
  return std::min(1.0, 2.0 * std::min(shape, rank_sum_two_sided(a, b)));
}

std::vector<double> holm(const std::vector<double>& p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> corrected(p.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(p.size() - i) * p[order[i]]);
    corrected[order[i]] = std::min(largest, 1.0);
  }
  return corrected;
}

}  // namespace nw::measure
