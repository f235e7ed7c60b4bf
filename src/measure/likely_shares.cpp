#include "nw/measure/likely_shares.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"

namespace nw::measure {

std::vector<double> likely_shares(MatrixView posterior, std::span<const double> prior,
                                  const LikelySharesOptions& options) {
  const std::span<const std::uint32_t> counts = options.counts;
  const std::span<const double> start = options.start.empty() ? prior : options.start;
  require(posterior.rows() > 0 && posterior.cols() == prior.size(), "posteriors of ",
          posterior.cols(), " classes, proportions of ", prior.size());
  for (const double p : prior) require(p > 0.0, "a prior must be positive, got ", p);
  require(counts.empty() || counts.size() == posterior.rows(), "likely_shares: ", counts.size(),
          " counts for ", posterior.rows(), " rows");
  require(start.size() == prior.size(), "likely_shares: starts at ", start.size(), " shares of ",
          prior.size(), " classes");
  std::vector<double> pi(start.begin(), start.end());
  const std::size_t n = posterior.rows(), k = prior.size();
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) total += counts.empty() ? 1.0 : counts[i];
  std::vector<double> ratio(k), part(k), next(k);
  for (int iteration = 0; iteration < options.most_iterations; ++iteration) {
    for (std::size_t j = 0; j < k; ++j) ratio[j] = pi[j] / prior[j];
    std::fill(next.begin(), next.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      const double count = counts.empty() ? 1.0 : counts[i];
      if (count == 0.0) continue;
      const auto row = posterior.row(i);
      double sum = 0.0;
      for (std::size_t j = 0; j < k; ++j) sum += part[j] = ratio[j] * row[j];
      if (!(sum > 0.0)) continue;
      const double scale = count / sum;
      for (std::size_t j = 0; j < k; ++j) next[j] += scale * part[j];
    }
    double change = 0.0;
    for (std::size_t j = 0; j < k; ++j) {
      next[j] /= total;
      change = std::max(change, std::abs(next[j] - pi[j]));
    }
    pi.swap(next);
    if (change < options.tolerance) break;
  }
  return pi;
}

}  // namespace nw::measure
