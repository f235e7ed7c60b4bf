// The inner loops, against plain sums in double precision and against each other.
#include "ot/block_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

namespace nw::ot {
namespace {

template <typename Real>
struct Block {
  std::size_t dim;
  std::vector<Real> lanes, potential, queries;

  Block(std::size_t coordinates, Rng& rng)
      : dim(coordinates), lanes(dim * kBlockSize), potential(kBlockSize), queries(4 * dim) {
    for (auto* values : {&lanes, &potential, &queries}) {
      for (Real& value : *values) value = static_cast<Real>(rng.normal());
    }
  }

  [[nodiscard]] double value(std::size_t q, std::size_t j, bool euclidean) const {
    double square = 0.0;
    for (std::size_t k = 0; k < dim; ++k) {
      const double difference = double{queries[q * dim + k]} - double{lanes[k * kBlockSize + j]};
      square += difference * difference;
    }
    return (euclidean ? std::sqrt(square) : square) - double{potential[j]};
  }
};

template <typename Real>
void check(const BlockKernels<Real>& kernels, bool euclidean, const std::string& name) {
  Rng rng(7);
  const double unit = std::numeric_limits<Real>::epsilon();
  for (const std::size_t dim : std::initializer_list<std::size_t>{1, 2, 3, 10, 32, 33, 64, 200}) {
    SCOPED_TRACE(name + ", " + std::to_string(dim) + " coordinates");
    const Block<Real> block(dim, rng);
    const Real* x[4];
    for (std::size_t q = 0; q < 4; ++q) x[q] = block.queries.data() + q * dim;
    Real four[4][kBlockSize], smallest[4];
    kernels.four_block_values(x, dim, block.lanes.data(), block.potential.data(), four, smallest);
    for (std::size_t q = 0; q < 4; ++q) {
      Real one[kBlockSize];
      const Real least =
          kernels.block_values(x[q], dim, block.lanes.data(), block.potential.data(), one);
      // Which of the two looks at a block depends on its neighbours; the answer must not.
      EXPECT_EQ(std::memcmp(one, four[q], sizeof(one)), 0);
      EXPECT_EQ(least, smallest[q]);
      EXPECT_EQ(least, *std::min_element(one, one + kBlockSize));
      for (std::size_t j = 0; j < kBlockSize; ++j) {
        const double right = block.value(q, j, euclidean);
        EXPECT_NEAR(one[j], right, 40.0 * unit * (std::fabs(right) + 1.0));
      }
      const Real limit = one[5];
      const std::uint32_t mask = kernels.lanes_at_most(one, limit);
      for (std::size_t j = 0; j < kBlockSize; ++j) EXPECT_EQ((mask >> j & 1) != 0, one[j] <= limit);
    }
  }
}

TEST(BlockKernels, GiveTheSameValuesForOneQueryAndForFour) {
  for (const char* name : {"baseline", "avx2", "avx512"}) {
    const KernelSet* set = find_kernel_set(name);
    if (set == nullptr) continue;
    check(set->float_euclidean, true, std::string(name) + " single Euclidean");
    check(set->float_squared, false, std::string(name) + " single squared");
    check(set->double_euclidean, true, std::string(name) + " double Euclidean");
    check(set->double_squared, false, std::string(name) + " double squared");
  }
}

}  // namespace
}  // namespace nw::ot
