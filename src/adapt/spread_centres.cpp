#include "adapt/spread_centres.hpp"

#include <vector>

namespace nw::adapt {
namespace {

using torch::Tensor;

constexpr std::uint64_t kStarts = 10;
constexpr int kIterations = 30;

/// Squared distances between rows and centres: [n, count].
Tensor distances(const Tensor& rows, const Tensor& centres) {
  return (rows.unsqueeze(1) - centres.unsqueeze(0)).square().sum(2);
}

Tensor first_centres(const Tensor& rows, std::int64_t count, Rng rng) {
  std::vector<std::int64_t> chosen;
  Tensor nearest = torch::ones({rows.size(0)}, rows.options().dtype(torch::kFloat64));
  while (static_cast<std::int64_t>(chosen.size()) < count) {
    const auto mass = nearest.sum().item<double>() > 0.0 ? nearest : torch::ones_like(nearest);
    const double* first = mass.data_ptr<double>();
    chosen.push_back(static_cast<std::int64_t>(
        rng.categorical({first, static_cast<std::size_t>(mass.numel())})));
    const auto to_last = (rows - rows[chosen.back()]).square().sum(1).to(torch::kFloat64);
    nearest = chosen.size() == 1 ? to_last : torch::minimum(nearest, to_last);
  }
  return rows.index_select(0, torch::tensor(chosen, torch::kInt64));
}

}  // namespace

Tensor spread_centres(const Tensor& rows, std::int64_t count, const Rng& rng) {
  const torch::NoGradGuard no_grad;
  Tensor best;
  double least = 0.0;
  for (std::uint64_t start = 0; start < kStarts; ++start) {
    Tensor centres = first_centres(rows, count, rng.split(start));
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
