#include "ot/pass_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ot/block_kernels.hpp"

namespace nw::ot {
namespace {

/// Pairs of blocks whose bounds are kept: 64 MB, 130 000 points a side.
constexpr std::size_t kMostPairs = std::size_t{1} << 24;

std::size_t blocks_of(std::span<const double> points) {
  return (points.size() + kBlockSize - 1) / kBlockSize;
}

/// By how much the potentials of each block have risen at most, rounded up.
std::vector<double> rises(std::span<const double> before, std::span<const double> now) {
  std::vector<double> rise(blocks_of(now), -std::numeric_limits<double>::infinity());
  double largest = 0.0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    double& most = rise[i / kBlockSize];
    most = std::max(most, now[i] - before[i]);
    largest = std::max({largest, std::fabs(now[i]), std::fabs(before[i])});
  }
  // What sums of a few such numbers lose by rounding, here and where bounds are found.
  for (double& value : rise) value += 16.0 * std::numeric_limits<double>::epsilon() * largest;
  return rise;
}

}  // namespace

bool PassBounds::follow(std::span<const double> f, std::span<const double> g) {
  const std::size_t rows = blocks_of(f), columns = blocks_of(g);
  if (rows * columns > kMostPairs) return false;
  if (lowest_.empty()) {
    columns_ = columns;
    lowest_.assign(rows * columns, std::numeric_limits<float>::lowest());
  } else {
    const std::vector<double> f_rise = rises(f_, f), g_rise = rises(g_, g);
    for (std::size_t b = 0; b < rows; ++b) {
      const std::span<float> bounds = row(b);
      for (std::size_t c = 0; c < columns; ++c) {
        const double bound = static_cast<double>(bounds[c]) - f_rise[b] - g_rise[c];
        bounds[c] = std::nextafter(static_cast<float>(std::max(bound, -1e38)),
                                   -std::numeric_limits<float>::max());
      }
    }
  }
  f_.assign(f.begin(), f.end());
  g_.assign(g.begin(), g.end());
  return true;
}

}  // namespace nw::ot
