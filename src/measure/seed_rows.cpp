#include "measure/seed_rows.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "measure/dense.hpp"

namespace nw::measure {

int greedy_candidates(std::size_t count) {
  return 2 + static_cast<int>(std::log(static_cast<double>(count) + 1.0));
}

SeedRows seed_rows(const ot::WeightedPoints& data, std::size_t count, int candidates, Rng& rng) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto points = as_eigen(data.points);
  const Eigen::VectorXd weights = data.weights.empty() ? Eigen::VectorXd::Ones(points.rows()).eval()
                                                       : Eigen::VectorXd(as_eigen(data.weights));
  SeedRows seeds;
  Eigen::VectorXd nearest = Eigen::VectorXd::Constant(points.rows(), kInfinity);
  while (seeds.rows.size() < count) {
    const bool first = seeds.rows.empty();
    Eigen::VectorXd mass = weights;
    if (!first) mass.array() *= nearest.array();
    // Fewer distinct points than centres: repeat one, its twin will stay without mass.
    if (!(mass.sum() > 0.0)) mass = weights;
    std::size_t best = 0;
    Eigen::VectorXd best_nearest;
    seeds.potential = kInfinity;
    for (int c = 0; c < (first ? 1 : candidates); ++c) {
      const std::size_t row = rng.categorical({mass.data(), static_cast<std::size_t>(mass.size())});
      const auto centre = points.row(static_cast<Eigen::Index>(row));
      Eigen::VectorXd trial = (points.rowwise() - centre).rowwise().squaredNorm().cwiseMin(nearest);
      const double potential = trial.dot(weights);
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
