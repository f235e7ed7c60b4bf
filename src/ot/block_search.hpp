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
#include <bit>
#include <cstdint>
#include <numeric>
#include <ranges>
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

/// A cloud to search in, with one potential per point.
template <typename Real>
class BlockSearch {
 public:
  BlockSearch(const PointCloud& cloud, const BlockLayout<Real>& layout, GroundCost cost,
              std::span<const double> potential);

  /// Memory that one thread reuses from query block to query block.
  struct Scratch {
    std::vector<Real> box_low, box_high, box_bounds, low, high, ceiling, value;
    std::vector<Real> bounds;           ///< [kBlockSize, blocks.size()]
    std::vector<Real> queries;          ///< [kBlockSize, dim]
    std::vector<std::uint32_t> blocks;  ///< those that any query of the block needs to visit
    std::vector<std::size_t> waiting;   ///< queries, by their place in the block
    // One entry for each query of the block:
    std::vector<double> threshold, error;
    std::vector<std::vector<Find>> finds;
    std::vector<std::vector<std::uint64_t>> keys;
    double gap = 0.0;  ///< above the minimum, that held the last query's smallest values
  };

  /// For each query of block `block`, the exact minimum of c(x, y) - potential(y).
  void minima(const PointCloud& queries, const BlockLayout<Real>& query_layout, std::size_t block,
              Scratch& scratch, double* minimum) const;

  /// For each query of block `block`, calls take(query, keys) with the `count` targets of smallest
  /// value as computed in `Real`, in no particular order: a key holds the target in its lower half.
  /// `minimum[query]` must be the exact minimum.
  template <typename Take>
  void smallest(const PointCloud& queries, const BlockLayout<Real>& query_layout, std::size_t block,
                std::span<const double> minimum, std::size_t count, Scratch& scratch,
                Take&& take) const;

  /// For each query of block `block`, calls take(query, finds) with every target whose exact value
  /// lies below limit[query].
  template <typename Take>
  void below(const PointCloud& queries, const BlockLayout<Real>& query_layout, std::size_t block,
             std::span<const double> limit, Scratch& scratch, Take&& take) const;

 private:
  void load_block(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                  std::size_t block, Scratch& scratch) const;
  void keep_blocks(double threshold, Scratch& scratch) const;
  /// Calls visit(q, first, last) for ranges of scratch.blocks and the queries `q` named by
  /// `places`, tile by tile, after bounding all blocks for all of them: scratch.bounds.
  template <typename Places, typename Visit>
  void for_each_tile(const Places& places, Scratch& scratch, Visit&& visit) const;
  void bound_kept_blocks(std::size_t q, Scratch& scratch) const;
  [[nodiscard]] std::size_t tile_size(std::size_t kept) const;
  Real evaluate(std::size_t q, std::size_t block, Scratch& scratch) const;
  void collect(std::size_t q, std::size_t first, std::size_t last, double lowest, double gap,
               Scratch& scratch) const;
  [[nodiscard]] double exact_value(const double* query, std::uint32_t target) const;

  const PointCloud& cloud_;
  const BlockLayout<Real>& layout_;
  GroundCost cost_;
  const BlockKernels<Real>& kernels_;
  double centre_;  ///< subtracted from the potentials before rounding to Real
  std::vector<double> exact_potential_;
  std::vector<Real> potential_;  ///< [blocks * kBlockSize], centred; padding is very low
  std::vector<Real> ceiling_;    ///< [blocks], largest potential of the block plus slack_
  std::vector<double> slack_;    ///< [blocks], the block's share of the rounding error
};

/// The points of block `block` out of `size`.
struct BlockRange {
  std::size_t begin, end;
  BlockRange(std::size_t block, std::size_t size)
      : begin(block * kBlockSize), end(begin + kBlockSize < size ? begin + kBlockSize : size) {}
};

