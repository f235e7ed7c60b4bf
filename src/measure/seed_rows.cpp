// A centre that lies at least twice as far from a row's nearest centre as the row itself does is no
// nearer to it (triangle inequality; Elkan 2003, lemma 1): such rows are not looked at, which
// leaves the answer as it is. Of a hundred centres in a hundred columns that is half of the work,
// and the work is most of that of k-means.
#include "measure/seed_rows.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "measure/dense.hpp"

namespace nw::measure {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double squared_distance(const double* x, const double* y, std::size_t d) {
  double even = 0.0, odd = 0.0, third = 0.0, fourth = 0.0;  // sums that do not wait for each other
  std::size_t c = 0;
  for (; c + 4 <= d; c += 4) {
    even += (x[c] - y[c]) * (x[c] - y[c]);
    odd += (x[c + 1] - y[c + 1]) * (x[c + 1] - y[c + 1]);
    third += (x[c + 2] - y[c + 2]) * (x[c + 2] - y[c + 2]);
    fourth += (x[c + 3] - y[c + 3]) * (x[c + 3] - y[c + 3]);
  }
  for (; c < d; ++c) even += (x[c] - y[c]) * (x[c] - y[c]);
  return (even + odd) + (third + fourth);
}

/// Which centre each row is nearest to, and how far that is.
struct Nearest {
  std::vector<double> distance;  // [n], squared
  std::vector<std::uint32_t> centre;
};

/// What becomes of it with another centre at `row`, the next after those in `rows`.
Nearest with_centre(MatrixView points, const Nearest& before, const std::vector<std::size_t>& rows,
                    std::size_t row) {
  constexpr double kHalf = 0.25 * (1.0 - 1e-9);  // squared; less what rounding may add
  const std::size_t n = points.rows(), d = points.cols();
  const double* const at = points.row(row).data();
  std::vector<double> reach(rows.size());  // rows nearer than this to their centre stay there
  for (std::size_t j = 0; j < rows.size(); ++j) {
    reach[j] = kHalf * squared_distance(points.row(rows[j]).data(), at, d);
  }
  Nearest after = before;
  const double* x = points.values().data();
  for (std::size_t i = 0; i < n; ++i, x += d) {
    if (!rows.empty() && before.distance[i] <= reach[before.centre[i]]) continue;
    const double distance = squared_distance(x, at, d);
    if (distance < before.distance[i]) {
      after.distance[i] = distance;
      after.centre[i] = static_cast<std::uint32_t>(rows.size());
    }
  }
  return after;
}

}  // namespace

int greedy_candidates(std::size_t count) {
  return 2 + static_cast<int>(std::log(static_cast<double>(count) + 1.0));
}

SeedRows seed_rows(const ot::WeightedPoints& data, std::size_t count, int candidates, Rng& rng) {
  const std::size_t n = data.points.rows();
  const Eigen::VectorXd weights = data.weights.empty()
                                      ? Eigen::VectorXd::Ones(static_cast<Eigen::Index>(n)).eval()
                                      : Eigen::VectorXd(as_eigen(data.weights));
  SeedRows seeds;
  Nearest nearest{.distance = std::vector<double>(n, kInfinity),
                  .centre = std::vector<std::uint32_t>(n, 0)};
  while (seeds.rows.size() < count) {
    const bool first = seeds.rows.empty();
    Eigen::VectorXd mass = weights;
    if (!first) mass.array() *= as_eigen(std::span(nearest.distance)).array();
    // Fewer distinct points than centres: repeat one, its twin will stay without mass.
    if (!(mass.sum() > 0.0)) mass = weights;
    std::size_t best = 0;
    Nearest best_nearest;
    seeds.potential = kInfinity;
    for (int c = 0; c < (first ? 1 : candidates); ++c) {
      const std::size_t row = rng.categorical({mass.data(), static_cast<std::size_t>(mass.size())});
      Nearest trial = with_centre(data.points, nearest, seeds.rows, row);
      const double potential = as_eigen(std::span(trial.distance)).dot(weights);
      if (potential < seeds.potential) {
        seeds.potential = potential;
        best = row;
        best_nearest = std::move(trial);
      }
    }
    nearest = std::move(best_nearest);
    seeds.rows.push_back(best);
  }
  return seeds;
}

}  // namespace nw::measure
