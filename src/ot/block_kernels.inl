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

template <typename Real, bool kEuclidean>
Real block_values(const Real* x, std::size_t dim, const Real* lanes, const Real* potential,
                  Real* __restrict value) {
  alignas(64) Real square[kBlockSize];
  if (dim == 2) {
    const Real x0 = x[0], x1 = x[1];
    const Real* lanes1 = lanes + kBlockSize;
#pragma omp simd
    for (std::size_t j = 0; j < kBlockSize; ++j) {
      const Real p = x0 - lanes[j], q = x1 - lanes1[j];
      square[j] = p * p + q * q;
    }
  } else {
    for (std::size_t j = 0; j < kBlockSize; ++j) square[j] = Real(0);
    for (std::size_t begin = 0; begin < dim; begin += kBlockSize) {
      // Partial sums over 32 coordinates keep the rounding error near (32 + dim / 32) ulp. Even and
      // odd coordinates have sums of their own: one chain of additions would wait for itself.
      const std::size_t end = begin + kBlockSize < dim ? begin + kBlockSize : dim;
      alignas(64) Real even[kBlockSize], odd[kBlockSize];
      for (std::size_t j = 0; j < kBlockSize; ++j) even[j] = odd[j] = Real(0);
      std::size_t k = begin;
      for (; k + 1 < end; k += 2) {
        const Real x0 = x[k], x1 = x[k + 1];
        const Real *lane0 = lanes + k * kBlockSize, *lane1 = lane0 + kBlockSize;
#pragma omp simd
        for (std::size_t j = 0; j < kBlockSize; ++j) {
          const Real p = x0 - lane0[j], q = x1 - lane1[j];
          even[j] += p * p;
          odd[j] += q * q;
        }
      }
      if (k < end) {
        const Real x0 = x[k];
        const Real* lane0 = lanes + k * kBlockSize;
#pragma omp simd
        for (std::size_t j = 0; j < kBlockSize; ++j) {
          const Real p = x0 - lane0[j];
          even[j] += p * p;
        }
      }
      for (std::size_t j = 0; j < kBlockSize; ++j) square[j] += even[j] + odd[j];
    }
  }
  Real smallest = Real(3e38);
#pragma omp simd reduction(min : smallest)
  for (std::size_t j = 0; j < kBlockSize; ++j) {
    const Real v = (kEuclidean ? square_root(square[j]) : square[j]) - potential[j];
    value[j] = v;
    smallest = v < smallest ? v : smallest;
  }
  return smallest;
}

constexpr KernelSet make_kernel_set(const char* name) {
  return {name,
          {box_bounds<float, true>, block_values<float, true>},
          {box_bounds<float, false>, block_values<float, false>},
          {box_bounds<double, true>, block_values<double, true>},
          {box_bounds<double, false>, block_values<double, false>}};
}
