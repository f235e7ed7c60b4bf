#include "measure/matrix_game.hpp"

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

namespace nw::measure {
namespace {

TEST(SolveMatrixGame, FindsTheEvenStrategyOfMatchingPennies) {
  const GameSolution game = solve_matrix_game(Matrix({1.0, -1.0, -1.0, 1.0}, 2, 2));
  EXPECT_NEAR(game.pi[0], 0.5, 1e-12);
  EXPECT_NEAR(game.value, 0.0, 1e-12);
}

TEST(SolveMatrixGame, BoundsMeetAndNoGridPointIsBetter) {
  Rng rng(5);
  for (int trial = 0; trial < 50; ++trial) {
    Matrix payoff(1 + rng.below(8), 3);
    for (auto& value : payoff.values()) value = 10.0 * rng.normal();
    const GameSolution game = solve_matrix_game(payoff);
    EXPECT_NEAR(game.value, game.lower, 1e-9);
    for (int a = 0; a <= 40; ++a) {
      for (int b = 0; a + b <= 40; ++b) {
        const double pi[] = {a / 40.0, b / 40.0, (40 - a - b) / 40.0};
        double worst = -1e300;
        for (std::size_t c = 0; c < payoff.rows(); ++c) {
          worst =
              std::max(worst, payoff(c, 0) * pi[0] + payoff(c, 1) * pi[1] + payoff(c, 2) * pi[2]);
        }
        EXPECT_GE(worst, game.lower - 1e-9);
      }
    }
  }
}

TEST(SolveMatrixGame, StaysExactWithHundredsOfDegenerateRows) {
  Rng rng(6);
  Matrix payoff(400, 30);
  for (auto& value : payoff.values()) value = static_cast<double>(rng.below(3));
  const GameSolution game = solve_matrix_game(payoff);
  EXPECT_NEAR(game.value, game.lower, 1e-9);
}

}  // namespace
}  // namespace nw::measure
