// The inner loops of the search over implicit costs, one copy per instruction set.
//
// Points of the searched cloud sit in blocks of kBlockSize, coordinate by coordinate, so that one
// vector instruction handles several points. Everything here is plain data: the three translation
// units that implement it are compiled for different processors and must share no inline code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace nw::ot {

inline constexpr std::size_t kBlockSize = 32;

/// Blocks with potentials that climb with a known slope w. For a point y of a block of centre c and
/// radius r, with u the direction from x to c, |x - y| >= |x - c| + u.(y - c), and the potential of
/// y is at most ceiling + w.(y - c). So |x - y| minus the potential is at least |x - c| - ceiling -
/// |u - w| r. Along the lines of transport u and w agree, and there this bound is tight where a
/// bounding box and the largest potential of the block are off by twice its size.
template <typename Real>
struct ConeBlocks {
  const Real *centre, *slope;  ///< coordinate by coordinate: centre[k * stride + b]
  std::size_t stride;
  const Real *radius, *slope_square, *ceiling;  ///< [blocks]
};

/// Points of a ball whose limits climb with a slope v: |u + v| times its radius is lost as well.
template <typename Real>
struct ConeQuery {
  const Real *centre, *slope;
  Real radius;
};

/// Kernels for one precision and one ground cost.
template <typename Real>
struct BlockKernels {
  /// bound[b] = c(query box, box b) - ceiling[b]: no point of box b can give less. Boxes are stored
  /// coordinate by coordinate: low[k * stride + b]. A point is a box whose corners coincide.
  void (*box_bounds)(const Real* query_low, const Real* query_high, std::size_t dim,
                     const Real* low, const Real* high, std::size_t stride, std::size_t boxes,
                     const Real* ceiling, Real* bound);
  /// The same bound for the Euclidean cost, by slopes: see ConeQuery. Null for other costs.
  void (*cone_bounds)(const ConeQuery<Real>& query, std::size_t dim, const ConeBlocks<Real>& blocks,
                      std::size_t count, Real* bound);
  /// value[j] = c(x, y_j) - potential[j] for the block `lanes` of [dim][kBlockSize] coordinates.
  /// Returns the smallest value.
  Real (*block_values)(const Real* x, std::size_t dim, const Real* lanes, const Real* potential,
                       Real* value);
  /// The same for four queries at once, which share the loads of the block; `smallest` [4].
  void (*four_block_values)(const Real* const* x, std::size_t dim, const Real* lanes,
                            const Real* potential, Real (*value)[kBlockSize], Real* smallest);
  /// Bit j is set where value[j] <= limit.
  std::uint32_t (*lanes_at_most)(const Real* value, Real limit);
};

/// Kernels of one instruction set.
struct KernelSet {
  const char* name;
  BlockKernels<float> float_euclidean, float_squared;
  BlockKernels<double> double_euclidean, double_squared;
};

/// The best set this processor runs, chosen once. The environment variable NW_SIMD (baseline, avx2
/// or avx512) asks for a lesser one, for tests and for comparing them.
[[nodiscard]] const KernelSet& kernel_set();

/// The set of that name, or null when this build or this processor lacks it.
[[nodiscard]] const KernelSet* find_kernel_set(const char* name);

}  // namespace nw::ot
