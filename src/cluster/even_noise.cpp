// Cells of a grid over the box around all rows are counted. Of a Poisson process of rate l, N_m
// cells hold m rows, and m N_m / N_{m-1} = l for every m; clusters fill cells far beyond that and
// do not change the first ratios. Where clusters thin out into empty space, rates of many sizes
// mix: the ratios grow with m, and that of N_1 to N_0 does not grow with the size of the cells.
// A row then counts as noise where the ball to its fifth neighbour would hold so few rows of the
// noise alone only once in fifty (its mass has a Gamma distribution). The limits were chosen on
// half of the sets of docs/measurements/cluster_measured.md.
#include "cluster/even_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "cluster/row_index.hpp"

namespace nw::cluster {
namespace {

constexpr std::size_t kMostColumns = 3, kFewestRows = 200;
constexpr double kFewestCells = 8.0, kLeastRate = 0.7, kMostShare = 0.5;
/// Of the second ratio over the first, and of the rate over what smaller cells make it: both are 1.
constexpr double kMostOver = 1.6, kLeastGrowth = 0.8;

struct Box {
  std::vector<double> low, width;
};

Box box_of(MatrixView rows) {
  Box box{.low = std::vector<double>(rows.cols(), std::numeric_limits<double>::infinity()),
          .width = std::vector<double>(rows.cols(), -std::numeric_limits<double>::infinity())};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t c = 0; c < rows.cols(); ++c) {
      box.low[c] = std::min(box.low[c], rows(i, c));
      box.width[c] = std::max(box.width[c], rows(i, c));
    }
  }
  for (std::size_t c = 0; c < rows.cols(); ++c) box.width[c] -= box.low[c];
  return box;
}

/// Rows of the unit box.
Matrix in_unit_box(MatrixView rows, const Box& box) {
  Matrix unit(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    for (std::size_t c = 0; c < rows.cols(); ++c) {
      unit(i, c) = (rows(i, c) - box.low[c]) / box.width[c];
    }
  }
  return unit;
}

struct Cells {
  double all = 0.0;
  std::array<double, 3> holding{};  // none, one, two rows

  [[nodiscard]] bool enough() const {
    return std::ranges::all_of(holding, [](double count) { return count >= kFewestCells; });
  }
  [[nodiscard]] double rate() const { return holding[1] / holding[0]; }
  [[nodiscard]] double second_rate() const { return 2.0 * holding[2] / holding[1]; }
};

/// Of a grid whose cells hold `rows_each` on average.
Cells count_cells(const Matrix& unit, double rows_each) {
  const auto n = static_cast<double>(unit.rows()), d = static_cast<double>(unit.cols());
  const auto side = std::max<std::size_t>(
      2, static_cast<std::size_t>(std::lround(std::pow(n / rows_each, 1 / d))));
  std::size_t all = 1;
  for (std::size_t c = 0; c < unit.cols(); ++c) all *= side;
  std::vector<std::uint32_t> held(all, 0);
  for (std::size_t i = 0; i < unit.rows(); ++i) {
    std::size_t cell = 0;
    for (const double value : unit.row(i)) {
      const auto place = static_cast<std::size_t>(value * static_cast<double>(side));
      cell = cell * side + std::min(place, side - 1);
    }
    ++held[cell];
  }
  Cells cells{.all = static_cast<double>(all)};
  for (const auto count : held) {
    if (count < cells.holding.size()) cells.holding[count] += 1.0;
  }
  return cells;
}

/// Rows that noise has in the whole box; 0: no rate is seen.
double expected_noise(const Matrix& unit) {
  const auto n = static_cast<double>(unit.rows());
  for (const double rows_each : {4.0, 8.0, 16.0, 32.0, 64.0}) {
    const Cells cells = count_cells(unit, rows_each), smaller = count_cells(unit, rows_each / 2.0);
    if (!cells.enough() || !smaller.enough() || cells.rate() < kLeastRate) continue;
    const double growth = cells.rate() / smaller.rate() / (smaller.all / cells.all);
    if (growth < kLeastGrowth || cells.second_rate() > kMostOver * cells.rate()) return 0.0;
    const double expected = std::sqrt(cells.rate() * cells.second_rate()) * cells.all;
    return expected <= kMostShare * n ? expected : 0.0;
  }
  return 0.0;
}

double volume_of_unit_ball(std::size_t d) {
  const double half = 0.5 * static_cast<double>(d);
  return std::pow(std::numbers::pi, half) / std::tgamma(half + 1.0);
}

}  // namespace

std::optional<EvenNoise> even_noise(MatrixView rows, int threads) {
  constexpr std::size_t kNeighbour = 5;
  constexpr double kLeastMass = 1.5295;  // that Gamma(5) falls below once in fifty
  if (rows.cols() > kMostColumns || rows.rows() < kFewestRows) return {};
  const Box box = box_of(rows);
  if (std::ranges::any_of(box.width, [](double width) { return !(width > 0.0); })) return {};
  const Matrix unit = in_unit_box(rows, box);
  EvenNoise found{.expected = expected_noise(unit), .noise = std::vector<bool>(rows.rows())};
  if (found.expected == 0.0) return {};
  const auto near = RowIndex(unit).nearest(unit, kNeighbour, /*skip_self=*/true, threads);
  const double ball = found.expected * volume_of_unit_ball(rows.cols());
  const double half = 0.5 * static_cast<double>(rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const double squared = near.distance[(i + 1) * kNeighbour - 1];
    found.noise[i] = ball * std::pow(squared, half) >= kLeastMass;
  }
  return found;
}

}  // namespace nw::cluster
