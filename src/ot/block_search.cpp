#include "ot/block_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nw::ot {
namespace {

const BlockKernels<float>& kernels_for(GroundCost cost, float) {
  const KernelSet& set = kernel_set();
  return cost == GroundCost::euclidean ? set.float_euclidean : set.float_squared;
}
const BlockKernels<double>& kernels_for(GroundCost cost, double) {
  const KernelSet& set = kernel_set();
  return cost == GroundCost::euclidean ? set.double_euclidean : set.double_squared;
}

/// Bound of the rounding error of one value, without the potential's part, as a multiple of the
/// cost of radius `r` in units of the last place: coordinates round once, their difference once,
/// squares and partial sums over 32 coordinates once each, and the root halves what came before.
/// For |x| + |y| <= 2 max(|x|, |y|) the error splits into a part of the query and one of the block.
double error_of_radius(GroundCost cost, double radius, std::size_t dim) {
  const double d = static_cast<double>(dim);
  const double summation = d <= 32.0 ? d : 32.0 + d / 32.0;
  return cost == GroundCost::euclidean ? (summation + 8.0) * radius
                                       : 2.0 * (summation + 10.0) * radius * radius;
}

template <typename Real>
constexpr double kUnit = 0.55 * static_cast<double>(std::numeric_limits<Real>::epsilon());

}  // namespace

double point_cost(GroundCost cost, const double* x, const double* y, std::size_t dim) {
  double square = 0.0;
  for (std::size_t k = 0; k < dim; ++k) {
    const double difference = x[k] - y[k];
    square += difference * difference;
  }
  return cost == GroundCost::euclidean ? std::sqrt(square) : square;
}

double single_precision_error(GroundCost cost, double norm, std::size_t dim) {
  return 2.0 * kUnit<float> * error_of_radius(cost, norm, dim);
}

template <typename Real>
BlockSearch<Real>::BlockSearch(const PointCloud& cloud, const BlockLayout<Real>& layout,
                               GroundCost cost, std::span<const double> potential)
    : cloud_(cloud),
      layout_(layout),
      cost_(cost),
      kernels_(kernels_for(cost, Real())),
      centre_(0.0),
      exact_potential_(potential.begin(), potential.end()),
      potential_(layout.blocks * kBlockSize, Real(-1e30)),
      ceiling_(layout.blocks),
      slack_(layout.blocks) {
  // Potentials are known up to a constant; small ones round less.
  const auto [lowest, highest] = std::minmax_element(potential.begin(), potential.end());
  centre_ = 0.5 * (*lowest + *highest);
  for (std::size_t b = 0; b < layout.blocks; ++b) {
    double largest = -1e300, magnitude = 0.0;
    const BlockRange range(b, cloud.size());
    for (std::size_t j = range.begin; j < range.end; ++j) {
      const double centred = potential[j] - centre_;
      potential_[j] = static_cast<Real>(centred);
      largest = std::max(largest, static_cast<double>(potential_[j]));
      magnitude = std::max(magnitude, std::fabs(centred));
    }
    slack_[b] =
        kUnit<Real> * (error_of_radius(cost, layout.radius[b], layout.dim) + 4.0 * magnitude);
    ceiling_[b] = static_cast<Real>(largest + slack_[b]);
  }
}

template <typename Real>
void BlockSearch<Real>::load_query(const PointCloud& queries, std::size_t query,
                                   Scratch& scratch) const {
  scratch.query.resize(layout_.dim);
  const double* row = queries.row(query);
  for (std::size_t k = 0; k < layout_.dim; ++k) scratch.query[k] = static_cast<Real>(row[k]);
}

template <typename Real>
double BlockSearch<Real>::query_error(const PointCloud& queries, std::size_t query) const {
  double norm = 0.0;
  const double* row = queries.row(query);
  for (std::size_t k = 0; k < layout_.dim; ++k) norm += row[k] * row[k];
  return kUnit<Real> * error_of_radius(cost_, std::sqrt(norm), layout_.dim);
}

template <typename Real>
void BlockSearch<Real>::load_boxes(const BlockLayout<Real>& query_layout, std::size_t block,
                                   Scratch& scratch) const {
  const std::size_t dim = layout_.dim;
  scratch.box_low.resize(dim);
  scratch.box_high.resize(dim);
  for (std::size_t k = 0; k < dim; ++k) {
    scratch.box_low[k] = query_layout.box_low[k * query_layout.blocks + block];
    scratch.box_high[k] = query_layout.box_high[k * query_layout.blocks + block];
  }
  scratch.value.resize(kBlockSize);
  scratch.bounds.resize(layout_.blocks);
}

template <typename Real>
void BlockSearch<Real>::keep_blocks(double threshold, Scratch& scratch) const {
  const std::size_t dim = layout_.dim;
  kernels_.box_bounds(scratch.box_low.data(), scratch.box_high.data(), dim, layout_.box_low.data(),
                      layout_.box_high.data(), layout_.blocks, layout_.blocks, ceiling_.data(),
                      scratch.bounds.data());
  scratch.blocks.clear();
  for (std::size_t b = 0; b < layout_.blocks; ++b) {
    if (scratch.bounds[b] <= threshold) scratch.blocks.push_back(static_cast<std::uint32_t>(b));
  }
  // A copy of the boxes that are left, side by side, serves every query of the block.
  const std::size_t kept = scratch.blocks.size();
  scratch.low.resize(kept * dim);
  scratch.high.resize(kept * dim);
  scratch.ceiling.resize(kept);
  for (std::size_t s = 0; s < kept; ++s) scratch.ceiling[s] = ceiling_[scratch.blocks[s]];
  for (std::size_t k = 0; k < dim; ++k) {
    for (std::size_t s = 0; s < kept; ++s) {
      scratch.low[k * kept + s] = layout_.box_low[k * layout_.blocks + scratch.blocks[s]];
      scratch.high[k * kept + s] = layout_.box_high[k * layout_.blocks + scratch.blocks[s]];
    }
  }
}

