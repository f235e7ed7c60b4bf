#include "nw/table/value_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>

namespace nw::table {
namespace {

// A value is rounded once when it is read and once when it is multiplied or divided.
constexpr double kRounding = 0x1p-52;
// Beyond this part of a step, a value between two points could be either.
constexpr double kSafe = 0.4;
constexpr double kWhole = 0x1p53;
constexpr int kMostDecimals = 15;
// Values off the grid, such as a few that are written in full.
constexpr double kMostOff = 0.05;

bool is_whole(double places, double tolerance) {
  return std::abs(places - std::round(places)) <= tolerance;
}

struct Values {
  std::span<const double> parts[2];
  std::size_t count = 0;
  double least = 0.0, largest_size = 0.0;

  /// Calls visit(value) until it returns false.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (const auto& part : parts) {
      for (const double value : part) {
        if (!std::isnan(value) && !visit(value)) return;
      }
    }
  }
};

Values survey(std::span<const double> first, std::span<const double> second) {
  Values values{.parts = {first, second}};
  values.each([&](double value) {
    values.least = values.count == 0 ? value : std::min(values.least, value);
    values.largest_size = std::max(values.largest_size, std::abs(value));
    ++values.count;
    return true;
  });
  return values;
}

/// Whether nearly all values times `scale` are whole, and chance would not make them so.
bool lies_on(const Values& values, double scale) {
  double surprise = 0.0;  // minus the logarithm of the probability that this is chance
  std::size_t off = 0;
  const auto most_off = static_cast<std::size_t>(kMostOff * static_cast<double>(values.count));
  values.each([&](double value) {
    const double places = value * scale, tolerance = kRounding * std::abs(places);
    if (is_whole(places, tolerance)) {
      surprise -= std::log(std::clamp(2.0 * tolerance, 1e-6, 1.0));
    } else {
      ++off;
    }
    return off <= most_off;
  });
  constexpr double kConvincing = 10.0;
  return off <= most_off && surprise >= kConvincing;
}

}  // namespace

double ValueGrid::steps(double value) const {
  if (!(step > 0.0)) return value;
  const double places = (value - origin) / step;
  const double size = std::max(std::abs(value), std::abs(origin)) / step;
  return is_whole(places, kRounding * (size + std::abs(places))) ? std::round(places) : places;
}

ValueGrid find_grid(std::span<const double> first, std::span<const double> second) {
  const Values values = survey(first, second);
  if (values.count == 0 || !std::isfinite(values.largest_size)) return {};
  double scale = 1.0;
  for (int decimals = 0; decimals <= kMostDecimals; ++decimals, scale *= 10.0) {
    const double largest = values.largest_size * scale;
    if (largest > kWhole || kRounding * largest > kSafe) return {};
    if (!lies_on(values, scale)) continue;
    std::optional<std::int64_t> origin;
    std::int64_t common = 0;
    values.each([&](double value) {
      const double places = value * scale;
      if (!is_whole(places, kRounding * std::abs(places))) return true;
      const std::int64_t at = std::llround(places);
      if (!origin) origin = at;
      common = std::gcd(common, at - *origin);
      origin = std::min(*origin, at);
      return true;
    });
    if (common == 0) return {};
    return {.origin = static_cast<double>(*origin) / scale,
            .step = static_cast<double>(common) / scale};
  }
  return {};
}

}  // namespace nw::table
