#include "gan/spread_start.hpp"

#include <cmath>
#include <vector>

namespace nw::gan {
namespace {

using torch::Tensor;

// One choice may put two rows into a large cluster and none into a small one; the best of several
// hardly ever does.
constexpr std::uint64_t kRestarts = 20;

/// Rows chosen and the sum of squared distances to the nearest of them.
struct Choice {
  std::vector<std::int64_t> rows;
  double potential = 0.0;
};

std::int64_t draw_by(const Tensor& mass, Rng& rng) {
  const auto values = mass.to(torch::kFloat64);
  const double* first = values.data_ptr<double>();
  return static_cast<std::int64_t>(
      rng.categorical({first, static_cast<std::size_t>(values.numel())}));
}

Choice choose(const Tensor& rows, std::int64_t count, Rng rng) {
  const int candidates = 2 + static_cast<int>(std::log(static_cast<double>(count) + 1.0));
  Choice choice;
  Tensor nearest = torch::ones({rows.size(0)}, rows.options());
  for (std::int64_t j = 0; j < count; ++j) {
    std::int64_t best_row = -1;
    Tensor best_nearest;
    for (int c = 0; c < (j == 0 ? 1 : candidates); ++c) {
      const bool exhausted = !(nearest.sum().item<double>() > 0.0);
      const auto row = draw_by(exhausted ? torch::ones_like(nearest) : nearest, rng);
      const auto distance = (rows - rows[row]).square().sum(1);
      const auto trial = j == 0 ? distance : torch::minimum(nearest, distance);
      const double potential = trial.sum().item<double>();
      if (best_row < 0 || potential < choice.potential) {
        choice.potential = potential;
        best_row = row;
        best_nearest = trial;
      }
    }
    nearest = best_nearest;
    choice.rows.push_back(best_row);
  }
  return choice;
}

}  // namespace

Tensor spread_rows(const Tensor& rows, std::int64_t count, Rng rng) {
  Choice best;
  for (std::uint64_t restart = 0; restart < kRestarts; ++restart) {
    Choice choice = choose(rows, count, rng.split(restart));
    if (restart == 0 || choice.potential < best.potential) best = std::move(choice);
  }
  return rows.index_select(0, torch::tensor(best.rows, torch::kInt64));
}

}  // namespace nw::gan
