#include "measure/alike_components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/mixtures.hpp"

namespace nw::measure {
namespace {

using ::testing::ElementsAre;
using Members = std::vector<std::vector<std::size_t>>;

/// Unit Gaussians at these places of a line, in these shares.
struct Line {
  std::vector<double> at, pi_x, pi_y;
  std::vector<bool> shared;
};

Sample draw(const Line& line, const std::vector<double>& pi, std::size_t rows, Rng& rng) {
  Sample sample{Matrix(rows, 1), std::vector<double>(rows, 1.0 / static_cast<double>(rows))};
  for (std::size_t i = 0; i < rows; ++i) {
    sample.points(i, 0) = line.at[rng.categorical(pi)] + rng.normal();
  }
  return sample;
}

Members join(const Line& line) {
  Rng rng(3);
  constexpr std::size_t kRows = 600;
  SharedModel model;
  for (const double at : line.at) {
    const std::vector<double> centre{at};
    Matrix covariance(1, 1, 1.0);
    model.mixture.components.push_back(gaussian_component(centre, covariance));
  }
  model.pi = {line.pi_x, line.pi_y};
  const std::vector<Sample> samples{draw(line, line.pi_x, kRows, rng),
                                    draw(line, line.pi_y, kRows, rng)};
  return join_alike({samples, model, line.pi_x, line.pi_y, line.shared}, 1e-9);
}

TEST(JoinAlike, MakesOneMemberOfComponentsThatOverlapAndChangedByOneFactor) {
  EXPECT_THAT(join({.at = {0.0, 10.0, 1.5, 3.0},
                    .pi_x = {0.2, 0.4, 0.2, 0.2},
                    .pi_y = {0.1, 0.7, 0.1, 0.1},
                    .shared = {true, true, true, true}}),
              ElementsAre(ElementsAre(0, 2, 3), ElementsAre(1)));
}

TEST(JoinAlike, KeepsComponentsApartOfWhichOneGrewAtTheExpenseOfTheOther) {
  EXPECT_THAT(
      join({.at = {0.0, 1.5}, .pi_x = {0.7, 0.3}, .pi_y = {0.3, 0.7}, .shared = {true, true}}),
      ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(JoinAlike, KeepsComponentsApartThatDoNotOverlap) {
  EXPECT_THAT(
      join({.at = {0.0, 6.0}, .pi_x = {0.5, 0.5}, .pi_y = {0.5, 0.5}, .shared = {true, true}}),
      ElementsAre(ElementsAre(0), ElementsAre(1)));
}

TEST(JoinAlike, LeavesComponentsAloneThatAreNewGoneOrMoved) {
  EXPECT_THAT(join({.at = {0.0, 1.0, 2.0},
                    .pi_x = {0.4, 0.3, 0.3},
                    .pi_y = {0.4, 0.3, 0.3},
                    .shared = {true, false, true}}),
              ElementsAre(ElementsAre(0, 2), ElementsAre(1)));
}

}  // namespace
}  // namespace nw::measure
