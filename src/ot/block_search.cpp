#include "ot/block_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ot/linear_fit.hpp"

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

/// Blocks that fit here stay near a core while the queries of a block visit them one by one ...
constexpr std::size_t kCacheBytes = 128 << 10;
/// ... and of more blocks, tiles of this size are visited by all the queries in turn.
constexpr std::size_t kTileBytes = 16 << 10;

template <typename Real>
constexpr double kUnit = 0.55 * static_cast<double>(std::numeric_limits<Real>::epsilon());

}  // namespace

double point_cost(GroundCost cost, const double* x, const double* y, std::size_t dim) {
  // Four sums, because one would wait for each of its additions.
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  const std::size_t whole = dim & ~std::size_t{3};
  for (std::size_t k = 0; k < whole; k += 4) {
    for (std::size_t l = 0; l < 4; ++l) {
      const double difference = x[k + l] - y[k + l];
      sum[l] += difference * difference;
    }
  }
  for (std::size_t k = whole; k < dim; ++k) {
    const double difference = x[k] - y[k];
    sum[k - whole] += difference * difference;
  }
  const double square = (sum[0] + sum[1]) + (sum[2] + sum[3]);
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
    largest_slack_ = std::max(largest_slack_, slack_[b]);
  }
  if (has_cones(cost, layout.dim)) fit_cones(potential);
}

template <typename Real>
bool BlockSearch<Real>::has_cones(GroundCost cost, std::size_t dim) {
  return kernels_for(cost, Real()).cone_bounds != nullptr && dim <= kMaxFitDimensions;
}

template <typename Real>
void BlockSearch<Real>::fit_cones(std::span<const double> potential) {
  const std::size_t dim = layout_.dim, blocks = layout_.blocks;
  slope_.resize(dim * blocks);
  slope_square_.resize(blocks);
  cone_ceiling_.resize(blocks);
  std::vector<double> offsets(kBlockSize * dim), values(kBlockSize), slope(dim);
  for (std::size_t b = 0; b < blocks; ++b) {
    const BlockRange range(b, cloud_.size());
    const std::size_t count = range.end - range.begin;
    double magnitude = 0.0;
    for (std::size_t j = 0; j < count; ++j) {
      values[j] = potential[range.begin + j] - centre_;
      magnitude = std::max(magnitude, std::fabs(values[j]));
      for (std::size_t k = 0; k < dim; ++k) {
        offsets[j * dim + k] = cloud_.row(range.begin + j)[k] - layout_.centre[k * blocks + b];
      }
    }
    fit_slope(std::span(offsets).first(count * dim), std::span(values).first(count), dim,
              slope.data());
    double square = 0.0, largest = -1e300;
    for (std::size_t k = 0; k < dim; ++k) {
      slope_[k * blocks + b] = static_cast<Real>(slope[k]);
      slope[k] = slope_[k * blocks + b];
      square += slope[k] * slope[k];
    }
    for (std::size_t j = 0; j < count; ++j) {
      double value = values[j];
      for (std::size_t k = 0; k < dim; ++k) value -= slope[k] * offsets[j * dim + k];
      largest = std::max(largest, value);
    }
    slope_square_[b] = static_cast<Real>(square);
    // The bound has a few more roundings than a value has.
    const double more = 8.0 * kUnit<Real> * (layout_.radius[b] + layout_.reach[b] + magnitude);
    cone_ceiling_[b] = static_cast<Real>(largest + slack_[b] + more);
  }
}

template <typename Real>
void BlockSearch<Real>::load_block(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                                   std::size_t block, Scratch& scratch) const {
  const std::size_t dim = layout_.dim;
  scratch.box_low.resize(dim);
  scratch.box_high.resize(dim);
  for (std::size_t k = 0; k < dim; ++k) {
    scratch.box_low[k] = query_layout.box_low[k * query_layout.blocks + block];
    scratch.box_high[k] = query_layout.box_high[k * query_layout.blocks + block];
  }
  scratch.box_bounds.resize(layout_.blocks);
  scratch.queries.resize(kBlockSize * dim);
  scratch.threshold.resize(kBlockSize);
  scratch.error.resize(kBlockSize);
  scratch.reach.resize(kBlockSize);
  scratch.finds.resize(kBlockSize);
  scratch.keys.resize(kBlockSize);
  const BlockRange range(block, queries.size());
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const double* row = queries.row(i);
    Real* query = scratch.queries.data() + (i - range.begin) * dim;
    double norm = 0.0;
    for (std::size_t k = 0; k < dim; ++k) {
      query[k] = static_cast<Real>(row[k]);
      norm += row[k] * row[k];
    }
    scratch.error[i - range.begin] =
        kUnit<Real> * error_of_radius(cost_, std::sqrt(norm), layout_.dim);
  }
}

