// Body of block_kernels_*.cpp: included once per instruction set, inside a namespace of its own.
// Loops are written for the compiler's vectoriser; -fopenmp-simd honours the pragmas.

inline float square_root(float x) {
  return __builtin_sqrtf(x);
}
inline double square_root(double x) {
  return __builtin_sqrt(x);
}

template <typename Real, bool kEuclidean>
void box_bounds(const Real* query_low, const Real* query_high, std::size_t dim, const Real* low,
                const Real* high, std::size_t stride, std::size_t boxes, const Real* ceiling,
                Real* __restrict bound) {
  const auto gap = [](Real below, Real above) {
    const Real larger = below > above ? below : above;
    return larger > Real(0) ? larger : Real(0);
  };
  if (dim == 2) {  // the plane is common enough to keep both coordinates in registers
    const Real *low1 = low + stride, *high1 = high + stride;
    const Real xl0 = query_low[0], xh0 = query_high[0], xl1 = query_low[1], xh1 = query_high[1];
#pragma omp simd
    for (std::size_t b = 0; b < boxes; ++b) {
      const Real p = gap(low[b] - xh0, xl0 - high[b]), q = gap(low1[b] - xh1, xl1 - high1[b]);
      const Real square = p * p + q * q;
      bound[b] = (kEuclidean ? square_root(square) : square) - ceiling[b];
    }
    return;
  }
  for (std::size_t b = 0; b < boxes; ++b) bound[b] = Real(0);
  for (std::size_t k = 0; k < dim; ++k) {
    const Real *lo = low + k * stride, *hi = high + k * stride;
    const Real xl = query_low[k], xh = query_high[k];
#pragma omp simd
    for (std::size_t b = 0; b < boxes; ++b) {
      const Real p = gap(lo[b] - xh, xl - hi[b]);
      bound[b] += p * p;
    }
  }
#pragma omp simd
  for (std::size_t b = 0; b < boxes; ++b) {
    bound[b] = (kEuclidean ? square_root(bound[b]) : bound[b]) - ceiling[b];
  }
}

template <typename Real>
void cone_bounds(const ConeQuery<Real>& query, std::size_t dim, const ConeBlocks<Real>& blocks,
                 std::size_t count, Real* __restrict bound) {
  // Squares of differences of directions are known up to a few roundings of numbers up to four.
  const Real rounding = Real(sizeof(Real) == 4 ? 1e-6 : 1e-15) * Real(dim + 8);
  Real query_square = Real(0);
  for (std::size_t k = 0; k < dim; ++k) query_square += query.slope[k] * query.slope[k];
  const Real* const radius = blocks.radius;
  const Real* const slope_square = blocks.slope_square;
  const Real* const ceiling = blocks.ceiling;
  const Real query_radius = query.radius;
  const auto combine = [=](Real square, Real along, Real along_query, Real block_radius,
                           Real block_square, Real block_ceiling) {
    const Real distance = square_root(square);
    const Real inverse = Real(1) / (distance > Real(1e-30) ? distance : Real(1e-30));
    const Real turn = Real(1) + block_square - Real(2) * along * inverse;
    const Real query_turn = Real(1) + query_square + Real(2) * along_query * inverse;
    return distance - block_ceiling -
           block_radius * square_root((turn > Real(0) ? turn : Real(0)) + rounding) -
           query_radius * square_root((query_turn > Real(0) ? query_turn : Real(0)) + rounding);
  };
  if (dim == 2) {
    const Real *c0 = blocks.centre, *c1 = c0 + blocks.stride;
    const Real *w0 = blocks.slope, *w1 = w0 + blocks.stride;
    const Real x0 = query.centre[0], x1 = query.centre[1];
    const Real v0 = query.slope[0], v1 = query.slope[1];
#pragma omp simd
    for (std::size_t b = 0; b < count; ++b) {
      const Real p = c0[b] - x0, q = c1[b] - x1;
      bound[b] = combine(p * p + q * q, p * w0[b] + q * w1[b], p * v0 + q * v1, radius[b],
                         slope_square[b], ceiling[b]);
    }
    return;
  }
  constexpr std::size_t kStrip = 64;
  for (std::size_t first = 0; first < count; first += kStrip) {
    const std::size_t size = count - first < kStrip ? count - first : kStrip;
    Real square[kStrip] = {}, along[kStrip] = {}, along_query[kStrip] = {};
    for (std::size_t k = 0; k < dim; ++k) {
      const Real* const c = blocks.centre + k * blocks.stride + first;
      const Real* const w = blocks.slope + k * blocks.stride + first;
      const Real x = query.centre[k], v = query.slope[k];
#pragma omp simd
      for (std::size_t b = 0; b < size; ++b) {
        const Real p = c[b] - x;
        square[b] += p * p;
        along[b] += p * w[b];
        along_query[b] += p * v;
      }
    }
#pragma omp simd
    for (std::size_t b = 0; b < size; ++b) {
      bound[first + b] = combine(square[b], along[b], along_query[b], radius[first + b],
                                 slope_square[first + b], ceiling[first + b]);
    }
  }
}

