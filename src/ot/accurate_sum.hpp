// Private: sums and scalar products that lose nothing to cancellation.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>

namespace nw::ot {

/// A sum kept as two doubles (Knuth's two-sum), good to about 1e-32 of the largest partial sum.
class AccurateSum {
 public:
  AccurateSum() = default;
  explicit AccurateSum(double value) : high_(value) {}

  void add(double term) noexcept {
    const double sum = high_ + term;
    const double shadow = sum - high_;
    low_ += (high_ - (sum - shadow)) + (term - shadow);
    high_ = sum;
  }
  void add(const AccurateSum& other) noexcept { add(other.high_), add(other.low_); }
  void subtract(const AccurateSum& other) noexcept { add(-other.high_), add(-other.low_); }
  void add_product(double a, double b) noexcept {
    const double product = a * b;
    add(product);
    low_ += std::fma(a, b, -product);
  }
  [[nodiscard]] double value() const noexcept { return high_ + low_; }

 private:
  double high_ = 0.0, low_ = 0.0;
};

[[nodiscard]] inline double accurate_dot(std::span<const double> a, std::span<const double> b) {
  AccurateSum sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum.add_product(a[i], b[i]);
  return sum.value();
}

}  // namespace nw::ot
