// Pruned search for small reduced costs between two point clouds, in single or double precision.
//
// For each query point the search looks at the blocks of the other cloud whose bounding box could
// hold a value under a threshold. Values are computed in `Real`; each is within a proven distance
// of the true one, so a search in single precision that rechecks its few finds in double precision
// is exact. Queries are handled a block at a time: boxes against boxes first, then the single
// query against the boxes that are left. When those are more than a cache holds, all queries of the
// block visit a tile of them before any goes on to the next tile.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "nw/ot/problem.hpp"

#include "ot/block_kernels.hpp"
#include "ot/point_cloud.hpp"

namespace nw::ot {

[[nodiscard]] double point_cost(GroundCost cost, const double* x, const double* y, std::size_t dim);

/// Bound of the error of a cost between points of norm `norm` computed in single precision.
[[nodiscard]] double single_precision_error(GroundCost cost, double norm, std::size_t dim);

/// A target found by a search: `value` is c(x, y) minus the potential of y.
struct Find {
  double value;
  std::uint32_t target;
  bool operator<(const Find& other) const {
    return value < other.value || (value == other.value && target < other.target);
  }
};

/// The points of block `block` out of `size`.
struct BlockRange {
  std::size_t begin, end;
  BlockRange(std::size_t block, std::size_t size)
      : begin(block * kBlockSize), end(begin + kBlockSize < size ? begin + kBlockSize : size) {}

  /// 0, 1, ...: where its points stand in the block.
  [[nodiscard]] std::span<const std::size_t> places() const {
    static constexpr auto kPlaces = [] {
      std::array<std::size_t, kBlockSize> place{};
      std::iota(place.begin(), place.end(), std::size_t{0});
      return place;
    }();
    return std::span(kPlaces).first(end - begin);
  }
};

/// From so many coordinates on the box around a point bounds costs no better than the box around
/// its block, and distances are what a search costs.
inline constexpr std::size_t kManyDimensions = 16;

/// What earlier searches found about a block of queries, for BlockSearch::below().
struct KnownBounds {
  /// For each block of the searched cloud: its reduced costs are at least this. Those of the blocks
  /// that a search visits are renewed. [blocks]
  std::span<float> lowest;
  /// Limits are this much below the potentials of the queries.
  double tolerance;
};

/// What BlockSearch::smallest() looks for.
struct SmallestQuery {
  /// For each query the exact minimum of its values, or what they are not below. [queries]
  std::span<const double> minimum;
  /// Becomes the exact minimum, unless empty. [queries] or empty
  std::span<double> exact;
  std::size_t count;  ///< targets for each query
};

/// A cloud to search in, with one potential per point.
template <typename Real>
class BlockSearch {
 public:
  BlockSearch(const PointCloud& cloud, const BlockLayout<Real>& layout, GroundCost cost,
              std::span<const double> potential);

  /// Memory that one thread reuses from query block to query block.
  struct Scratch {
    std::vector<Real> box_low, box_high, box_bounds, low, high, ceiling;
    std::vector<Real> centre, slope, radius, slope_square;  ///< of the kept blocks' cones
    std::vector<double> offsets, values;                    ///< for a fit
    alignas(64) Real value[4][kBlockSize];  ///< of the queries that just looked at a block
    std::vector<Real> bounds;               ///< [kBlockSize, blocks.size()]
    std::vector<Real> queries;              ///< [kBlockSize, dim]
    std::vector<std::uint32_t> blocks;      ///< those that any query of the block needs to visit
    std::vector<std::size_t> waiting;       ///< queries, by their place in the block
    // One entry for each query of the block:
    std::vector<double> threshold, error, reach;
    std::vector<std::vector<Find>> finds;
    std::vector<std::vector<std::uint64_t>> keys;
    double gap = 0.0;  ///< above the minimum, that held the last query's smallest values
  };

  /// For each query of block `block`, the exact minimum of c(x, y) - potential(y).
  void minima(const PointCloud& queries, const BlockLayout<Real>& query_layout, std::size_t block,
              Scratch& scratch, double* minimum) const;