template <typename Real>
void BlockSearch<Real>::keep_blocks(const PointCloud& queries,
                                    const BlockLayout<Real>& query_layout, std::size_t block,
                                    std::span<const std::size_t> places, Scratch& scratch) const {
  if (slope_.empty()) {
    keep_by_boxes(places, scratch);
  } else {
    keep_by_cones(queries, query_layout, block, places, scratch);
  }
}

template <typename Real>
void BlockSearch<Real>::keep_by_boxes(std::span<const std::size_t> places, Scratch& scratch) const {
  const std::size_t dim = layout_.dim;
  double threshold = -1e300;
  for (const std::size_t q : places) threshold = std::max(threshold, scratch.reach[q]);
  kernels_.box_bounds(scratch.box_low.data(), scratch.box_high.data(), dim, layout_.box_low.data(),
                      layout_.box_high.data(), layout_.blocks, layout_.blocks, ceiling_.data(),
                      scratch.box_bounds.data());
  scratch.blocks.clear();
  for (std::size_t b = 0; b < layout_.blocks; ++b) {
    if (scratch.box_bounds[b] <= threshold) scratch.blocks.push_back(static_cast<std::uint32_t>(b));
  }
  if (bounds_by_block()) return;
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
void BlockSearch<Real>::drop_known(KnownBounds& known, Scratch& scratch) const {
  std::size_t kept = 0;
  for (const std::uint32_t b : scratch.blocks) {
    if (known.lowest[b] >= -known.tolerance) continue;
    known.lowest[b] = std::numeric_limits<float>::max();
    scratch.blocks[kept++] = b;
  }
  scratch.blocks.resize(kept);
}

template <typename Real>
void BlockSearch<Real>::keep_by_cones(const PointCloud& queries,
                                      const BlockLayout<Real>& query_layout, std::size_t block,
                                      std::span<const std::size_t> places, Scratch& scratch) const {
  // What the queries reach for climbs with a slope as well.
  const std::size_t dim = layout_.dim, first = block * kBlockSize;
  std::array<Real, kMaxFitDimensions> centre{}, slope{};
  std::array<double, kMaxFitDimensions> fitted{};
  scratch.offsets.clear();
  scratch.values.clear();
  for (std::size_t k = 0; k < dim; ++k)
    centre[k] = query_layout.centre[k * query_layout.blocks + block];
  for (const std::size_t q : places) {
    scratch.values.push_back(scratch.reach[q]);
    for (std::size_t k = 0; k < dim; ++k) {
      scratch.offsets.push_back(queries.row(first + q)[k] - static_cast<double>(centre[k]));
    }
  }
  fit_slope(scratch.offsets, scratch.values, dim, fitted.data());
  for (std::size_t k = 0; k < dim; ++k) slope[k] = static_cast<Real>(fitted[k]);
  double threshold = -1e300, magnitude = 0.0;
  for (std::size_t p = 0; p < places.size(); ++p) {
    double value = scratch.values[p];
    magnitude = std::max(magnitude, std::fabs(value));
    for (std::size_t k = 0; k < dim; ++k) value -= slope[k] * scratch.offsets[p * dim + k];
    threshold = std::max(threshold, value);
  }
  const Real radius = query_layout.reach[block];
  threshold += 8.0 * kUnit<Real> * (radius + query_layout.radius[block] + magnitude);
  kernels_.cone_bounds({centre.data(), slope.data(), radius}, dim, cones(), layout_.blocks,
                       scratch.box_bounds.data());
  scratch.blocks.clear();
  for (std::size_t b = 0; b < layout_.blocks; ++b) {
    if (scratch.box_bounds[b] <= threshold) scratch.blocks.push_back(static_cast<std::uint32_t>(b));
  }
  const std::size_t kept = scratch.blocks.size();
  for (auto* list : {&scratch.centre, &scratch.slope}) list->resize(kept * dim);
  for (auto* list : {&scratch.radius, &scratch.slope_square, &scratch.ceiling}) list->resize(kept);
  for (std::size_t s = 0; s < kept; ++s) {
    const std::size_t b = scratch.blocks[s];
    scratch.radius[s] = layout_.reach[b];
    scratch.slope_square[s] = slope_square_[b];
    scratch.ceiling[s] = cone_ceiling_[b];
    for (std::size_t k = 0; k < dim; ++k) {
      scratch.centre[k * kept + s] = layout_.centre[k * layout_.blocks + b];
      scratch.slope[k * kept + s] = slope_[k * layout_.blocks + b];
    }
  }
}

template <typename Real>
std::size_t BlockSearch<Real>::tile_size(std::size_t kept) const {
  const std::size_t block_bytes = kBlockSize * layout_.dim * sizeof(Real);
  if (kept * block_bytes <= kCacheBytes) return std::max<std::size_t>(kept, 1);
  return std::max<std::size_t>(kTileBytes / block_bytes, 1);
}

template <typename Real>
Real BlockSearch<Real>::evaluate(std::size_t q, std::size_t block, Scratch& scratch) const {
  return kernels_.block_values(scratch.queries.data() + q * layout_.dim, layout_.dim,
                               layout_.lanes.data() + block * kBlockSize * layout_.dim,
                               potential_.data() + block * kBlockSize, scratch.value[0]);
}

template <typename Real>
void BlockSearch<Real>::evaluate_four(const std::size_t* q, std::size_t block, Scratch& scratch,
                                      Real* smallest) const {
  const Real* x[4];
  for (std::size_t t = 0; t < 4; ++t) x[t] = scratch.queries.data() + q[t] * layout_.dim;
  kernels_.four_block_values(x, layout_.dim,
                             layout_.lanes.data() + block * kBlockSize * layout_.dim,
                             potential_.data() + block * kBlockSize, scratch.value, smallest);
}

template <typename Real>
double BlockSearch<Real>::exact_value(const double* query, std::uint32_t target) const {
  return point_cost(cost_, query, cloud_.row(target), layout_.dim) - exact_potential_[target];
}

template <typename Real>
double BlockSearch<Real>::sure_gap(std::size_t q, const Scratch& scratch) const {
  // Two values may have changed places if they differ by no more than both their errors. A key
  // rounds the excess to single precision.
  const std::uint64_t least = *std::min_element(scratch.keys[q].begin(), scratch.keys[q].end());
  const double excess = std::bit_cast<float>(static_cast<std::uint32_t>(least >> 32));
  return (1.0 + 4e-7) * excess + 2.0 * (scratch.error[q] + largest_slack_);
}

template <typename Real>
double BlockSearch<Real>::exact_minimum(const double* query, std::size_t q,
                                        const Scratch& scratch) const {
  const double reach = sure_gap(q, scratch);
  double best = 1e300;
  for (const std::uint64_t key : scratch.keys[q]) {
    if (std::bit_cast<float>(static_cast<std::uint32_t>(key >> 32)) > reach) continue;
    best = std::min(best, exact_value(query, static_cast<std::uint32_t>(key)));
  }
  return best;
}

template <typename Real>
void BlockSearch<Real>::bound_kept_blocks(std::span<const std::size_t> places,
                                          Scratch& scratch) const {
  if (bounds_by_block()) return;
  const std::size_t kept = scratch.blocks.size();
  scratch.bounds.resize(kBlockSize * kept);
  if (!slope_.empty()) {
    const ConeBlocks<Real> kept_cones{
        scratch.centre.data(), scratch.slope.data(),        kept,
        scratch.radius.data(), scratch.slope_square.data(), scratch.ceiling.data()};
    constexpr std::array<Real, kMaxFitDimensions> kFlat{};
    for (const std::size_t q : places) {
      kernels_.cone_bounds({scratch.queries.data() + q * layout_.dim, kFlat.data(), Real(0)},
                           layout_.dim, kept_cones, kept, scratch.bounds.data() + q * kept);
    }
    return;
  }
  for (const std::size_t q : places) {
    const Real* query = scratch.queries.data() + q * layout_.dim;
    kernels_.box_bounds(query, query, layout_.dim, scratch.low.data(), scratch.high.data(), kept,
                        kept, scratch.ceiling.data(), scratch.bounds.data() + q * kept);
  }
}

template <typename Real>
void BlockSearch<Real>::minima(const PointCloud& queries, const BlockLayout<Real>& query_layout,
                               std::size_t block, Scratch& scratch, double* minimum) const {
  const BlockRange range(block, queries.size());
  const auto all = range.places();
  load_block(queries, query_layout, block, scratch);
  if (slope_.empty()) {
    kernels_.box_bounds(scratch.box_low.data(), scratch.box_high.data(), layout_.dim,
                        layout_.box_low.data(), layout_.box_high.data(), layout_.blocks,
                        layout_.blocks, ceiling_.data(), scratch.box_bounds.data());
  } else {
    constexpr std::array<Real, kMaxFitDimensions> kFlat{};
    kernels_.cone_bounds({scratch.queries.data(), kFlat.data(), Real(0)}, layout_.dim, cones(),
                         layout_.blocks, scratch.box_bounds.data());
  }
  const auto guess = static_cast<std::size_t>(
      std::min_element(scratch.box_bounds.begin(), scratch.box_bounds.end()) -
      scratch.box_bounds.begin());

  // A first value for each query, from the block nearest to all of them, bounds the minimum.
  for (const std::size_t q : all) {
    const double error = scratch.error[q];
    scratch.threshold[q] = evaluate(q, guess, scratch) + slack_[guess] + error;
    scratch.reach[q] = scratch.threshold[q] + error;
    scratch.finds[q].clear();
  }
  keep_blocks(queries, query_layout, block, all, scratch);
  bound_kept_blocks(all, scratch);

  const auto visit = [&](std::size_t q, std::size_t b, const Real* values, double smallest) {
    double& threshold = scratch.threshold[q];
    const double error = slack_[b] + scratch.error[q];
    threshold = std::min(threshold, smallest + error);
    const double reach = threshold + error;
    if (smallest > reach) return;
    for_each_at_most(reach, b, values, [&](std::size_t lane, std::uint32_t target) {
      scratch.finds[q].push_back({values[lane] - error, target});
    });
  };
  // The most promising block first: it makes the threshold tight for the others.
  const std::size_t kept = scratch.blocks.size();
  std::vector<std::size_t>& seen = scratch.waiting;
  seen.resize(range.end - range.begin);
  for (const std::size_t q : all) {
    if (bounds_by_block()) {
      const auto place = std::lower_bound(scratch.blocks.begin(), scratch.blocks.end(), guess);
      seen[q] = static_cast<std::size_t>(place - scratch.blocks.begin());
    } else {
      const Real* bounds = scratch.bounds.data() + q * kept;
      seen[q] = static_cast<std::size_t>(std::min_element(bounds, bounds + kept) - bounds);
    }
    const std::size_t b = scratch.blocks[seen[q]];
    const Real smallest = evaluate(q, b, scratch);
    visit(q, b, scratch.value[0], smallest);
  }
  visit_kept_blocks(
      all, scratch,
      [&](std::size_t q, std::size_t s) {
        return s != seen[q] && bound(q, s, scratch) - scratch.error[q] <= scratch.threshold[q];
      },
      visit);
  for (const std::size_t q : all) {
    double best = 1e300;
    for (const Find& find : scratch.finds[q]) {
      if (find.value <= scratch.threshold[q]) {
        best = std::min(best, exact_value(queries.row(range.begin + q), find.target));
      }
    }
    minimum[range.begin + q] = best;
  }
}

template class BlockSearch<float>;
template class BlockSearch<double>;

}  // namespace nw::ot
