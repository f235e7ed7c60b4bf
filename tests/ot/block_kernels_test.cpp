// The inner loops of the exact solver, against plain sums in double precision and against each
// other.
#include "ot/block_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "ot/tree_tour.hpp"

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

template <typename Real>
void check_cones(const BlockKernels<Real>& kernels, std::size_t dim, const std::string& name) {
  ASSERT_NE(kernels.cone_bounds, nullptr) << name;
  Rng rng(5);
  constexpr std::size_t kBlocks = 7;
  std::vector<Real> centre(dim * kBlocks), slope(dim * kBlocks), radius(kBlocks), square(kBlocks),
      ceiling(kBlocks), bound(kBlocks);
  for (std::size_t b = 0; b < kBlocks; ++b) {
    double length = 0.0;
    std::vector<double> w(dim);
    for (double& value : w) value = rng.normal(), length += value * value;
    for (std::size_t k = 0; k < dim; ++k) {
      centre[k * kBlocks + b] = static_cast<Real>(rng.normal());
      slope[k * kBlocks + b] = static_cast<Real>(w[k] / std::sqrt(length));
    }
    radius[b] = static_cast<Real>(0.3 * rng.uniform());
    square[b] = Real(1);
    ceiling[b] = static_cast<Real>(rng.normal());
  }
  double nearest = 1e300;
  for (int trial = 0; trial < 200; ++trial) {
    // A ball of queries whose limits climb with a slope, and points of the blocks.
    std::vector<Real> x(dim), v(dim);
    for (std::size_t k = 0; k < dim; ++k) {
      x[k] = static_cast<Real>(rng.normal());
      v[k] = static_cast<Real>(0.5 * rng.normal() / std::sqrt(static_cast<double>(dim)));
    }
    const Real ball = trial % 2 == 0 ? Real(0) : Real(0.2);
    kernels.cone_bounds(
        {x.data(), v.data(), ball}, dim,
        {centre.data(), slope.data(), kBlocks, radius.data(), square.data(), ceiling.data()},
        kBlocks, bound.data());
    for (std::size_t b = 0; b < kBlocks; ++b) {
      for (int point = 0; point < 20; ++point) {
        std::vector<double> in_block(dim), in_ball(dim);
        double block_length = 0.0, ball_length = 0.0;
        for (std::size_t k = 0; k < dim; ++k) {
          in_block[k] = rng.normal(), block_length += in_block[k] * in_block[k];
          in_ball[k] = rng.normal(), ball_length += in_ball[k] * in_ball[k];
        }
        double distance = 0.0, potential = ceiling[b], limit = 0.0;
        for (std::size_t k = 0; k < dim; ++k) {
          const double dy = in_block[k] * radius[b] / std::sqrt(block_length);
          const double dx = in_ball[k] * ball / std::sqrt(ball_length);
          const double difference = (centre[k * kBlocks + b] + dy) - (x[k] + dx);
          distance += difference * difference;
          potential += slope[k * kBlocks + b] * dy;
          limit += v[k] * dx;
        }
        const double value = std::sqrt(distance) - potential - limit;
        const double unit = std::numeric_limits<Real>::epsilon();
        EXPECT_LE(bound[b], value + 50.0 * unit * (1.0 + std::fabs(value))) << name;
        nearest = std::min(nearest, value - bound[b]);
      }
    }
  }
  EXPECT_LT(nearest, 0.01) << name << ": the bound is never near";
}

TEST(BlockKernels, BoundByConesWhatIsInThem) {
  for (const char* name : {"baseline", "avx2", "avx512"}) {
    const KernelSet* set = find_kernel_set(name);
    if (set == nullptr) continue;
    for (const std::size_t dim : {2u, 3u, 8u}) {
      check_cones(set->float_euclidean, dim, std::string(name) + " single");
      check_cones(set->double_euclidean, dim, std::string(name) + " double");
    }
    EXPECT_EQ(set->float_squared.cone_bounds, nullptr);
  }
}

/// A tree that is moved about by hand, with potentials changed node by node.
struct PlainTree {
  std::vector<std::int32_t> parent, enter;
  std::vector<double> potential;