template <typename Real>
void BlockSearch<Real>::bound_kept_blocks(Scratch& scratch) const {
  const std::size_t kept = scratch.blocks.size();
  kernels_.box_bounds(scratch.query.data(), scratch.query.data(), layout_.dim, scratch.low.data(),
                      scratch.high.data(), kept, kept, scratch.ceiling.data(),
                      scratch.bounds.data());
}

template <typename Real>
Real BlockSearch<Real>::evaluate(std::size_t block, Scratch& scratch) const {
  return kernels_.block_values(scratch.query.data(), layout_.dim,
                               layout_.lanes.data() + block * kBlockSize * layout_.dim,
                               potential_.data() + block * kBlockSize, scratch.value.data());
}

/// Fills scratch.keys with the targets whose value exceeds `lowest` by no more than `gap`; says
/// whether there are `count` of them. A key is the excess, whose bits order like integers because
/// it is not negative, above the target: comparing keys is comparing excess, then target.
template <typename Real>
bool BlockSearch<Real>::collect(double lowest, double gap, double error, std::size_t count,
                                Scratch& scratch) const {
  scratch.keys.clear();
  const double limit = lowest + gap;
  for (std::size_t s = 0; s < scratch.blocks.size(); ++s) {
    if (scratch.bounds[s] - error > limit) continue;
    const std::size_t b = scratch.blocks[s];
    if (evaluate(b, scratch) > limit) continue;
    const std::size_t lanes = BlockRange(b, cloud_.size()).end - b * kBlockSize;
    for (std::size_t j = 0; j < lanes; ++j) {
      if (scratch.value[j] > limit) continue;
      const float excess = std::max(static_cast<float>(scratch.value[j] - lowest), 0.0F);
      scratch.keys.push_back(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(excess))
                                 << 32 |
                             (b * kBlockSize + j));
    }
  }
  return scratch.keys.size() >= count;
}

template <typename Real>
double BlockSearch<Real>::exact_value(const double* query, std::uint32_t target) const {
  return point_cost(cost_, query, cloud_.row(target), layout_.dim) - exact_potential_[target];
}

template <typename Real>
void BlockSearch<Real>::minima(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                               std::size_t block, Scratch& scratch, double* minimum) const {
  const BlockRange range(block, queries.size());
  load_boxes(query_layout, block, scratch);
  kernels_.box_bounds(scratch.box_low.data(), scratch.box_high.data(), layout_.dim,
                      layout_.box_low.data(), layout_.box_high.data(), layout_.blocks,
                      layout_.blocks, ceiling_.data(), scratch.bounds.data());
  std::size_t guess = static_cast<std::size_t>(
      std::min_element(scratch.bounds.begin(),
                       scratch.bounds.begin() + static_cast<std::ptrdiff_t>(layout_.blocks)) -
      scratch.bounds.begin());

  // A first value for each query, from the block that served its neighbour, bounds the minimum.
  scratch.threshold.resize(kBlockSize);
  scratch.error.resize(kBlockSize);
  double widest = -1e300;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    load_query(queries, i, scratch);
    const double error = query_error(queries, i);
    const double upper = evaluate(guess, scratch) + slack_[guess] + error;
    scratch.threshold[i - range.begin] = upper;
    scratch.error[i - range.begin] = error;
    widest = std::max(widest, upper + error);
  }
  keep_blocks(widest, scratch);

  for (std::size_t i = range.begin; i < range.end; ++i) {
    load_query(queries, i, scratch);
    bound_kept_blocks(scratch);
    double threshold = scratch.threshold[i - range.begin];
    const double error = scratch.error[i - range.begin];
    scratch.finds.clear();
    const auto visit = [&](std::size_t b) {
      const double smallest = evaluate(b, scratch);
      threshold = std::min(threshold, smallest + slack_[b] + error);
      const double reach = threshold + slack_[b] + error;
      if (smallest > reach) return;
      const std::size_t lanes = BlockRange(b, cloud_.size()).end - b * kBlockSize;
      for (std::size_t j = 0; j < lanes; ++j) {
        if (scratch.value[j] <= reach) {
          scratch.finds.push_back({scratch.value[j] - slack_[b] - error,
                                   static_cast<std::uint32_t>(b * kBlockSize + j)});
        }
      }
    };
    // The most promising block first: it makes the threshold tight for the others.
    const auto bounds_end =
        scratch.bounds.begin() + static_cast<std::ptrdiff_t>(scratch.blocks.size());
    const auto first = static_cast<std::size_t>(
        std::min_element(scratch.bounds.begin(), bounds_end) - scratch.bounds.begin());
    visit(scratch.blocks[first]);
    for (std::size_t s = 0; s < scratch.blocks.size(); ++s) {
      if (s != first && scratch.bounds[s] - error <= threshold) visit(scratch.blocks[s]);
    }
    double best = 1e300;
    for (const Find& find : scratch.finds) {
      if (find.value <= threshold) {
        best = std::min(best, exact_value(queries.row(i), find.target));
      }
    }
    minimum[i] = best;
  }
}

template class BlockSearch<float>;
template class BlockSearch<double>;

}  // namespace nw::ot
