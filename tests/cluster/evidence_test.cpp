#include "nw/cluster/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/cluster/agreement.hpp"
#include "nw/cluster/genie.hpp"

namespace nw::cluster {
namespace {

struct Labelled {
  Matrix rows;
  std::vector<std::int32_t> label;
};

Labelled rings(std::size_t n, std::uint64_t seed) {
  Rng rng(seed);
  Labelled data{.rows = Matrix(n, 2), .label = {}};
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * rng.uniform(), radius = i % 4 == 0 ? 1.0 : 4.0;
    data.rows(i, 0) = radius * std::cos(angle) + 0.1 * rng.normal();
    data.rows(i, 1) = radius * std::sin(angle) + 0.1 * rng.normal();
    data.label.push_back(i % 4 == 0 ? 1 : 0);
  }
  return data;
}

/// A long cloud across a round one: they overlap, only their shapes tell them apart.
Labelled crossing_gaussians(std::size_t n) {
  Rng rng(3);
  Labelled data{.rows = Matrix(n, 2), .label = {}};
  for (std::size_t i = 0; i < n; ++i) {
    const bool flat = i % 2 == 0;
    data.rows(i, 0) = (flat ? 5.0 : 0.3) * rng.normal();
    data.rows(i, 1) = (flat ? 0.3 : 5.0) * rng.normal();
    data.label.push_back(flat ? 1 : 0);
  }
  return data;
}

TEST(ClusterByEvidence, FollowsRingsThatNoGaussianDescribes) {
  const auto data = rings(500, 1);
  const auto found = cluster_by_evidence(data.rows, {.components = 2, .threads = 1}, Rng(0));
  EXPECT_EQ(agreement(data.label, found.cluster).ari, 1.0);
  EXPECT_FALSE(found.gaussian);
  EXPECT_LT(found.gaussian_evidence, -0.5);
  EXPECT_GT(found.margin, 0.0);
  // The winner's separation is the largest, and perfect: no tie leads out of a ring but those of
  // the half point that every cluster is taken to have more.
  EXPECT_NEAR(found.candidates.front().separation.cut, 0.5 * (0.5 / 125.5 + 0.5 / 375.5), 1e-12);
  for (const auto& candidate : found.candidates) {
    EXPECT_LE(candidate.separation.score(), found.candidates.front().separation.score());
  }
}

TEST(ClusterByEvidence, TakesOverlappingGaussiansForWhatTheyAre) {
  const auto data = crossing_gaussians(600);
  const auto found = cluster_by_evidence(data.rows, {.components = 2, .threads = 1}, Rng(0));
  EXPECT_TRUE(found.gaussian);
  EXPECT_EQ(found.candidates.front().name, kGaussianCandidate);
  EXPECT_GT(agreement(data.label, found.cluster).ari, 0.75);
}

/// Eight round clouds of 90 rows each, so near that they overlap.
Labelled few_rows_of_many_columns() {
  Rng rng(11);
  Labelled data{.rows = Matrix(720, 16), .label = {}};
  for (std::size_t i = 0; i < 720; ++i) {
    for (std::size_t c = 0; c < 16; ++c) {
      data.rows(i, c) = (c == i % 8 ? 3.0 : 0.0) + rng.normal();
    }
    data.label.push_back(static_cast<std::int32_t>(i % 8));
  }
  return data;
}

TEST(ClusterByEvidence, TrustsNoMixtureWhoseMembersTheRowsDoNotTell) {
  const auto data = few_rows_of_many_columns();
  const auto found = cluster_by_evidence(data.rows, {.components = 8, .threads = 1}, Rng(0));
  // The rows are eight Gaussians, but 152 numbers each are too many for 90 rows.
  EXPECT_GT(found.gaussian_evidence, 0.0);
  ASSERT_TRUE(found.gaussian_stability);
  EXPECT_LT(*found.gaussian_stability, 0.9);
  EXPECT_FALSE(found.gaussian);
  EXPECT_GT(agreement(data.label, found.cluster).ari, 0.5);
}

TEST(ClusterByEvidence, TrustsAMixtureThatTwoThirdsOfTheRowsTell) {
  Rng rng(12);
  Labelled data{.rows = Matrix(900, 8), .label = {}};
  for (std::size_t i = 0; i < 900; ++i) {
    for (std::size_t c = 0; c < 8; ++c) data.rows(i, c) = (c == i % 3 ? 5.0 : 0.0) + rng.normal();
    data.label.push_back(static_cast<std::int32_t>(i % 3));
  }
  const auto found = cluster_by_evidence(data.rows, {.components = 3, .threads = 1}, Rng(0));
  ASSERT_TRUE(found.gaussian_stability);
  EXPECT_GT(*found.gaussian_stability, 0.97);
  EXPECT_TRUE(found.gaussian);
  EXPECT_GT(agreement(data.label, found.cluster).ari, 0.97);
}

TEST(ClusterByEvidence, KeepsASmallClusterBesideALargeOne) {
  Rng rng(5);
  Labelled data{.rows = Matrix(1050, 2), .label = {}};
  for (std::size_t i = 0; i < 1050; ++i) {
    const bool small = i % 21 == 0;
    data.rows(i, 0) = small ? 5.0 + 0.5 * rng.normal() : rng.normal();
    data.rows(i, 1) = small ? 0.5 * rng.normal() : rng.normal();
    data.label.push_back(small ? 1 : 0);
  }
  const auto found = cluster_by_evidence(data.rows, {.components = 2, .threads = 1}, Rng(0));
  EXPECT_GT(agreement(data.label, found.cluster).ari, 0.95);
  EXPECT_GT(std::ranges::count(found.cluster, 0U), std::ranges::count(found.cluster, 1U));
}

TEST(ClusterByEvidence, FindsHowManyClustersThereAreWithAnInterval) {
  const auto data = rings(400, 2);
  const auto found = cluster_by_evidence(data.rows, {.resamples = 3, .threads = 1}, Rng(0));
  EXPECT_EQ(found.k, 2U);
  EXPECT_LE(found.k_low, 2U);
  EXPECT_GE(found.k_high, 2U);
  EXPECT_EQ(agreement(data.label, found.cluster).ari, 1.0);
  Rng rng(9);
  Matrix one(300, 2);
  for (double& value : one.values()) value = rng.normal();
  EXPECT_EQ(cluster_by_evidence(one, {.resamples = 0, .threads = 1}, Rng(0)).k, 1U);
}

/// Half moons, with a third column that says nothing.
Labelled moons(std::size_t n) {
  Rng rng(8);
  Labelled data{.rows = Matrix(n, 3), .label = {}};
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = std::numbers::pi * rng.uniform();
    const bool upper = i % 3 != 0;
    data.rows(i, 0) = (upper ? std::cos(angle) : 1.0 - std::cos(angle)) + 0.06 * rng.normal();
    data.rows(i, 1) = (upper ? std::sin(angle) : 0.5 - std::sin(angle)) + 0.06 * rng.normal();
    data.rows(i, 2) = 0.1 * rng.normal();
    data.label.push_back(upper ? 0 : 1);
  }
  return data;
}

