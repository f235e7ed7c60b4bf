#include "ot/spatial_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace nw::ot {
namespace {

/// Enough rows to tell which coordinate spreads most.
constexpr std::size_t kSpreadSample = 512;

class Splitter {
 public:
  Splitter(std::span<const double> points, std::size_t dim, std::vector<std::uint32_t>& order)
      : points_(points), dim_(dim), order_(order), sum_(dim), square_(dim) {}

  void split(std::size_t begin, std::size_t end) {
    while (end - begin > 2) {
      const std::size_t axis = widest_axis(begin, end);
      const std::size_t middle = begin + left_rows(end - begin);
      const auto at = [this](std::size_t position) {
        return order_.begin() + static_cast<std::ptrdiff_t>(position);
      };
      std::nth_element(at(begin), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
        const double xa = points_[a * dim_ + axis], xb = points_[b * dim_ + axis];
        return xa < xb || (xa == xb && a < b);
      });
      split(begin, middle);
      begin = middle;
    }
  }

 private:
  /// How many of `size` rows go to the left: about half, and a multiple of a large power of two.
  static std::size_t left_rows(std::size_t size) {
    if (size <= 256) return std::bit_ceil(size) / 2;
    const std::size_t unit = std::bit_floor(size / 4);
    return (size / 2 + unit / 2) / unit * unit;
  }

  std::size_t widest_axis(std::size_t begin, std::size_t end) {
    const std::size_t step = std::max<std::size_t>(1, (end - begin) / kSpreadSample);
    std::fill(sum_.begin(), sum_.end(), 0.0);
    std::fill(square_.begin(), square_.end(), 0.0);
    double count = 0.0;
    for (std::size_t i = begin; i < end; i += step, ++count) {
      const double* row = points_.data() + order_[i] * dim_;
      for (std::size_t k = 0; k < dim_; ++k) {
        sum_[k] += row[k];
        square_[k] += row[k] * row[k];
      }
    }
    std::size_t widest = 0;
    double most = -1.0;
    for (std::size_t k = 0; k < dim_; ++k) {
      const double spread = square_[k] - sum_[k] * sum_[k] / count;
      if (spread > most) most = spread, widest = k;
    }
    return widest;
  }

  std::span<const double> points_;
  std::size_t dim_;
  std::vector<std::uint32_t>& order_;
  std::vector<double> sum_, square_;
};

}  // namespace

std::vector<std::uint32_t> spatial_order(std::span<const double> points, std::size_t dim) {
  std::vector<std::uint32_t> order(points.size() / dim);
  std::iota(order.begin(), order.end(), 0U);
  Splitter(points, dim, order).split(0, order.size());
  return order;
}

}  // namespace nw::ot
