// Pruned search for small reduced costs between two point clouds, in single or double precision.
//
// For each query point the search looks at the blocks of the other cloud whose bounding box could
// hold a value under a threshold. Values are computed in `Real`; each is within a proven distance
// of the true one, so a search in single precision that rechecks its few finds in double precision
// is exact. Queries are handled a block at a time: boxes against boxes first, then the single
// query against the boxes that are left.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
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
    std::vector<Real> box_low, box_high, bounds, low, high, ceiling, value, query;
    std::vector<std::uint32_t> blocks;
    std::vector<Find> finds;
    std::vector<std::uint64_t> keys;
    std::vector<std::size_t> waiting;
    std::vector<double> threshold, error;
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
  void load_query(const PointCloud& queries, std::size_t query, Scratch& scratch) const;
  [[nodiscard]] double query_error(const PointCloud& queries, std::size_t query) const;
  void load_boxes(const BlockLayout<Real>& query_layout, std::size_t block, Scratch& scratch) const;
  void keep_blocks(double threshold, Scratch& scratch) const;
  void bound_kept_blocks(Scratch& scratch) const;
  Real evaluate(std::size_t block, Scratch& scratch) const;
  bool collect(double lowest, double gap, double error, std::size_t count, Scratch& scratch) const;
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
template <typename Take>
void BlockSearch<Real>::smallest(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                                 std::size_t block, std::span<const double> minimum,
                                 std::size_t count, Scratch& scratch, Take&& take) const {
  const BlockRange range(block, queries.size());
  count = std::min(count, cloud_.size());
  load_boxes(query_layout, block, scratch);
  if (scratch.gap <= 0.0) scratch.gap = 1e-3;
  scratch.waiting.clear();
  for (std::size_t i = range.begin; i < range.end; ++i) scratch.waiting.push_back(i);
  // A query looks at values within a gap above its minimum. The gap that held enough for its
  // neighbour is tried first; queries that need more than the block's widest wait for another
  // round.
  for (double widest = 2.0 * scratch.gap; !scratch.waiting.empty(); widest *= 4.0) {
    if (count == cloud_.size() || widest > 1e30) widest = 1e300;
    double threshold = -1e300;
    for (const std::size_t i : scratch.waiting) {
      threshold = std::max(threshold, minimum[i] + centre_ + widest + query_error(queries, i));
    }
    keep_blocks(threshold, scratch);
    std::size_t still_waiting = 0;
    for (const std::size_t i : scratch.waiting) {
      load_query(queries, i, scratch);
      bound_kept_blocks(scratch);
      const double lowest = minimum[i] + centre_, error = query_error(queries, i);
      double gap = std::min(scratch.gap, widest);
      if (widest == 1e300) gap = widest;
      while (!collect(lowest, gap, error, count, scratch) && gap < widest) {
        gap = std::min(1.7 * gap, widest);
      }
      if (scratch.keys.size() < count) {
        scratch.waiting[still_waiting++] = i;
        continue;
      }
      const auto last = scratch.keys.begin() + static_cast<std::ptrdiff_t>(count) - 1;
      std::nth_element(scratch.keys.begin(), last, scratch.keys.end());
      scratch.keys.resize(count);
      const double needed = std::bit_cast<float>(static_cast<std::uint32_t>(*last >> 32));
      scratch.gap = std::max(0.5 * (scratch.gap + 1.3 * needed), 1e-12);
      take(i, std::span<const std::uint64_t>(scratch.keys));
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
  load_boxes(query_layout, block, scratch);
  double threshold = -1e300;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const double reach = limit[i] + centre_ + query_error(queries, i);
    threshold = reach > threshold ? reach : threshold;
  }
  keep_blocks(threshold, scratch);
  if (scratch.blocks.empty()) return;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    load_query(queries, i, scratch);
    bound_kept_blocks(scratch);
    const double reach = limit[i] + centre_ + query_error(queries, i);
    scratch.finds.clear();
    for (std::size_t s = 0; s < scratch.blocks.size(); ++s) {
      if (scratch.bounds[s] > reach) continue;
      const std::size_t b = scratch.blocks[s];
      const double block_reach = reach + slack_[b];
      if (evaluate(b, scratch) > block_reach) continue;
      const std::size_t lanes = BlockRange(b, cloud_.size()).end - b * kBlockSize;
      for (std::size_t j = 0; j < lanes; ++j) {
        if (scratch.value[j] > block_reach) continue;
        const auto target = static_cast<std::uint32_t>(b * kBlockSize + j);
        const double value = exact_value(queries.row(i), target);
        if (value < limit[i]) scratch.finds.push_back({value, target});
      }
    }
    if (!scratch.finds.empty()) take(i, scratch.finds);
  }
}

extern template class BlockSearch<float>;
extern template class BlockSearch<double>;

}  // namespace nw::ot