  std::vector<std::int32_t> below(std::int32_t top) const {
    std::vector<std::int32_t> found;
    for (std::size_t x = 0; x < parent.size(); ++x) {
      std::int32_t y = static_cast<std::int32_t>(x);
      while (y >= 0 && y != top) y = parent[static_cast<std::size_t>(y)];
      if (y == top) found.push_back(static_cast<std::int32_t>(x));
    }
    return found;
  }
};

TEST(TreeTour, KeepsThePotentialsOfATreeThatIsCutAndHungElsewhere) {
  Rng rng(6);
  constexpr std::size_t kNodes = 1500, kSources = 700;
  PlainTree tree{std::vector<std::int32_t>(kNodes, -1), std::vector<std::int32_t>(kNodes, -1),
                 std::vector<double>(kNodes, 0.0)};
  for (std::size_t x = 0; x + 1 < kNodes; ++x) {
    // Long arms: half of the parents are the next node.
    const std::size_t far = x + 1 + static_cast<std::size_t>(rng.below(kNodes - 1 - x));
    tree.parent[x] = static_cast<std::int32_t>(rng.below(2) == 0 ? x + 1 : far);
    tree.enter[x] = static_cast<std::int32_t>(2 * x);
  }
  TreeTour tour(kSources, kNodes);
  tour.build(tree.parent);
  std::size_t small = 0, large = 0;
  for (int move = 0; move < 400; ++move) {
    const auto leaving = static_cast<std::int32_t>(rng.below(kNodes - 1));
    const auto inside = tree.below(leaving);
    std::vector<char> moved(kNodes, 0);
    for (const std::int32_t x : inside) moved[static_cast<std::size_t>(x)] = 1;
    std::int32_t parent = static_cast<std::int32_t>(rng.below(kNodes));
    while (moved[static_cast<std::size_t>(parent)] != 0) {
      parent = static_cast<std::int32_t>(rng.below(kNodes));
    }
    const std::int32_t top = inside[static_cast<std::size_t>(rng.below(inside.size()))];
    const double shift = rng.normal();
    (inside.size() < 100 ? small : large) += 1;
    // Turn the way from the new top to the old one around.
    const std::int32_t enter = tree.enter[static_cast<std::size_t>(leaving)];
    std::int32_t above = parent, pass = enter;
    for (std::int32_t x = top;;) {
      const auto at = static_cast<std::size_t>(x);
      const std::int32_t old_parent = tree.parent[at], old_pass = tree.enter[at];
      tree.parent[at] = above;
      tree.enter[at] = pass;
      if (x == leaving) break;
      above = x;
      pass = old_pass ^ 1;
      x = old_parent;
    }
    for (const std::int32_t x : inside) {
      const auto at = static_cast<std::size_t>(x);
      tree.potential[at] += at < kSources ? shift : -shift;
    }
    const TreeTour::Run run = tour.run(enter, top);
    if (run.entries > 0) {
      EXPECT_EQ(run.entries, 3 * inside.size());  // its nodes, and both passes above each
      EXPECT_TRUE(run.holds);
      EXPECT_FALSE(tour.run(enter, parent).holds);
    } else {
      EXPECT_GT(inside.size(), 100u);
    }
    tour.move(run, top, parent, shift);
    for (std::size_t i = 0; i < kSources; i += 7) {
      const std::size_t j = kSources + i % (kNodes - 1 - kSources);
      EXPECT_NEAR(tour.sum(i, j), tree.potential[i] + tree.potential[j], 1e-9) << move;
    }
  }
  EXPECT_GT(small, 50u);
  EXPECT_GT(large, 20u);
  // Every node is entered after its parent.
  std::vector<int> order(2 * kNodes, -1);
  int next = 0;
  tour.for_each_pass([&](std::int32_t pass) { order[static_cast<std::size_t>(pass)] = next++; });
  EXPECT_EQ(next, static_cast<int>(2 * (kNodes - 1)));
  for (std::size_t x = 0; x + 1 < kNodes; ++x) {
    const auto parent = static_cast<std::size_t>(tree.parent[x]);
    if (parent == kNodes - 1) continue;
    const int mine = order[static_cast<std::size_t>(tree.enter[x])];
    EXPECT_GT(mine, order[static_cast<std::size_t>(tree.enter[parent])]);
    EXPECT_LT(mine, order[static_cast<std::size_t>(tree.enter[parent] ^ 1)]);
  }
}

}  // namespace
}  // namespace nw::ot
