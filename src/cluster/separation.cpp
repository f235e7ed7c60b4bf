#include "cluster/separation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nw/base/error.hpp"

#include "cluster/row_index.hpp"

namespace nw::cluster {
namespace {

/// The value below which a share q lies; `values` are reordered, there is at least one.
double quantile(std::vector<double>& values, double q) {
  const auto place = static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

}  // namespace

double Separation::apart() const {
  return valley - std::log(kLeastCut + cut);
}

double Separation::score() const {
  return apart() + balance;
}

Neighbourhood neighbourhood(MatrixView rows, std::size_t count, int threads) {
  const std::size_t m = std::min(count, rows.rows() - 1);
  return neighbourhood(RowIndex(rows).nearest(rows, m, /*skip_self=*/true, threads), rows.cols());
}

Neighbourhood neighbourhood(NearestRows near, std::size_t columns) {
  const std::size_t m = near.count, n = near.row.size() / m;
  // The volume of a ball grows with the power d of its radius, but the places that points fill
  // have few dimensions: beyond three, differences of density would drown everything else.
  const double power = static_cast<double>(std::min<std::size_t>(columns, 3));
  Neighbourhood around{.near = std::move(near), .log_density = std::vector<double>(n)};
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    around.log_density[i] = std::sqrt(around.near.distance[i * m + m - 1]);
    mean += around.log_density[i] / static_cast<double>(n);
  }
  constexpr double kDuplicate = 1e-3;  // of the mean radius: equal points have no density
  const double least = mean > 0.0 ? kDuplicate * mean : 1.0;
  for (double& value : around.log_density) value = -power * std::log(std::max(value, least));
  return around;
}

Separation separation(const Neighbourhood& around, std::span<const std::uint32_t> cluster,
                      std::size_t k) {
  const std::size_t n = cluster.size(), m = around.near.count;
  const auto& density = around.log_density;
  std::vector<double> ties(k, 0.0), cut(k, 0.0), size(k, 0.0);
  std::vector<std::vector<double>> inside(k), border(k);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t own = cluster[i];
    size[own] += 1.0;
    inside[own].push_back(density[i]);
    for (std::size_t c = 0; c < m; ++c) {
      const std::size_t other = around.near.row[i * m + c];
      ties[own] += 1.0;
      ties[cluster[other]] += 1.0;
      if (cluster[other] == own) continue;
      const double saddle = std::min(density[i], density[other]);
      for (const std::uint32_t j : {own, cluster[other]}) {
        cut[j] += 1.0;
        border[j].push_back(saddle);
      }
    }
  }
  constexpr double kBorder = 0.75, kMostValley = 3.0;
  // Every cluster is taken to have half a point more, all of whose ties lead out: what few points
  // show is no more certain than that. A clump of twelve would else be the best cluster there is,
  // since all of its ties stay inside.
  const double unseen = 0.5 * 2.0 * static_cast<double>(m);
  const double none = *std::ranges::min_element(density) - 1.0;
  Separation result{.valley = kMostValley};
  for (std::size_t j = 0; j < k; ++j) {
    result.cut += (cut[j] + unseen) / (ties[j] + unseen) / static_cast<double>(k);
    const double saddle = border[j].empty() ? none : quantile(border[j], kBorder);
    result.valley =
        std::clamp(quantile(inside[j], 0.5) - std::max(saddle, none), -kMostValley, result.valley);
    const double share = size[j] / static_cast<double>(n);
    result.balance -= share * std::log(share) / std::log(static_cast<double>(k));
  }
  return result;
}

}  // namespace nw::cluster
