#include "ot/warm_start.hpp"

#include <cmath>
#include <cstdint>
#include <span>

#include "ot/block_search.hpp"
#include "ot/coarse_plan.hpp"

namespace nw::ot {
namespace {

/// Largest sum of differences between masses for which the earlier result is worth more than coarse
/// levels (measured on mixtures of eight Gaussians).
constexpr double kNearMasses = 0.02;
constexpr std::int32_t kAbsent = -1;

/// Where each row of the user's matrix is in the solver's order.
std::vector<std::int32_t> places(std::span<const std::uint32_t> rows, std::size_t size) {
  std::vector<std::int32_t> place(size, kAbsent);
  for (std::size_t p = 0; p < rows.size(); ++p) place[rows[p]] = static_cast<std::int32_t>(p);
  return place;
}

/// Sum over the points of |mass - marginal|; `marginal` is by the user's rows and is used up.
double difference(const NormalizedSide& side, double total, std::vector<double> marginal) {
  for (std::size_t p = 0; p < side.rows.size(); ++p) {
    marginal[side.rows[p]] -= static_cast<double>(side.cloud.mass[p]) / total;
  }
  double sum = 0.0;
  for (const double left : marginal) sum += std::fabs(left);
  return sum;
}

}  // namespace

void check_warm_start(const TransportResult& earlier, std::size_t sources, std::size_t targets) {
  require(earlier.source_potential.size() == sources && earlier.target_potential.size() == targets,
          "ExactOptions.warm_start solves ", earlier.source_potential.size(), " x ",
          earlier.target_potential.size(), " points, the problem has ", sources, " x ", targets);
  for (const Flow& flow : earlier.plan) {
    require(flow.source < sources && flow.target < targets,
            "ExactOptions.warm_start has a plan between points ", flow.source, " and ", flow.target,
            ", the problem has ", sources, " x ", targets);
  }
}

WarmStart load_warm_start(const TransportResult* earlier, const NormalizedClouds& clouds,
                          GroundCost cost) {
  if (earlier == nullptr) return {};
  const PointCloud &x = clouds.source.cloud, &y = clouds.target.cloud;
  const std::size_t sources = x.size() + clouds.source.massless.size();
  const std::size_t targets = y.size() + clouds.target.massless.size();
  WarmStart warm;
  const auto source_place = places(clouds.source.rows, sources);
  const auto target_place = places(clouds.target.rows, targets);
  std::vector<double> source_marginal(sources, 0.0), target_marginal(targets, 0.0);
  for (const Flow& flow : earlier->plan) {
    source_marginal[flow.source] += flow.mass;
    target_marginal[flow.target] += flow.mass;
    const std::int32_t i = source_place[flow.source], j = target_place[flow.target];
    if (i == kAbsent || j == kAbsent) continue;
    warm.arcs.push_back({i, j,
                         point_cost(cost, x.row(static_cast<std::size_t>(i)),
                                    y.row(static_cast<std::size_t>(j)), x.dim)});
  }
  const double total = static_cast<double>(clouds.total_mass);
  warm.usable = difference(clouds.source, total, std::move(source_marginal)) <= kNearMasses &&
                difference(clouds.target, total, std::move(target_marginal)) <= kNearMasses;
  if (!warm.usable) return {};
  warm.arcs = leaves_first(warm.arcs, x.size(), y.size());
  warm.target_potential.resize(y.size());
  for (std::size_t j = 0; j < y.size(); ++j) {
    warm.target_potential[j] =
        std::ldexp(earlier->target_potential[clouds.target.rows[j]], -clouds.cost_exponent) -
        clouds.target.separable[j];
  }
  return warm;
}

}  // namespace nw::ot
