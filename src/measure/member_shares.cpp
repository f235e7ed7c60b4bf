#include "nw/measure/member_shares.hpp"

#include <algorithm>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

#include "measure/shared_em.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {
namespace {

/// Mean variance of a coordinate within components.
double inner_variance(const Mixture& mixture) {
  double sum = 0.0, count = 0.0;
  for (const auto& component : mixture.components) {
    for (const double value : component.factor.view().values()) sum += value * value;
    count += static_cast<double>(component.centre.size());
  }
  return count > 0.0 ? sum / count : 0.0;
}

}  // namespace

MemberShares::MemberShares(const NwResult& fit, std::vector<double> pi, int threads)
    : fit_(fit),
      pi_(std::move(pi)),
      sum_(pi_.size(), 0.0),
      ridge_(density_ridge(inner_variance(fit.mixture))),
      threads_(resolve_threads(threads)) {
  require(pi_.size() == fit.mixture.size(), "MemberShares: ", pi_.size(), " shares of ",
          fit.mixture.size(), " components");
}

void MemberShares::add(MatrixView rows) {
  constexpr std::size_t kBlock = 4096;
  const ComponentDensity density(fit_.mixture, ridge_);
  const std::size_t blocks = (rows.rows() + kBlock - 1) / kBlock;
  std::vector<std::vector<double>> partial(blocks);
  parallel_for(threads_, blocks, 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t begin = b * kBlock, count = std::min(kBlock, rows.rows() - begin);
      Matrix block(count, fit_.reduction.dim);
      for (std::size_t i = 0; i < count; ++i) {
        std::ranges::copy(reduce(fit_.reduction, rows.row(begin + i)), block.row(i).begin());
      }
      const std::vector<double> weights(count, 1.0);
      const Posterior p = posterior(density.log_density(block), pi_, weights);
      partial[b] = to_vector(p.probability.colwise().sum().transpose());
    }
  });
  for (const auto& part : partial) {
    for (std::size_t j = 0; j < sum_.size(); ++j) sum_[j] += part[j];
  }
  rows_ += rows.rows();
}

std::vector<double> MemberShares::mean() const {
  std::vector<double> shares = sum_;
  for (double& share : shares) share /= static_cast<double>(std::max<std::size_t>(rows_, 1));
  return shares;
}

}  // namespace nw::measure
