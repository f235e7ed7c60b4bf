#include "report/axis.hpp"

#include <algorithm>
#include <cmath>

#include "report/markup.hpp"

namespace nw::report {
namespace {

double round_step(double span, int about) {
  const double raw = span / std::max(about, 1);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (raw <= factor * power * (1.0 + 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

std::string tick_label(double value) {
  const double size = std::abs(value);
  if (size != 0.0 && (size >= 1e5 || size < 1e-3)) {
    const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
    const double mantissa = value / std::pow(10.0, exponent);
    return format_number(mantissa, 3) + "e" + format_number(exponent, 4);
  }
  return format_number(value, 6);
}

}  // namespace

std::vector<double> round_values(double low, double high, int about) {
  const double step = round_step(high - low, about);
  std::vector<double> values;
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + 1e-9 * step; ++i)
    values.push_back(i * step + 0.0);  // no negative zero
  return values;
}

Axis::Axis(Scale scale, double low, double high) : scale_(scale), low_(low), high_(high) {
  if (scale == Scale::logarithmic) {
    if (low_ == high_) low_ /= 2.0, high_ *= 2.0;
    return;
  }
  if (low_ == high_) {
    const double pad = low_ == 0.0 ? 1.0 : 0.1 * std::abs(low_);
    low_ -= pad, high_ += pad;
  }
}

double Axis::position(double value) const {
  if (scale_ == Scale::logarithmic) {
    return std::log(value / low_) / std::log(high_ / low_);
  }
  return (value - low_) / (high_ - low_);
}

bool Axis::can_show(double value) const {
  return std::isfinite(value) && (scale_ == Scale::linear || value > 0.0);
}

std::vector<Tick> Axis::ticks(int about) const {
  std::vector<Tick> ticks;
  if (scale_ == Scale::linear) {
    for (const double value : round_values(low_, high_, about)) {
      ticks.push_back({value, tick_label(value)});
    }
    return ticks;
  }
  const double decades = std::log10(high_ / low_);
  // Many decades: label powers of ten, and only every few of them; few decades: also 2 and 5.
  const int every = std::max(1, static_cast<int>(std::ceil(decades / std::max(about, 1))));
  const int first = static_cast<int>(std::floor(std::log10(low_) - 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high_) + 1e-9));
  for (int exponent = first; exponent <= last; ++exponent) {
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10.0, exponent);
      if (value < low_ * (1 - 1e-9) || value > high_ * (1 + 1e-9)) continue;
      const bool labelled =
          digit == 1 ? exponent % every == 0 : (digit == 2 || digit == 5) && decades < 2.5;
      if (labelled || decades < 6.0) ticks.push_back({value, labelled ? tick_label(value) : ""});
    }
  }
  return ticks;
}

}  // namespace nw::report
