// Vectors are GCC's vector extensions of eight doubles. On x86-64, target_clones compiles each pass
// for SSE2, AVX2 and AVX-512 and picks one when the program starts; the operations are the same in
// all of them (contraction is off), so the choice does not change a bit of the result.
#include "ot/softmin_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "nw/base/parallel.hpp"

namespace nw::ot {
namespace {

constexpr std::size_t kLanes = PackedPoints::kLanes;
constexpr std::size_t kRows = 4;     // rows that share one load of the columns
constexpr std::size_t kGroups = 32;  // groups per tile: 4 x 32 x 64 bytes stay in the first cache
constexpr std::size_t kGrain = 32;   // rows a thread takes at a time

using Lanes = double __attribute__((vector_size(64)));
using Bits = std::int64_t __attribute__((vector_size(64)));
using Unaligned = double __attribute__((vector_size(64), aligned(8)));

// Helpers take references: passing wide vectors by value would depend on the instruction set.
[[gnu::always_inline]] inline void load(const double* from, Lanes& to) {
  to = *reinterpret_cast<const Unaligned*>(from);
}

[[gnu::always_inline]] inline double total(const Lanes& x) {
  return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

// Square root of each lane; the compiler turns the loop into one instruction per register.
[[gnu::always_inline]] inline void square_root(Lanes& x) {
  for (std::size_t l = 0; l < kLanes; ++l) x[l] = __builtin_sqrt(x[l]);
}

// exp in place, to about 1e-15, for arguments up to 700; arguments below -700 give exp(-700).
// exp(x) = 2^n exp(r) with |r| <= log(2) / 2 and the Taylor polynomial of degree 12 for exp(r).
[[gnu::always_inline]] inline void exponential(Lanes& x) {
  const Lanes floor = Lanes{} - 700.0;
  x = x > floor ? x : floor;
  const Lanes shifter = Lanes{} + 0x1.8p52;  // adding it leaves the rounded integer in low bits
  Lanes n = x * 0x1.71547652b82fep0 + shifter;
  const Bits bits = reinterpret_cast<Bits>(n);
  n -= shifter;
  const Lanes r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
  Lanes p = Lanes{} + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * r + 1.0;
  p = p * r + 1.0;
  x = p * reinterpret_cast<Lanes>((bits + 1023) << 52);
}

// Costs between four rows and one group of columns. Rows past the end repeat the last.
[[gnu::always_inline]] inline void group_costs(const double* const (&row)[kRows],
                                               const double* group, std::size_t dimension,
                                               bool squared, Lanes (&cost)[kRows]) {
  for (Lanes& sum : cost) sum = Lanes{};
  for (std::size_t k = 0; k < dimension; ++k) {
    Lanes y;
    load(group + k * kLanes, y);
    for (std::size_t r = 0; r < kRows; ++r) {
      const Lanes difference = row[r][k] - y;
      cost[r] += difference * difference;
    }
  }
  if (squared) return;
  for (Lanes& sum : cost) square_root(sum);
}

struct RowBlock {
  const double* row[kRows];
  std::size_t count;

  RowBlock(const Matrix& rows, std::size_t first, std::size_t end)
      : count(std::min(kRows, end - first)) {
    for (std::size_t r = 0; r < kRows; ++r) {
      row[r] = rows.row(first + std::min(r, count - 1)).data();
    }
  }
};

#if defined(__x86_64__)
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
void log_sum_exp_rows(const PairCosts& pairs, const double* h, double inverse_epsilon,
                      std::size_t begin, std::size_t end, double* result) {
  const PackedPoints& columns = *pairs.columns;
  const bool squared = pairs.cost == GroundCost::squared_euclidean;
  Lanes tile[kGroups][kRows];
  for (std::size_t first = begin; first < end; first += kRows) {
    const RowBlock block(*pairs.rows, first, end);
    double largest[kRows];
    Lanes sum[kRows];
    for (std::size_t r = 0; r < kRows; ++r) {
      largest[r] = -std::numeric_limits<double>::infinity(), sum[r] = Lanes{};
    }
    for (std::size_t q0 = 0; q0 < columns.groups(); q0 += kGroups) {
      const std::size_t groups = std::min(kGroups, columns.groups() - q0);
      Lanes peak[kRows];
      for (Lanes& p : peak) p = Lanes{} - std::numeric_limits<double>::infinity();
      for (std::size_t q = 0; q < groups; ++q) {
        Lanes cost[kRows], potential;
        group_costs(block.row, columns.group(q0 + q), columns.dimension(), squared, cost);
        load(h + (q0 + q) * kLanes, potential);
        for (std::size_t r = 0; r < kRows; ++r) {
          tile[q][r] = potential - cost[r] * inverse_epsilon;
          peak[r] = tile[q][r] > peak[r] ? tile[q][r] : peak[r];
        }
      }
      for (std::size_t r = 0; r < kRows; ++r) {
        double tile_peak = largest[r];
        for (std::size_t l = 0; l < kLanes; ++l) tile_peak = std::max(tile_peak, peak[r][l]);
        if (tile_peak > largest[r]) {
          sum[r] *= std::exp(largest[r] - tile_peak);
          largest[r] = tile_peak;
        }
        for (std::size_t q = 0; q < groups; ++q) {
          Lanes term = tile[q][r] - largest[r];
          exponential(term);
          sum[r] += term;
        }
      }
    }
    for (std::size_t r = 0; r < block.count; ++r) {
      result[first + r] = largest[r] + std::log(total(sum[r]));
    }
  }
}

#if defined(__x86_64__)
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
void c_transform_rows(const PairCosts& pairs, const double* g, std::size_t begin, std::size_t end,
                      double* result) {
  const PackedPoints& columns = *pairs.columns;
  const bool squared = pairs.cost == GroundCost::squared_euclidean;
  for (std::size_t first = begin; first < end; first += kRows) {
    const RowBlock block(*pairs.rows, first, end);
    Lanes best[kRows];
    for (Lanes& b : best) b = Lanes{} + std::numeric_limits<double>::infinity();
    for (std::size_t q = 0; q < columns.groups(); ++q) {
      Lanes cost[kRows], potential;
      group_costs(block.row, columns.group(q), columns.dimension(), squared, cost);
      load(g + q * kLanes, potential);
      for (std::size_t r = 0; r < kRows; ++r) {
        cost[r] -= potential;
        best[r] = cost[r] < best[r] ? cost[r] : best[r];
      }
    }
    for (std::size_t r = 0; r < block.count; ++r) {
      double least = best[r][0];
      for (std::size_t l = 1; l < kLanes; ++l) least = std::min(least, best[r][l]);
      result[first + r] = least;
    }
  }
}

struct PlanWeights {
  const double *u, *h, *v, *w;
  double inverse_epsilon;
};

#if defined(__x86_64__)
[[gnu::target_clones("default", "avx2", "avx512f")]]
#endif
void plan_sums_rows(const PairCosts& pairs, const PlanWeights& weights, std::size_t begin,
                    std::size_t end, PlanSums* result) {
  const PackedPoints& columns = *pairs.columns;
  const bool squared = pairs.cost == GroundCost::squared_euclidean;
  for (std::size_t first = begin; first < end; first += kRows) {
    const RowBlock block(*pairs.rows, first, end);
    Lanes mass[kRows], moved[kRows], independent[kRows];
    double shift[kRows];
    for (std::size_t r = 0; r < kRows; ++r) {
      mass[r] = moved[r] = independent[r] = Lanes{};
      shift[r] = weights.u[first + std::min(r, block.count - 1)];
    }
    for (std::size_t q = 0; q < columns.groups(); ++q) {
      Lanes cost[kRows], h, v, w;
      group_costs(block.row, columns.group(q), columns.dimension(), squared, cost);
      load(weights.h + q * kLanes, h);
      load(weights.v + q * kLanes, v);
      load(weights.w + q * kLanes, w);
      for (std::size_t r = 0; r < kRows; ++r) {
        Lanes term = (h - cost[r] * weights.inverse_epsilon) + shift[r];
        exponential(term);
        term *= v;
        mass[r] += term;
        moved[r] += term * cost[r];
        independent[r] += w * cost[r];
      }
    }
    for (std::size_t r = 0; r < block.count; ++r) {
      result[first + r] = {total(mass[r]), total(moved[r]), total(independent[r])};
    }
  }
}

}  // namespace

PackedPoints::PackedPoints(MatrixView points)
    : values_((points.rows() + kLanes - 1) / kLanes * kLanes * points.cols()),
      size_(points.rows()),
      dimension_(points.cols()) {
  for (std::size_t i = 0; i < groups() * kLanes; ++i) {
    const auto point = points.row(std::min(i, size_ - 1));
    for (std::size_t k = 0; k < dimension_; ++k) {
      values_[(i / kLanes * dimension_ + k) * kLanes + i % kLanes] = point[k];
    }
  }
}

std::vector<double> padded(std::span<const double> values, double fill) {
  std::vector<double> result((values.size() + kLanes - 1) / kLanes * kLanes, fill);
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

void log_sum_exp(const PairCosts& pairs, std::span<const double> h, double epsilon, int threads,
                 std::span<double> result) {
  parallel_for(threads, result.size(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    log_sum_exp_rows(pairs, h.data(), 1.0 / epsilon, begin, end, result.data());
  });
}

void c_transform(const PairCosts& pairs, std::span<const double> g, int threads,
                 std::span<double> result) {
  parallel_for(threads, result.size(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    c_transform_rows(pairs, g.data(), begin, end, result.data());
  });
}

void plan_sums(const PairCosts& pairs, std::span<const double> u, std::span<const double> h,
               std::span<const double> v, std::span<const double> w, double epsilon, int threads,
               std::span<PlanSums> result) {
  const PlanWeights weights{u.data(), h.data(), v.data(), w.data(), 1.0 / epsilon};
  parallel_for(threads, result.size(), kGrain, [&](std::size_t begin, std::size_t end, int) {
    plan_sums_rows(pairs, weights, begin, end, result.data());
  });
}

}  // namespace nw::ot
