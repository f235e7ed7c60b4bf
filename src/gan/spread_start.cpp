#include "gan/spread_start.hpp"

#include <vector>

#include "nw/bridge/tensor_matrix.hpp"

#include "measure/seed_rows.hpp"

namespace nw::gan {
namespace {

// One choice may put two rows into a large cluster and none into a small one; the best of several
// hardly ever does.
constexpr std::uint64_t kRestarts = 20;

}  // namespace

torch::Tensor spread_rows(const torch::Tensor& rows, std::int64_t count, const Rng& rng) {
  const Matrix points = bridge::to_matrix(rows);
  const auto seeds = static_cast<std::size_t>(count);
  measure::SeedRows best;
  for (std::uint64_t restart = 0; restart < kRestarts; ++restart) {
    Rng stream = rng.split(restart);
    auto found =
        measure::seed_rows({.points = points}, seeds, measure::greedy_candidates(seeds), stream);
    if (restart == 0 || found.potential < best.potential) best = std::move(found);
  }
  const std::vector<std::int64_t> chosen(best.rows.begin(), best.rows.end());
  return rows.index_select(0, torch::tensor(chosen, torch::kInt64));
}

}  // namespace nw::gan