std::vector<std::uint32_t> two_clusters(const Matrix& rows) {
  return cluster_by_evidence(rows, {.components = 2, .threads = 1}, Rng(0)).cluster;
}

double ari_between(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return agreement(std::vector<std::int32_t>(a.begin(), a.end()), b).ari;
}

TEST(ClusterByEvidence, DoesNotDependOnOrderUnitsOrPlace) {
  for (const auto& data : {rings(400, 7), crossing_gaussians(400), moons(400)}) {
    const std::size_t n = data.rows.rows(), d = data.rows.cols();
    const auto base = two_clusters(data.rows);
    EXPECT_GT(agreement(data.label, base).ari, 0.75);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Rng rng(11);
    rng.shuffle(std::span(order));
    Matrix shuffled(n, d), turned(n, d), large(n, d), small(n, d);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < d; ++c) {
        shuffled(i, c) = data.rows(order[i], c);
        turned(i, c) = data.rows(i, d - 1 - c);
        large(i, c) = 1e4 * data.rows(i, c) + 5e5;
        small(i, c) = 1e-4 * data.rows(i, c);
      }
    }
    std::vector<std::uint32_t> back(n);
    const auto of_shuffled = two_clusters(shuffled);
    for (std::size_t i = 0; i < n; ++i) back[order[i]] = of_shuffled[i];
    // EM stops within a tolerance, so that a point on the border of overlapping Gaussians may
    // change.
    constexpr double kSame = 0.97;
    EXPECT_GE(ari_between(base, back), kSame);
    EXPECT_GE(ari_between(base, two_clusters(turned)), kSame);
    EXPECT_GE(ari_between(base, two_clusters(large)), kSame);
    EXPECT_GE(ari_between(base, two_clusters(small)), kSame);
  }
}

TEST(ClusterByEvidence, BearsRowsThatComeTwice) {
  for (const auto& data : {rings(400, 7), crossing_gaussians(400), moons(400)}) {
    const std::size_t n = data.rows.rows(), d = data.rows.cols();
    Matrix more(n + n / 4, d);
    for (std::size_t i = 0; i < more.rows(); ++i) {
      for (std::size_t c = 0; c < d; ++c) more(i, c) = data.rows(i % n, c);
    }
    auto found = two_clusters(more);
    for (std::size_t i = n; i < more.rows(); ++i) EXPECT_EQ(found[i], found[i - n]);
    found.resize(n);
    EXPECT_GE(ari_between(two_clusters(data.rows), found), 0.93);
  }
}

TEST(ClusterByEvidence, DoesNotTakeAClumpOfTwelvePointsForACluster) {
  auto data = moons(600);
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t c = 0; c < 3; ++c)
      data.rows(i, c) = 3.0 + 0.02 * static_cast<double>(i % 4 + c);
    data.label[i] = 0;
  }
  EXPECT_GT(agreement(data.label, two_clusters(data.rows)).ari, 0.85);
}

