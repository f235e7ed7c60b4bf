// Let every row add its share of its sample, +1 / m for label 1 and -w_i / sum w for label 0. If
// the weighted samples are equal in law, sums over the rows beyond any score are near zero.
#include "measure/weighted_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "nw/base/rng.hpp"

namespace nw::measure {
namespace {

constexpr std::uint64_t kNullSeed = 54321;
constexpr double kSmallestEnd = 0.05;  // of the pooled mass, in the scan

struct Statistics {
  double sum = 0.0, scan = 0.0;
};

// Rows with equal scores form one step.
struct Steps {
  std::vector<double> mass;      // of each row, by decreasing score
  std::vector<std::size_t> end;  // of each step
  std::vector<double> below;     // pooled mass up to the end of each step
};

Statistics statistics(const Steps& steps, const std::vector<double>& adds) {
  double variance = 0.0;
  for (const double a : adds) variance += a * a;
  Statistics result;
  double sum = 0.0, before = 0.0;
  std::size_t at = 0;
  for (std::size_t s = 0; s < steps.end.size(); ++s) {
    const double start = sum;
    for (; at < steps.end[s]; ++at) sum += adds[at];
    const double h = steps.below[s];
    // The integral of the sums over the pooled mass is the rank sum.
    result.sum += 0.5 * (start + sum) * (h - before);
    before = h;
    if (h < kSmallestEnd || h > 1.0 - kSmallestEnd) continue;
    result.scan = std::max(result.scan, sum / std::sqrt(variance * h * (1.0 - h)));
  }
  result.sum /= std::sqrt(variance);
  return result;
}

}  // namespace

WeightedRanks weighted_ranks(std::span<const double> score, std::span<const std::uint8_t> label,
                             std::span<const double> weight, int simulations) {
  const std::size_t rows = score.size();
  double total[2] = {0.0, 0.0};
  for (std::size_t i = 0; i < rows; ++i) total[label[i]] += weight[i];
  if (!(total[0] > 0.0) || !(total[1] > 0.0)) return {};
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  std::erase_if(order, [&](std::size_t i) { return !(weight[i] > 0.0); });
  Steps steps;
  std::vector<double> adds;
  double h = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t row = order[i];
    const double mass = weight[row] / total[label[row]];
    adds.push_back(label[row] == 1 ? mass : -mass);
    steps.mass.push_back(mass);
    h += 0.5 * mass;
    if (i + 1 < order.size() && score[order[i + 1]] == score[row]) continue;
    steps.end.push_back(i + 1);
    steps.below.push_back(h);
  }
  const Statistics observed = statistics(steps, adds);

  Rng rng(kNullSeed);
  std::vector<Statistics> null(static_cast<std::size_t>(simulations));
  for (auto& draw : null) {
    double sum = 0.0;
    for (std::size_t i = 0; i < adds.size(); ++i) {
      adds[i] = (rng.bits() >> 63) != 0 ? steps.mass[i] : -steps.mass[i];
      sum += adds[i];
    }
    // Both samples have mass one: the signs must cancel as the observed ones do.
    for (std::size_t i = 0; i < adds.size(); ++i) adds[i] -= 0.5 * sum * steps.mass[i];
    draw = statistics(steps, adds);
  }
  const auto p_of = [&](double value, double Statistics::*field) {
    const auto above =
        std::ranges::count_if(null, [&](const Statistics& s) { return s.*field >= value - 1e-12; });
    return (static_cast<double>(above) + 1.0) / (simulations + 1.0);
  };
  WeightedRanks result{.p_sum = p_of(observed.sum, &Statistics::sum),
                       .p_scan = p_of(observed.scan, &Statistics::scan)};
  // The smaller of the two against what it is under the null.
  const double smaller = std::min(result.p_sum, result.p_scan);
  std::vector<double> sorted[2];
  for (const auto& s : null) {
    sorted[0].push_back(s.sum);
    sorted[1].push_back(s.scan);
  }
  for (auto& s : sorted) std::ranges::sort(s, std::greater{});
  const auto count = static_cast<std::size_t>(smaller * (simulations + 1.0) - 0.5);
  int above = 1;
  if (count >= null.size()) return result;
  for (const auto& s : null) above += s.sum >= sorted[0][count] || s.scan >= sorted[1][count];
  result.p = std::max(smaller, std::min(1.0, above / (simulations + 1.0)));
  return result;
}

}  // namespace nw::measure
