#include "ot/merged_points.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <span>

#include "ot/masses.hpp"

namespace nw::ot {
namespace {

/// Merging pays from this share of copies among the points of both clouds.
constexpr double kSmallestShare = 0.125;

std::uint64_t hash_row(std::span<const double> row) {
  std::uint64_t hash = 0x9e3779b97f4a7c15u;
  for (const double value : row) {
    // Adding 0.0 turns -0.0 into 0.0, which equals it.
    hash = (hash ^ std::bit_cast<std::uint64_t>(value + 0.0)) * 0xff51afd7ed558ccdu;
    hash ^= hash >> 32;
  }
  return hash;
}

/// For each row, the first row that equals it. Two different rows of the same hash may part copies
/// that lie between them; those then stay unmerged, which costs time and nothing else.
std::vector<std::uint32_t> first_copies(const MatrixView& points) {
  struct Hashed {
    std::uint64_t hash;
    std::uint32_t row;
    auto operator<=>(const Hashed&) const = default;
  };
  std::vector<Hashed> order(points.rows());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = {hash_row(points.row(i)), static_cast<std::uint32_t>(i)};
  }
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> first(order.size());
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::uint32_t row = order[at].row;
    first[row] = row;
    if (at == 0 || order[at].hash != order[at - 1].hash) continue;
    const std::uint32_t candidate = first[order[at - 1].row];
    if (std::ranges::equal(points.row(row), points.row(candidate))) first[row] = candidate;
  }
  return first;
}

std::size_t count_distinct(std::span<const std::uint32_t> first) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < first.size(); ++i) count += first[i] == i;
  return count;
}

MergedCloud merge(const WeightedPoints& cloud, std::span<const std::uint32_t> first) {
  const std::size_t n = cloud.points.rows();
  MergedCloud merged{.points = Matrix(count_distinct(first), cloud.points.cols()),
                     .weights = {},
                     .group = std::vector<std::uint32_t>(n),
                     .point_weights = normalized_masses(cloud.weights, n)};
  for (std::size_t i = 0; i < n; ++i) {
    if (first[i] == i) {
      merged.group[i] = static_cast<std::uint32_t>(merged.weights.size());
      std::ranges::copy(cloud.points.row(i), merged.points.row(merged.weights.size()).begin());
      merged.weights.push_back(0.0);
    } else {
      merged.group[i] = merged.group[first[i]];
    }
    merged.weights[merged.group[i]] += merged.point_weights[i];
  }
  return merged;
}

/// The points with mass of each group, as runs of one list.
struct Members {
  std::vector<std::uint32_t> begin, points;

  explicit Members(const MergedCloud& cloud)
      : begin(cloud.weights.size() + 1, 0), points(cloud.group.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      begin[cloud.group[i] + 1] += cloud.point_weights[i] > 0.0;
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (cloud.point_weights[i] > 0.0) {
        points[next[cloud.group[i]]++] = static_cast<std::uint32_t>(i);
      }
    }
  }
};

/// Replaces group ids at `end` (a member of Flow) by points: the flows of a group are dealt out to
/// its points in turn, which adds at most one flow per point beyond the first. The last point of a
/// group takes what rounding leaves.
std::vector<Flow> deal_out(std::vector<Flow> flows, std::uint32_t Flow::*end,
                           const MergedCloud& cloud) {
  const Members members(cloud);
  std::ranges::stable_sort(flows, {}, end);
  std::vector<Flow> dealt;
  dealt.reserve(flows.size() + cloud.group.size());
  for (std::size_t at = 0; at < flows.size();) {
    const std::uint32_t group = flows[at].*end;
    std::uint32_t p = members.begin[group];
    const std::uint32_t last = members.begin[group + 1] - 1;
    double room = cloud.point_weights[members.points[p]];
    for (; at < flows.size() && flows[at].*end == group; ++at) {
      Flow flow = flows[at];
      const bool final_flow = at + 1 == flows.size() || flows[at + 1].*end != group;
      double left = flow.mass;
      // The last flow visits every point that still has room.
      while (p < last && (left > room || (final_flow && left > 0.0))) {
        const double take = std::min(left, room);
        if (take > 0.0) {
          flow.*end = members.points[p];
          flow.mass = take;
          dealt.push_back(flow);
        }
        left -= take;
        room = cloud.point_weights[members.points[++p]];
      }
      if (left > 0.0) {
        flow.*end = members.points[p];
        flow.mass = left;
        dealt.push_back(flow);
        room -= left;
      }
    }
  }
  return dealt;
}

std::vector<double> spread(std::span<const double> potential, const MergedCloud& cloud) {
  std::vector<double> all(cloud.group.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = potential[cloud.group[i]];
  return all;
}

std::vector<double> gather(std::span<const double> potential, const MergedCloud& cloud) {
  std::vector<double> merged(cloud.weights.size(), 0.0);
  for (std::size_t i = 0; i < potential.size(); ++i) merged[cloud.group[i]] = potential[i];
  return merged;
}

bool before(const Flow& a, const Flow& b) {
  return a.source != b.source ? a.source < b.source : a.target < b.target;
}

}  // namespace

PointProblem MergedProblem::view() const {
  return {.source = {.points = source.points, .weights = source.weights},
          .target = {.points = target.points, .weights = target.weights},
          .cost = cost};
}

TransportResult MergedProblem::expand(const TransportResult& merged) const {
  TransportResult result = merged;
  result.plan = deal_out(std::move(result.plan), &Flow::source, source);
  result.plan = deal_out(std::move(result.plan), &Flow::target, target);
  std::ranges::sort(result.plan, before);
  result.source_potential = spread(merged.source_potential, source);
  result.target_potential = spread(merged.target_potential, target);
  return result;
}

TransportResult MergedProblem::contract(const TransportResult& given) const {
  TransportResult result = given;
  for (Flow& flow : result.plan) {
    flow.source = source.group[flow.source];
    flow.target = target.group[flow.target];
  }
  std::ranges::sort(result.plan, before);
  std::size_t kept = 0;
  for (const Flow& flow : result.plan) {
    if (kept > 0 && result.plan[kept - 1].source == flow.source &&
        result.plan[kept - 1].target == flow.target) {
      result.plan[kept - 1].mass += flow.mass;
    } else {
      result.plan[kept++] = flow;
    }
  }
  result.plan.resize(kept);
  result.source_potential = gather(given.source_potential, source);
  result.target_potential = gather(given.target_potential, target);
  return result;
}

std::optional<MergedProblem> merge_copies(const PointProblem& problem) {
  const auto first_source = first_copies(problem.source.points);
  const auto first_target = first_copies(problem.target.points);
  const std::size_t points = first_source.size() + first_target.size();
  const std::size_t distinct = count_distinct(first_source) + count_distinct(first_target);
  const double copies = static_cast<double>(points - distinct);
  if (copies < kSmallestShare * static_cast<double>(points)) return std::nullopt;
  return MergedProblem{.source = merge(problem.source, first_source),
                       .target = merge(problem.target, first_target),
                       .cost = problem.cost};
}

}  // namespace nw::ot