TEST(ClusterByEvidence, SeesRingsBesideManyColumnsOfNoise) {
  const auto plane = rings(800, 12);
  Rng rng(13);
  Matrix wide(800, 10);
  for (std::size_t i = 0; i < 800; ++i) {
    for (std::size_t c = 0; c < 10; ++c) {
      wide(i, c) = c < 2 ? plane.rows(i, c) : 0.5 * rng.normal();
    }
  }
  const auto found = cluster_by_evidence(wide, {.components = 2, .threads = 1}, Rng(0));
  EXPECT_FALSE(found.gaussian);
  EXPECT_GT(agreement(plane.label, found.cluster).ari, 0.95);
}

TEST(ClusterByEvidence, IsTheSameForEveryNumberOfThreads) {
  const auto data = rings(300, 4);
  const auto one = cluster_by_evidence(data.rows, {.components = 3, .threads = 1}, Rng(0));
  const auto two = cluster_by_evidence(data.rows, {.components = 3, .threads = 2}, Rng(0));
  EXPECT_EQ(one.cluster, two.cluster);
  EXPECT_EQ(one.margin, two.margin);
}

TEST(ClusterByEvidence, SeesOnlySoManyPointsAndBearsEqualOnes) {
  const auto data = rings(600, 6);
  const auto some =
      cluster_by_evidence(data.rows, {.components = 2, .max_points = 200, .threads = 1}, Rng(0));
  EXPECT_EQ(some.fitted.size(), 200U);
  EXPECT_EQ(some.cluster.size(), 200U);
  EXPECT_TRUE(std::ranges::is_sorted(some.fitted));
  Matrix equal(40, 2);
  for (std::size_t i = 0; i < 40; ++i) equal(i, 0) = i % 2 == 0 ? 0.0 : 1.0;
  const auto found = cluster_by_evidence(equal, {.components = 2, .threads = 1}, Rng(0));
  for (std::size_t i = 2; i < 40; ++i) EXPECT_EQ(found.cluster[i], found.cluster[i % 2]);
}

/// Gini index by its definition.
double gini(const std::vector<std::vector<std::size_t>>& clusters) {
  double differences = 0.0, total = 0.0;
  for (const auto& a : clusters) {
    total += static_cast<double>(a.size());
    for (const auto& b : clusters) {
      differences += std::abs(static_cast<double>(a.size()) - static_cast<double>(b.size()));
    }
  }
  const auto m = static_cast<double>(clusters.size());
  return m < 2.0 ? 0.0 : 0.5 * differences / ((m - 1.0) * total);
}

/// Genie as its paper tells it: of all pairs of clusters, or of those with a smallest one, the
/// nearest two become one.
std::vector<std::vector<std::size_t>> slow_genie(const Matrix& rows, std::size_t k,
                                                 double inequity) {
  std::vector<std::vector<std::size_t>> clusters;
  for (std::size_t i = 0; i < rows.rows(); ++i) clusters.push_back({i});
  while (clusters.size() > k) {
    const bool forced = gini(clusters) > inequity;
    std::size_t least = rows.rows();
    for (const auto& c : clusters) least = std::min(least, c.size());
    double best = std::numeric_limits<double>::infinity();
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < clusters.size(); ++a) {
      for (std::size_t b = a + 1; b < clusters.size(); ++b) {
        if (forced && clusters[a].size() != least && clusters[b].size() != least) continue;
        for (const auto i : clusters[a]) {
          for (const auto j : clusters[b]) {
            const double d = std::hypot(rows(i, 0) - rows(j, 0), rows(i, 1) - rows(j, 1));
            if (d < best) {
              best = d;
              first = a;
              second = b;
            }
          }
        }
      }
    }
    clusters[first].insert(clusters[first].end(), clusters[second].begin(), clusters[second].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  }
  return clusters;
}

TEST(Genie, MergesAsItsDefinitionSays) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Rng rng(seed);
    Matrix rows(40, 2);
    for (double& value : rows.values()) value = rng.normal();
    for (const double inequity : {0.1, 0.3, 0.6, 1.0}) {
      const auto merges = genie(rows, {.inequity = inequity});
      ASSERT_EQ(merges.size(), 39U);
      EXPECT_EQ(merges.back().size, 40U);
      for (const std::size_t k : {2, 3, 7}) {
        const auto cluster = cut_tree(merges, k);
        std::vector<std::int32_t> expected(40);
        const auto slow = slow_genie(rows, k, inequity);
        for (std::size_t c = 0; c < slow.size(); ++c) {
          for (const auto i : slow[c]) expected[i] = static_cast<std::int32_t>(c);
        }
        EXPECT_EQ(agreement(expected, cluster).ari, 1.0) << seed << ' ' << inequity << ' ' << k;
      }
    }
  }
}

TEST(Genie, RefusesWhatItCannotDo) {
  EXPECT_THROW(static_cast<void>(genie(Matrix(3, 2), {.inequity = 1.5})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(cut_tree({{0, 1, 1.0, 2}}, 3)), InvalidArgument);
}

}  // namespace
}  // namespace nw::cluster
