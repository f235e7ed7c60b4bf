#include "adapt/spread_centres.hpp"

#include <vector>

#include "nw/bridge/tensor_matrix.hpp"

#include "measure/seed_rows.hpp"

namespace nw::adapt {
namespace {

using torch::Tensor;

constexpr std::uint64_t kStarts = 10;
constexpr int kIterations = 30;

/// Squared distances between rows and centres: [n, count].
Tensor distances(const Tensor& rows, const Tensor& centres) {
  return (rows.unsqueeze(1) - centres.unsqueeze(0)).square().sum(2);
}

}  // namespace

Tensor spread_centres(const Tensor& rows, std::int64_t count, const Rng& rng) {
  const torch::NoGradGuard no_grad;
  const Matrix points = bridge::to_matrix(rows);
  Tensor best;
  double least = 0.0;
  for (std::uint64_t start = 0; start < kStarts; ++start) {
    Rng stream = rng.split(start);
    const auto seeds = measure::seed_rows({.points = points}, static_cast<std::size_t>(count),
                                          /*candidates=*/1, stream);
    const std::vector<std::int64_t> chosen(seeds.rows.begin(), seeds.rows.end());
    Tensor centres = rows.index_select(0, torch::tensor(chosen, torch::kInt64));
    for (int i = 0; i < kIterations; ++i) {
      const auto nearest = distances(rows, centres).argmin(1);
      for (std::int64_t j = 0; j < count; ++j) {
        const auto members = (nearest == j).nonzero().flatten();
        if (members.numel() > 0) centres[j] = rows.index_select(0, members).mean(0);
      }
    }
    const double spread = std::get<0>(distances(rows, centres).min(1)).sum().item<double>();
    if (!best.defined() || spread < least) {
      best = centres;
      least = spread;
    }
  }
  return best;
}

}  // namespace nw::adapt
