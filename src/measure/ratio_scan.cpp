#include "measure/ratio_scan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/rng.hpp"

namespace nw::measure {
namespace {

constexpr std::uint64_t kNullSeed = 12345;  // one null for all data of this size

// The log likelihood ratio of "c ones among i at rate c / i" against "at rate p0", for the best i.
class PrefixRatio {
 public:
  PrefixRatio(std::size_t rows, double p0, std::size_t least)
      : p0_(p0),
        log_one_(std::log(p0)),
        log_zero_(std::log1p(-p0)),
        least_(least),
        x_log_x_(rows + 1) {
    for (std::size_t i = 1; i <= rows; ++i) {
      x_log_x_[i] = static_cast<double>(i) * std::log(static_cast<double>(i));
    }
  }

  struct Best {
    double value = 0.0;
    std::size_t length = 0;
  };

  template <typename NextLabel>
  [[nodiscard]] Best find(NextLabel&& next) const {
    Best best;
    std::size_t ones = 0;
    for (std::size_t i = 1; i < x_log_x_.size(); ++i) {
      ones += next();
      if (i < least_ || static_cast<double>(ones) <= p0_ * static_cast<double>(i)) continue;
      const double value = x_log_x_[ones] + x_log_x_[i - ones] - x_log_x_[i] -
                           static_cast<double>(ones) * log_one_ -
                           static_cast<double>(i - ones) * log_zero_;
      if (value > best.value) best = {value, i};
    }
    return best;
  }

 private:
  double p0_, log_one_, log_zero_;
  std::size_t least_;
  std::vector<double> x_log_x_;
};

std::vector<std::size_t> by_decreasing(std::span<const double> score) {
  std::vector<std::size_t> order(score.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  return order;
}

}  // namespace

RatioScan scan_ratio(std::span<const double> score, std::span<const std::uint8_t> label,
                     const RatioScanOptions& options) {
  const std::size_t rows = label.size();
  const auto ones = static_cast<double>(std::count(label.begin(), label.end(), 1));
  const double odds = options.bound * ones / std::max(static_cast<double>(rows) - ones, 1.0);
  const double p0 = odds / (1.0 + odds);
  std::vector<std::size_t> order = by_decreasing(score);
  const PrefixRatio ratio(rows, p0, options.min_rows);
  std::size_t at = 0;
  const auto observed = ratio.find([&] { return label[order[at++]]; });
  RatioScan scan;
  scan.statistic = observed.value;
  order.resize(observed.length);
  scan.region = std::move(order);

  Rng rng(kNullSeed);
  std::vector<double> null(static_cast<std::size_t>(options.simulations));
  for (auto& value : null) {
    value = ratio.find([&] { return std::size_t{rng.uniform() < p0}; }).value;
  }
  const auto above =
      std::ranges::count_if(null, [&](double value) { return value >= observed.value - 1e-12; });
  scan.p = (static_cast<double>(above) + 1.0) / (options.simulations + 1.0);
  const auto critical =
      null.begin() + static_cast<std::ptrdiff_t>((1.0 - options.alpha) * options.simulations);
  std::nth_element(null.begin(), critical, null.end());
  scan.rows_needed = std::max(*critical / -std::log(p0), static_cast<double>(options.min_rows));
  return scan;
}

double scan_beyond(std::span<const double> score, std::span<const std::uint8_t> label,
                   std::span<const double> chance, const RatioScanOptions& options) {
  const std::vector<std::size_t> order = by_decreasing(score);
  const std::size_t rows = order.size();
  // One is added to the variance, or the first rows would decide by their number alone.
  std::vector<double> p(rows), deviation(rows);
  double variance = 1.0;
  for (std::size_t i = 0; i < rows; ++i) {
    p[i] = chance[order[i]];
    variance += p[i] * (1.0 - p[i]);
    deviation[i] = std::sqrt(variance);
  }
  const auto largest = [&](auto&& one) {
    double sum = 0.0, best = -1e300;
    for (std::size_t i = 0; i < rows; ++i) {
      sum += (one(i) ? 1.0 : 0.0) - p[i];
      if (i + 1 >= options.min_rows) best = std::max(best, sum / deviation[i]);
    }
    return best;
  };
  const double observed = largest([&](std::size_t i) { return label[order[i]] == 1; });
  Rng rng(kNullSeed);
  int above = 1;
  for (int b = 0; b < options.simulations; ++b) {
    above += largest([&](std::size_t i) { return rng.uniform() < p[i]; }) >= observed - 1e-12;
  }
  return above / (options.simulations + 1.0);
}

}  // namespace nw::measure
