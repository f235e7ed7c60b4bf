#include "adapt/weight_estimate.hpp"

#include <algorithm>
#include <numeric>

#include "nw/adapt/label_shift.hpp"
#include "nw/bridge/tensor_matrix.hpp"

namespace nw::adapt {
std::vector<std::int64_t> spread_rows(const std::vector<std::int64_t>& rows, std::int64_t most) {
  const auto count = static_cast<std::int64_t>(rows.size());
  if (count <= most) return rows;
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < most; ++i) {
    chosen.push_back(rows[static_cast<std::size_t>(i * count / most)]);
  }
  return chosen;
}

std::vector<std::int64_t> spread_rows(std::int64_t count, std::int64_t most) {
  std::vector<std::int64_t> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return spread_rows(rows, most);
}

std::vector<double> estimate_shares(const Prediction& source, std::span<const std::int64_t> rows,
                                    std::span<const std::int64_t> class_of,
                                    const Prediction& target, std::span<const double> prior) {
  const std::size_t k = prior.size();
  Matrix confusion(k, k);
  std::vector<double> count(k, 0.0);
  const auto posterior = bridge::to_matrix(source.posterior);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto truth = static_cast<std::size_t>(class_of[static_cast<std::size_t>(rows[i])]);
    count[truth] += 1.0;
    for (std::size_t j = 0; j < k; ++j) confusion(j, truth) += posterior(i, j);
  }
  for (std::size_t truth = 0; truth < k; ++truth) {
    for (std::size_t j = 0; j < k; ++j) {
      // A class that none of the rows has is taken to be told without fault.
      confusion(j, truth) =
          count[truth] > 0.0 ? confusion(j, truth) / count[truth] : (j == truth ? 1.0 : 0.0);
    }
  }
  const auto predicted = bridge::to_vector(target.posterior.mean(0));
  return confused_proportions(confusion, predicted, prior);
}

}  // namespace nw::adapt
