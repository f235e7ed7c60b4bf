// Which memberships neighbours confirm.
#include "measure/neighbour_support.hpp"

#include <gtest/gtest.h>

namespace nw::measure {
namespace {

// `rows` points around each of two centres ten deviations apart.
Sample two_clouds(std::size_t rows, Rng& rng) {
  Sample sample{.points = Matrix(2 * rows, 2), .weights = std::vector<double>(2 * rows, 1.0)};
  for (std::size_t i = 0; i < 2 * rows; ++i) {
    sample.points(i, 0) = rng.normal() + (i < rows ? 0.0 : 10.0);
    sample.points(i, 1) = rng.normal();
  }
  return sample;
}

std::vector<std::uint32_t> true_members(std::size_t rows) {
  std::vector<std::uint32_t> member(2 * rows, 0);
  std::fill(member.begin() + static_cast<std::ptrdiff_t>(rows), member.end(), 1u);
  return member;
}

TEST(NeighbourSupport, keeps_every_member_of_separated_components) {
  Rng rng(1);
  const std::vector<Sample> samples{two_clouds(40, rng), two_clouds(40, rng)};
  std::vector<std::vector<std::uint32_t>> member{true_members(40), true_members(40)};
  const auto before = member;
  drop_unsupported(samples, 2, 1, member);
  EXPECT_EQ(member, before);
}

TEST(NeighbourSupport, drops_a_group_that_was_given_to_the_other_component) {
  Rng rng(2);
  const std::vector<Sample> samples{two_clouds(60, rng), two_clouds(60, rng)};
  std::vector<std::vector<std::uint32_t>> member{true_members(60), true_members(60)};
  // The leftmost tail of the first cloud, misplaced as a posterior of wrong shape would do.
  std::size_t misplaced = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t i = 0; i < 60; ++i) {
      if (samples[s].points(i, 0) < -1.5) member[s][i] = 1, ++misplaced;
    }
  }
  ASSERT_GT(misplaced, 3u);
  drop_unsupported(samples, 2, 2, member);
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t i = 0; i < 60; ++i) EXPECT_NE(member[s][i], 1u) << s << " " << i;
    for (std::size_t i = 60; i < 120; ++i) EXPECT_EQ(member[s][i], 1u) << s << " " << i;
  }
}

TEST(NeighbourSupport, leaves_a_component_of_few_members_alone) {
  Rng rng(3);
  std::vector<Sample> samples{two_clouds(30, rng)};
  std::vector<std::vector<std::uint32_t>> member{true_members(30)};
  for (const std::size_t i : {3u, 17u, 25u}) member[0][i] = 2;
  drop_unsupported(samples, 3, 1, member);
  for (const std::size_t i : {3u, 17u, 25u}) EXPECT_EQ(member[0][i], 2u);
}

TEST(NeighbourSupport, does_not_look_at_which_sample_a_row_came_from) {
  Rng rng(4);
  const Sample one = two_clouds(50, rng), two = two_clouds(50, rng);
  std::vector<std::uint32_t> a = true_members(50), b = true_members(50);
  for (std::size_t i = 0; i < 50; i += 7) a[i] = b[i + 1] = 1;
  std::vector<std::vector<std::uint32_t>> there{a, b}, back{b, a};
  drop_unsupported({one, two}, 2, 1, there);
  drop_unsupported({two, one}, 2, 1, back);
  EXPECT_EQ(there[0], back[1]);
  EXPECT_EQ(there[1], back[0]);
}

}  // namespace
}  // namespace nw::measure
