#include "measure/possible_moves.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace nw::measure {
namespace {

/// Components in the plane with deviations 1 and 2.
struct Case {
  std::vector<ComponentChange> components;
  Mixture mixture;

  void add(double a, double b, double mass_x, double mass_y, MemberStatus status) {
    ComponentChange component;
    component.centre = {a, b};
    component.mass_x = mass_x, component.mass_y = mass_y, component.status = status;
    components.push_back(component);
    Matrix spread(2, 2);
    spread(0, 0) = 1.0, spread(1, 1) = 4.0;
    mixture.components.push_back(gaussian_component(component.centre, spread));
  }
  [[nodiscard]] std::vector<PossibleMove> moves(std::vector<std::uint32_t> column_of = {}) const {
    return find_possible_moves(components, mixture, column_of);
  }
};

Case one_group_moved() {
  Case at;
  at.add(30.0, 0.0, 0.5, 0.5, MemberStatus::shared);
  at.add(0.0, 0.0, 0.4, 0.01, MemberStatus::missing_from_y);
  at.add(3.0, 4.0, 0.0, 0.45, MemberStatus::new_in_y);
  at.add(1.5, 2.0, 0.02, 0.0, MemberStatus::shared);  // a few rows between them: dust
  return at;
}

TEST(PossibleMoves, PairAGroupThatIsGoneWithANewOneNearItOfSimilarShare) {
  const auto moves = one_group_moved().moves();
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].gone, 1u);
  EXPECT_EQ(moves[0].appeared, 2u);
  // Along (3, 4) / 5 the variance is (9 + 4 * 16) / 25.
  EXPECT_NEAR(moves[0].deviations, 5.0 / std::sqrt(73.0 / 25.0), 1e-12);
  ASSERT_EQ(moves[0].columns.size(), 2u);
  EXPECT_EQ(moves[0].columns[0].coordinate, 0u);
  EXPECT_NEAR(moves[0].columns[0].deviations, 3.0, 1e-12);
  EXPECT_NEAR(moves[0].columns[1].deviations, 2.0, 1e-12);
  EXPECT_EQ(moves[0].columns[1].to, 4.0);
}

TEST(PossibleMoves, KeepTheCoordinateThatDiffersMostOfEveryColumn) {
  const auto moves = one_group_moved().moves({5, 5});
  ASSERT_EQ(moves.size(), 1u);
  ASSERT_EQ(moves[0].columns.size(), 1u);
  EXPECT_EQ(moves[0].columns[0].column, 5u);
  EXPECT_EQ(moves[0].columns[0].coordinate, 0u);
}

TEST(PossibleMoves, AreNoneWhereTheSharesDiffer) {
  Case at = one_group_moved();
  at.components[2].mass_y = 0.9;
  EXPECT_TRUE(at.moves().empty());
  at.components[2].mass_y = 0.19;
  EXPECT_TRUE(at.moves().empty());
}

TEST(PossibleMoves, AreNoneWhereAnotherComponentLiesNearer) {
  Case at = one_group_moved();
  at.components[3].mass_x = 0.08;
  EXPECT_TRUE(at.moves().empty());
}

TEST(PossibleMoves, AreNoneAcrossALargeGap) {
  Case at = one_group_moved();
  at.components[2].centre = {13.0, 0.0};
  EXPECT_TRUE(at.moves().empty());
}

TEST(PossibleMoves, AreNoneUnlessOneIsGoneAndOneIsNew) {
  Case at = one_group_moved();
  at.components[1].status = MemberStatus::shared;
  EXPECT_TRUE(at.moves().empty());
}

}  // namespace
}  // namespace nw::measure