  /// For each query of block `block`, calls take(query, keys) with the targets of smallest value as
  /// computed in `Real`, in no particular order: a key holds the target in its lower half.
  template <typename Take>
  void smallest(const PointCloud& queries, const BlockLayout<Real>& query_layout, std::size_t block,
                const SmallestQuery& wanted, Scratch& scratch, Take&& take) const;

  /// For each query of block `block`, calls take(query, finds) with the `count` targets of smallest
  /// exact value among those whose value lies below limit[query], in no particular order. `known`
  /// may be null, and must be unless bounds_by_block().
  template <typename Take>
  void below(const PointCloud& queries, const BlockLayout<Real>& query_layout, std::size_t block,
             std::span<const double> limit, std::size_t count, KnownBounds* known, Scratch& scratch,
             Take&& take) const;

  /// Whether searches bound blocks by cones: see ConeBlocks.
  [[nodiscard]] static bool has_cones(GroundCost cost, std::size_t dim);
  /// Whether a block is bounded for all queries of a block at once.
  [[nodiscard]] bool bounds_by_block() const {
    return slope_.empty() && layout_.dim >= kManyDimensions;
  }

 private:
  void load_block(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                  std::size_t block, Scratch& scratch) const;
  /// Keeps the blocks that may hold a value of at most scratch.reach for one of the queries named
  /// by `places`.
  void keep_blocks(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                   std::size_t block, std::span<const std::size_t> places, Scratch& scratch) const;
  void keep_by_boxes(std::span<const std::size_t> places, Scratch& scratch) const;
  void keep_by_cones(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                     std::size_t block, std::span<const std::size_t> places,
                     Scratch& scratch) const;
  [[nodiscard]] ConeBlocks<Real> cones() const {
    return {layout_.centre.data(), slope_.data(),        layout_.blocks,
            layout_.reach.data(),  slope_square_.data(), cone_ceiling_.data()};
  }
  /// Takes blocks that hold nothing below the limits off the kept ones, and forgets the bounds of
  /// the others.
  void drop_known(KnownBounds& known, Scratch& scratch) const;
  void fit_cones(std::span<const double> potential);
  /// Bounds every kept block for every query of the block named by `places`: scratch.bounds.
  /// Nothing to do where bounds_by_block().
  void bound_kept_blocks(std::span<const std::size_t> places, Scratch& scratch) const;
  [[nodiscard]] Real bound(std::size_t q, std::size_t kept, const Scratch& scratch) const {
    if (bounds_by_block()) return scratch.box_bounds[scratch.blocks[kept]];
    return scratch.bounds[q * scratch.blocks.size() + kept];
  }
  [[nodiscard]] std::size_t tile_size(std::size_t kept) const;
  /// Calls visit(q, b, values, smallest) for the queries `q` named by `places` and those of the
  /// kept blocks `b` for which needs(q, place of b among the kept) holds, tile by tile.
  template <typename Needs, typename Visit>
  void visit_kept_blocks(std::span<const std::size_t> places, Scratch& scratch, Needs&& needs,
                         Visit&& visit) const;
  Real evaluate(std::size_t q, std::size_t block, Scratch& scratch) const;
  void evaluate_four(const std::size_t* q, std::size_t block, Scratch& scratch,
                     Real* smallest) const;
  /// Calls take(lane, target) for the points of block `b` whose value is at most `limit`.
  template <typename Take>
  void for_each_at_most(double limit, std::size_t b, const Real* values, Take&& take) const;
  [[nodiscard]] double exact_value(const double* query, std::uint32_t target) const;
  /// Up to where values above the lowest must have been seen for the smallest exact one to be among
  /// scratch.keys[q].
  [[nodiscard]] double sure_gap(std::size_t q, const Scratch& scratch) const;
  [[nodiscard]] double exact_minimum(const double* query, std::size_t q,
                                     const Scratch& scratch) const;

