// Matrix games as linear programs (Dantzig 1951). After an affine change of the payoff to entries
// in [1, 2] the value v is positive, and q = pi / v solves
//   max sum_j q_j   subject to   M q <= 1,  q >= 0,
// for which q = 0 is a feasible basis. Largest-coefficient pivots, and Bland's rule once progress
// stalls, so that the degenerate masters of late cutting-plane rounds cannot cycle.
#include "measure/matrix_game.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "nw/base/error.hpp"

namespace nw::measure {
namespace {

constexpr double kPivotTolerance = 1e-11;

class Tableau {
 public:
  explicit Tableau(MatrixView payoff)
      : rows_(payoff.rows()),
        cols_(payoff.cols()),
        cells_(rows_ + 1, cols_ + 1),
        basic_(rows_),
        nonbasic_(cols_) {
    const auto [low, high] = std::minmax_element(payoff.values().begin(), payoff.values().end());
    const double range = std::max(*high - *low, 1e-300);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t j = 0; j < cols_; ++j) {
        cells_(i, j) = 1.0 + (payoff(i, j) - *low) / range;
      }
      cells_(i, cols_) = 1.0;
      basic_[i] = cols_ + i;
    }
    for (std::size_t j = 0; j < cols_; ++j) {
      cells_(rows_, j) = -1.0;
      nonbasic_[j] = j;
    }
  }

  void solve() {
    double last = -1.0;
    int stalled = 0;
    const int limit = 200 * static_cast<int>(rows_ + cols_);
    for (int step = 0; step < limit; ++step) {
      const std::size_t j = entering(stalled > 20);
      if (j == cols_) return;
      const std::size_t i = leaving(j);
      if (i == rows_) return;  // cannot happen: entries in [1, 2] bound q
      pivot(i, j);
      stalled = cells_(rows_, cols_) > last + 1e-14 ? 0 : stalled + 1;
      last = cells_(rows_, cols_);
    }
  }

  /// pi, from the basic variables.
  std::vector<double> minimiser() const {
    std::vector<double> q(cols_, 0.0);
    for (std::size_t i = 0; i < rows_; ++i) {
      if (basic_[i] < cols_) q[basic_[i]] = std::max(cells_(i, cols_), 0.0);
    }
    return normalised(std::move(q));
  }

  /// The strategy over rows, from the reduced costs of the slack variables.
  std::vector<double> maximiser() const {
    std::vector<double> y(rows_, 0.0);
    for (std::size_t j = 0; j < cols_; ++j) {
      if (nonbasic_[j] >= cols_) y[nonbasic_[j] - cols_] = std::max(cells_(rows_, j), 0.0);
    }
    return normalised(std::move(y));
  }

 private:
  static std::vector<double> normalised(std::vector<double> strategy) {
    double total = 0.0;
    for (const double value : strategy) total += value;
    for (auto& value : strategy) value /= total;
    return strategy;
  }

  std::size_t entering(bool bland) const {
    std::size_t best = cols_;
    for (std::size_t j = 0; j < cols_; ++j) {
      if (cells_(rows_, j) >= -kPivotTolerance) continue;
      if (best == cols_ ||
          (bland ? nonbasic_[j] < nonbasic_[best] : cells_(rows_, j) < cells_(rows_, best))) {
        best = j;
      }
    }
    return best;
  }

  std::size_t leaving(std::size_t j) const {
    std::size_t best = rows_;
    double best_ratio = 0.0;
    for (std::size_t i = 0; i < rows_; ++i) {
      if (cells_(i, j) <= kPivotTolerance) continue;
      const double ratio = cells_(i, cols_) / cells_(i, j);
      if (best == rows_ || ratio < best_ratio ||
          (ratio == best_ratio && basic_[i] < basic_[best])) {
        best = i;
        best_ratio = ratio;
      }
    }
    return best;
  }

  void pivot(std::size_t row, std::size_t col) {
    const double inverse = 1.0 / cells_(row, col);
    for (std::size_t j = 0; j <= cols_; ++j) {
      if (j != col) cells_(row, j) *= inverse;
    }
    for (std::size_t i = 0; i <= rows_; ++i) {
      if (i == row) continue;
      const double scale = cells_(i, col);
      if (scale == 0.0) continue;
      for (std::size_t j = 0; j <= cols_; ++j) {
        if (j != col) cells_(i, j) -= scale * cells_(row, j);
      }
      cells_(i, col) = -scale * inverse;
    }
    cells_(row, col) = inverse;
    std::swap(basic_[row], nonbasic_[col]);
  }

  std::size_t rows_, cols_;
  Matrix cells_;
  std::vector<std::size_t> basic_, nonbasic_;
};

}  // namespace

GameSolution solve_matrix_game(MatrixView payoff) {
  require(payoff.rows() > 0 && payoff.cols() > 0, "solve_matrix_game: empty payoff");
  Tableau tableau(payoff);
  tableau.solve();
  // Both sides are evaluated afresh from their strategies, so that tableau rounding cannot spoil
  // the certificate.
  GameSolution solution{.pi = tableau.minimiser(), .value = 0.0, .lower = 0.0};
  const std::vector<double> y = tableau.maximiser();
  for (std::size_t i = 0; i < payoff.rows(); ++i) {
    double payment = 0.0;
    for (std::size_t j = 0; j < payoff.cols(); ++j) payment += payoff(i, j) * solution.pi[j];
    solution.value = i == 0 ? payment : std::max(solution.value, payment);
  }
  for (std::size_t j = 0; j < payoff.cols(); ++j) {
    double payment = 0.0;
    for (std::size_t i = 0; i < payoff.rows(); ++i) payment += payoff(i, j) * y[i];
    solution.lower = j == 0 ? payment : std::min(solution.lower, payment);
  }
  return solution;
}

}  // namespace nw::measure