template <typename Real>
template <typename Places, typename Visit>
void BlockSearch<Real>::for_each_tile(const Places& places, Scratch& scratch, Visit&& visit) const {
  const std::size_t kept = scratch.blocks.size(), tile = tile_size(kept);
  scratch.bounds.resize(kBlockSize * kept);
  for (const std::size_t q : places) bound_kept_blocks(q, scratch);
  for (std::size_t first = 0; first < kept; first += tile) {
    const std::size_t last = std::min(first + tile, kept);
    for (const std::size_t q : places) visit(q, first, last);
  }
}

template <typename Real>
template <typename Take>
void BlockSearch<Real>::smallest(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                                 std::size_t block, std::span<const double> minimum,
                                 std::size_t count, Scratch& scratch, Take&& take) const {
  const BlockRange range(block, queries.size());
  count = std::min(count, cloud_.size());
  load_block(queries, query_layout, block, scratch);
  if (scratch.gap <= 0.0) scratch.gap = 1e-3;
  scratch.waiting.resize(range.end - range.begin);
  std::iota(scratch.waiting.begin(), scratch.waiting.end(), std::size_t{0});
  const auto lowest = [&](std::size_t q) { return minimum[range.begin + q] + centre_; };
  // Queries look at values within a gap above their minima. The gap that held enough for those
  // before is tried first; queries that need more wait for another round.
  for (double gap = scratch.gap; !scratch.waiting.empty(); gap *= 1.7) {
    if (count == cloud_.size() || gap > 1e30) gap = 1e300;
    double threshold = -1e300;
    for (const std::size_t q : scratch.waiting) {
      threshold = std::max(threshold, lowest(q) + gap + scratch.error[q]);
      scratch.keys[q].clear();
    }
    keep_blocks(threshold, scratch);
    for_each_tile(scratch.waiting, scratch, [&](std::size_t q, std::size_t from, std::size_t to) {
      collect(q, from, to, lowest(q), gap, scratch);
    });
    std::size_t still_waiting = 0;
    for (const std::size_t q : scratch.waiting) {
      auto& keys = scratch.keys[q];
      if (keys.size() < count) {
        scratch.waiting[still_waiting++] = q;
        continue;
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
                              std::size_t block, std::span<const double> limit, Scratch& scratch,
                              Take&& take) const {
  const BlockRange range(block, queries.size());
  load_block(queries, query_layout, block, scratch);
  double threshold = -1e300;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::size_t q = i - range.begin;
    scratch.threshold[q] = limit[i] + centre_ + scratch.error[q];
    threshold = std::max(threshold, scratch.threshold[q]);
    scratch.finds[q].clear();
  }
  keep_blocks(threshold, scratch);
  const auto all = std::views::iota(std::size_t{0}, range.end - range.begin);
  for_each_tile(all, scratch, [&](std::size_t q, std::size_t first, std::size_t last) {
    for (std::size_t s = first; s < last; ++s) {
      if (scratch.bounds[q * scratch.blocks.size() + s] > scratch.threshold[q]) continue;
      const std::size_t b = scratch.blocks[s];
      const double reach = scratch.threshold[q] + slack_[b];
      if (evaluate(q, b, scratch) > reach) continue;
      const std::size_t lanes = BlockRange(b, cloud_.size()).end - b * kBlockSize;
      for (std::size_t j = 0; j < lanes; ++j) {
        if (scratch.value[j] > reach) continue;
        const auto target = static_cast<std::uint32_t>(b * kBlockSize + j);
        const double value = exact_value(queries.row(range.begin + q), target);
        if (value < limit[range.begin + q]) scratch.finds[q].push_back({value, target});
      }
    }
  });
  for (std::size_t i = range.begin; i < range.end; ++i) {
    auto& finds = scratch.finds[i - range.begin];
    if (!finds.empty()) take(i, finds);
  }
}

extern template class BlockSearch<float>;
extern template class BlockSearch<double>;

}  // namespace nw::ot