  const PointCloud& cloud_;
  const BlockLayout<Real>& layout_;
  GroundCost cost_;
  const BlockKernels<Real>& kernels_;
  double centre_;  ///< subtracted from the potentials before rounding to Real
  std::vector<double> exact_potential_;
  std::vector<Real> potential_;  ///< [blocks * kBlockSize], centred; padding is very low
  std::vector<Real> ceiling_;    ///< [blocks], largest potential of the block plus slack_
  std::vector<double> slack_;    ///< [blocks], the block's share of the rounding error
  double largest_slack_ = 0.0;
  // Empty unless blocks are bounded by cones: see ConeBlocks.
  std::vector<Real> slope_, slope_square_, cone_ceiling_;
};

template <typename Real>
template <typename Needs, typename Visit>
void BlockSearch<Real>::visit_kept_blocks(std::span<const std::size_t> places, Scratch& scratch,
                                          Needs&& needs, Visit&& visit) const {
  const std::size_t kept = scratch.blocks.size(), tile = tile_size(kept);
  const std::size_t count = places.size();
  for (std::size_t first = 0; first < kept; first += tile) {
    const std::size_t last = std::min(first + tile, kept);
    for (std::size_t p = 0; p < count; p += 4) {
      const std::size_t group = std::min<std::size_t>(4, count - p);
      for (std::size_t s = first; s < last; ++s) {
        std::size_t needy[4], queries = 0;
        for (std::size_t t = 0; t < group; ++t) {
          const std::size_t q = places[p + t];
          needy[queries] = q;
          queries += needs(q, s) ? 1 : 0;
        }
        if (queries == 0) continue;
        const std::size_t b = scratch.blocks[s];
        if (queries >= 3) {  // four at once cost about as much as three one by one
          if (queries == 3) needy[3] = needy[2];
          Real smallest[4];
          evaluate_four(needy, b, scratch, smallest);
          for (std::size_t t = 0; t < queries; ++t) {
            visit(needy[t], b, scratch.value[t], smallest[t]);
          }
        } else {
          for (std::size_t t = 0; t < queries; ++t) {
            const Real smallest = evaluate(needy[t], b, scratch);
            visit(needy[t], b, scratch.value[0], smallest);
          }
        }
      }
    }
  }
}

template <typename Real>
template <typename Take>
void BlockSearch<Real>::for_each_at_most(double limit, std::size_t b, const Real* values,
                                         Take&& take) const {
  // The kernel compares in `Real`, with the limit rounded up.
  const double unit = std::numeric_limits<Real>::epsilon(), top = std::numeric_limits<Real>::max();
  const auto above = static_cast<Real>(std::min(limit + unit * std::fabs(limit), top));
  const std::size_t lanes = BlockRange(b, cloud_.size()).end - b * kBlockSize;
  std::uint32_t mask = kernels_.lanes_at_most(values, above) & (~std::uint32_t{0} >> (32 - lanes));
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(mask));
    if (values[lane] <= limit) take(lane, static_cast<std::uint32_t>(b * kBlockSize + lane));
  }
}

