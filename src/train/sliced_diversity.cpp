#include "train/sliced_diversity.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nw::train {
namespace {

constexpr std::int64_t kDirections = 32;

}  // namespace

torch::Tensor sliced_distances(const torch::Tensor& points, const std::vector<std::int64_t>& counts,
                               Draws& draws) {
  const std::int64_t dim = points.size(1);
  auto directions = draws.normal({dim, kDirections});
  directions = directions / directions.norm(2, 0, /*keepdim=*/true);
  const std::int64_t rows = *std::min_element(counts.begin(), counts.end());
  std::vector<torch::Tensor> sorted;
  std::int64_t begin = 0;
  for (const auto count : counts) {
    const auto projected = at::mm(points.narrow(0, begin, rows), directions);
    sorted.push_back(std::get<0>(projected.sort(0)));
    begin += count;
  }
  const auto all = torch::stack(sorted);  // [k, rows, directions]
  const auto sliced = (all.unsqueeze(0) - all.unsqueeze(1)).abs().mean({2, 3});
  // Mean length of a unit vector's projection on a random direction.
  const double half = static_cast<double>(dim) / 2.0;
  const double projection =
      std::exp(std::lgamma(half) - std::lgamma(half + 0.5)) / std::sqrt(std::numbers::pi);
  return sliced / projection;
}

}  // namespace nw::train