// Two vectors of lanes for each of four queries are eight chains of additions: enough to hide their
// latency, and few enough for the registers.
#if defined(__AVX512F__)
inline constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX2__)
inline constexpr std::size_t kVectorBytes = 32;
#else
inline constexpr std::size_t kVectorBytes = 16;
#endif

/// square[q][j] = |x_q - y_j|^2.
template <typename Real, std::size_t kQueries>
void squared_distances(const Real* const* x, std::size_t dim, const Real* lanes,
                       Real (*__restrict square)[kBlockSize]) {
  using Vector [[gnu::vector_size(kVectorBytes)]] = Real;
  constexpr std::size_t kLanes = kVectorBytes / sizeof(Real), kStrip = 2 * kLanes;
  for (std::size_t strip = 0; strip < kBlockSize; strip += kStrip) {
    Vector total[kQueries][2] = {};
    for (std::size_t begin = 0; begin < dim; begin += kBlockSize) {
      // Partial sums over 32 coordinates keep the rounding error near (32 + dim / 32) ulp.
      const std::size_t end = begin + kBlockSize < dim ? begin + kBlockSize : dim;
      Vector sum[kQueries][2] = {};
      for (std::size_t k = begin; k < end; ++k) {
        const Real* lane = lanes + k * kBlockSize + strip;
        Vector y[2];
        __builtin_memcpy(y, lane, sizeof(y));
        for (std::size_t q = 0; q < kQueries; ++q) {
          const Vector p = x[q][k] - y[0], r = x[q][k] - y[1];
          sum[q][0] += p * p;
          sum[q][1] += r * r;
        }
      }
      for (std::size_t q = 0; q < kQueries; ++q) {
        total[q][0] += sum[q][0];
        total[q][1] += sum[q][1];
      }
    }
    for (std::size_t q = 0; q < kQueries; ++q) {
      __builtin_memcpy(square[q] + strip, total[q], sizeof(total[q]));
    }
  }
}

template <typename Real, bool kEuclidean>
Real values_of(const Real* square, const Real* potential, Real* __restrict value) {
  Real smallest = Real(3e38);
#pragma omp simd reduction(min : smallest)
  for (std::size_t j = 0; j < kBlockSize; ++j) {
    const Real v = (kEuclidean ? square_root(square[j]) : square[j]) - potential[j];
    value[j] = v;
    smallest = v < smallest ? v : smallest;
  }
  return smallest;
}

template <typename Real, bool kEuclidean>
Real block_values(const Real* x, std::size_t dim, const Real* lanes, const Real* potential,
                  Real* __restrict value) {
  alignas(64) Real square[1][kBlockSize];
  squared_distances<Real, 1>(&x, dim, lanes, square);
  return values_of<Real, kEuclidean>(square[0], potential, value);
}

template <typename Real, bool kEuclidean>
void four_block_values(const Real* const* x, std::size_t dim, const Real* lanes,
                       const Real* potential, Real (*__restrict value)[kBlockSize],
                       Real* __restrict smallest) {
  alignas(64) Real square[4][kBlockSize];
  squared_distances<Real, 4>(x, dim, lanes, square);
  for (std::size_t q = 0; q < 4; ++q) {
    smallest[q] = values_of<Real, kEuclidean>(square[q], potential, value[q]);
  }
}

template <typename Real>
std::uint32_t lanes_at_most(const Real* value, Real limit) {
  std::uint32_t mask = 0;
#pragma omp simd reduction(| : mask)
  for (std::uint32_t j = 0; j < kBlockSize; ++j) mask |= std::uint32_t{value[j] <= limit} << j;
  return mask;
}

template <typename Real, bool kEuclidean>
constexpr BlockKernels<Real> make_kernels() {
  return {box_bounds<Real, kEuclidean>, kEuclidean ? cone_bounds<Real> : nullptr, block_values<Real, kEuclidean>,
          four_block_values<Real, kEuclidean>, lanes_at_most<Real>};
}

constexpr KernelSet make_kernel_set(const char* name) {
  return {name, make_kernels<float, true>(), make_kernels<float, false>(),
          make_kernels<double, true>(), make_kernels<double, false>()};
}