template <typename Real>
template <typename Take>
void BlockSearch<Real>::smallest(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                                 std::size_t block, const SmallestQuery& wanted, Scratch& scratch,
                                 Take&& take) const {
  const BlockRange range(block, queries.size());
  const std::size_t count = std::min(wanted.count, cloud_.size());
  load_block(queries, query_layout, block, scratch);
  if (scratch.gap <= 0.0) scratch.gap = 1e-3;
  scratch.waiting.assign(range.places().begin(), range.places().end());
  const auto lowest = [&](std::size_t q) { return wanted.minimum[range.begin + q] + centre_; };
  // Queries look at values within a gap above their minima. The gap that held enough for those
  // before is tried first; queries that need more wait for another round.
  for (double gap = scratch.gap; !scratch.waiting.empty(); gap *= 1.7) {
    if (count == cloud_.size() || gap > 1e30) gap = 1e300;
    for (const std::size_t q : scratch.waiting) {
      scratch.reach[q] = lowest(q) + gap + scratch.error[q];
      scratch.keys[q].clear();
    }
    keep_blocks(queries, query_layout, block, scratch.waiting, scratch);
    bound_kept_blocks(scratch.waiting, scratch);
    visit_kept_blocks(
        scratch.waiting, scratch,
        [&](std::size_t q, std::size_t s) {
          return bound(q, s, scratch) - scratch.error[q] <= lowest(q) + gap;
        },
        [&](std::size_t q, std::size_t b, const Real* values, Real smallest) {
          if (smallest > lowest(q) + gap) return;
          for_each_at_most(lowest(q) + gap, b, values, [&](std::size_t lane, std::uint64_t target) {
            // The excess is not negative, so its bits order like integers: comparing keys is
            // comparing excess, then target.
            const float excess = std::max(static_cast<float>(values[lane] - lowest(q)), 0.0F);
            scratch.keys[q].push_back(
                static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(excess)) << 32 | target);
          });
        });
    std::size_t still_waiting = 0;
    for (const std::size_t q : scratch.waiting) {
      auto& keys = scratch.keys[q];
      if (keys.size() < count || (!wanted.exact.empty() && gap < sure_gap(q, scratch))) {
        scratch.waiting[still_waiting++] = q;
        continue;
      }
      if (!wanted.exact.empty()) {
        wanted.exact[range.begin + q] = exact_minimum(queries.row(range.begin + q), q, scratch);
      }
      const auto last = keys.begin() + static_cast<std::ptrdiff_t>(count) - 1;
      std::nth_element(keys.begin(), last, keys.end());
      keys.resize(count);
      const double needed = std::bit_cast<float>(static_cast<std::uint32_t>(keys.back() >> 32));
      scratch.gap = std::max(0.5 * (scratch.gap + 1.3 * needed), 1e-12);
      take(range.begin + q, std::span<const std::uint64_t>(keys));
    }
    scratch.waiting.resize(still_waiting);
  }
}

template <typename Real>
template <typename Take>
void BlockSearch<Real>::below(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                              std::size_t block, std::span<const double> limit, std::size_t count,
                              KnownBounds* known, Scratch& scratch, Take&& take) const {
  const BlockRange range(block, queries.size());
  const auto keep_smallest = [count](std::vector<Find>& finds) {
    const auto last = finds.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(finds.begin(), last - 1, finds.end());
    finds.erase(last, finds.end());
  };
  load_block(queries, query_layout, block, scratch);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t q = i - range.begin;
    scratch.threshold[q] = scratch.reach[q] = limit[i] + centre_ + scratch.error[q];
    scratch.finds[q].clear();
  }
  const auto all = range.places();
  keep_blocks(queries, query_layout, block, all, scratch);
  if (known != nullptr) drop_known(*known, scratch);
  bound_kept_blocks(all, scratch);
  const auto learn = [&](std::size_t q, std::size_t b, double at_least) {
    if (known == nullptr) return;
    const double reduced = at_least - centre_ - (limit[range.begin + q] + known->tolerance);
    float& lowest = known->lowest[b];
    if (reduced < lowest) lowest = std::nextafter(static_cast<float>(reduced), -1e38F);
  };
  visit_kept_blocks(
      all, scratch,
      [&](std::size_t q, std::size_t s) {
        const Real least = bound(q, s, scratch);
        if (least <= scratch.threshold[q]) return true;
        learn(q, scratch.blocks[s], least - scratch.error[q]);
        return false;
      },
      [&](std::size_t q, std::size_t b, const Real* values, Real smallest) {
        learn(q, b, smallest - slack_[b] - scratch.error[q]);
        const double reach = scratch.threshold[q] + slack_[b];
        if (smallest > reach) return;
        for_each_at_most(reach, b, values, [&](std::size_t, std::uint32_t target) {
          const double value = exact_value(queries.row(range.begin + q), target);
          if (value < limit[range.begin + q]) scratch.finds[q].push_back({value, target});
        });
        // Early rounds have hundreds of them; what is above the worst that is kept is not asked
        // for.
        if (auto& finds = scratch.finds[q]; finds.size() >= 2 * count) {
          keep_smallest(finds);
          scratch.threshold[q] = finds.back().value + centre_ + scratch.error[q];
        }
      });
  for (std::size_t i = range.begin; i < range.end; ++i) {
    auto& finds = scratch.finds[i - range.begin];
    if (finds.size() > count) keep_smallest(finds);
    if (!finds.empty()) take(i, finds);
  }
}

extern template class BlockSearch<float>;
extern template class BlockSearch<double>;

}  // namespace nw::ot
