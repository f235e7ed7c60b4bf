#include "table/pooled.hpp"

#include <algorithm>
#include <cmath>

namespace nw::table {

PooledValues::PooledValues(const TypedColumn& column, const RowWeights& weights,
                           const ValueGrid& grid) {
  const auto add = [&](const SideValues& side, std::span<const double> own) {
    double total = 0.0;
    const auto weight = [&](std::size_t i) { return own.empty() ? 1.0 : own[i]; };
    for (std::size_t i = 0; i < side.numbers.size(); ++i) {
      if (!std::isnan(side.numbers[i])) total += weight(i);
    }
    for (std::size_t i = 0; i < side.numbers.size(); ++i) {
      const double w = weight(i);
      if (!std::isnan(side.numbers[i]) && w > 0.0) {
        values_.emplace_back(grid.steps(side.numbers[i]), w / total);
      }
    }
  };
  add(column.x, weights.x);
  add(column.y, weights.y);
  std::ranges::sort(values_);
  double sum = 0.0;
  for (auto& [value, weight] : values_) weight = sum += weight;
  for (auto& [value, weight] : values_) weight /= sum;
}

double PooledValues::quantile(double p) const {
  // Rounding of the sums must not decide between two values.
  const auto found = std::ranges::lower_bound(values_, p - 1e-9, {},
                                              [](const auto& entry) { return entry.second; });
  return found == values_.end() ? values_.back().first : found->first;
}

double PooledValues::mean() const {
  double sum = 0.0, before = 0.0;
  for (const auto& [value, weight] : values_) {
    sum += (value - values_.front().first) * (weight - before);
    before = weight;
  }
  return values_.front().first + sum;
}

double PooledValues::deviation() const {
  const double centre = mean();
  double sum = 0.0, before = 0.0;
  for (const auto& [value, weight] : values_) {
    sum += (value - centre) * (value - centre) * (weight - before);
    before = weight;
  }
  return std::sqrt(sum);
}

double PooledValues::share_beyond(double centre, double distance) const {
  double sum = 0.0, before = 0.0;
  for (const auto& [value, weight] : values_) {
    if (std::abs(value - centre) > distance) sum += weight - before;
    before = weight;
  }
  return sum;
}

}  // namespace nw::table
