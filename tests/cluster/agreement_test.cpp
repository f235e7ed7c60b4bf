#include "nw/cluster/agreement.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"

namespace nw::cluster {
namespace {

using Classes = std::vector<std::int32_t>;
using Clusters = std::vector<std::uint32_t>;

TEST(Agreement, IsOneForEqualPartitionsWhateverTheyAreCalled) {
  const auto scores = agreement(Classes{7, 7, -1, 3, 3}, Clusters{2, 2, 0, 1, 1});
  EXPECT_DOUBLE_EQ(scores.purity, 1.0);
  EXPECT_DOUBLE_EQ(scores.nmi, 1.0);
  EXPECT_DOUBLE_EQ(scores.ami, 1.0);
  EXPECT_DOUBLE_EQ(scores.ari, 1.0);
}

TEST(Agreement, HasTheValuesOfASmallCaseByHand) {
  // Of 6 pairs 3 lie in one class, 2 in one cluster and 1 in both.
  const auto scores = agreement(Classes{0, 0, 0, 1}, Clusters{0, 0, 1, 1});
  EXPECT_DOUBLE_EQ(scores.purity, 0.75);
  EXPECT_DOUBLE_EQ(scores.ari, (1.0 - 3.0 * 2.0 / 6.0) / (2.5 - 3.0 * 2.0 / 6.0));
}

TEST(Agreement, IsDefinedWhereOneSideHasASinglePart) {
  const auto merged = agreement(Classes{0, 1, 2, 3}, Clusters{0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(merged.purity, 0.25);
  EXPECT_DOUBLE_EQ(merged.nmi, 0.0);
  EXPECT_DOUBLE_EQ(merged.ari, 0.0);
  const auto same = agreement(Classes{5, 5}, Clusters{0, 0});
  EXPECT_DOUBLE_EQ(same.nmi, 1.0);
  EXPECT_DOUBLE_EQ(same.ari, 1.0);
  EXPECT_DOUBLE_EQ(agreement(Classes{0, 1, 2}, Clusters{2, 1, 0}).ari, 1.0);
}

TEST(Agreement, IsZeroByChanceInTheMeanOverAllPartitionsOfTheSameSizes) {
  // Every way to name two of five points cluster 1, classes of sizes 2 and 3.
  double ami = 0.0, ari = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      Clusters clusters(5, 0);
      clusters[i] = clusters[j] = 1;
      const auto scores = agreement(Classes{0, 0, 1, 1, 1}, clusters);
      ami += scores.ami;
      ari += scores.ari;
    }
  }
  EXPECT_NEAR(ami, 0.0, 1e-12);
  EXPECT_NEAR(ari, 0.0, 1e-12);
}

TEST(Agreement, RefusesListsOfDifferentLength) {
  EXPECT_THROW(static_cast<void>(agreement(Classes{0, 1}, Clusters{0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(agreement(Classes{}, Clusters{})), InvalidArgument);
}

}  // namespace
}  // namespace nw::cluster
