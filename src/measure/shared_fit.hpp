// Private: the alternation that lowers W_N from a given start.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/ot/exact.hpp"

#include "measure/component_step.hpp"
#include "measure/shared_em.hpp"
#include "measure/stop_check.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

struct FitOptions {
  ot::GroundCost cost = ot::GroundCost::euclidean;
  Shape shape = Shape::full;
  ShapeRule rule = ShapeRule::regression;
  double tolerance = 2e-3;
  int threads = 1;
  StopCheck stop = {};
};

/// For solvers: leaves them by Stopped.
[[nodiscard]] std::function<bool(const ot::ExactProgress&)> stopped_by(const StopCheck& stop);

/// A shared mixture, its atoms and the optimal couplings of all samples with it. Every step keeps
/// or lowers value().
class SharedFit {
 public:
  /// `samples` and `base` (the quasi-normal points, [s, d]) must outlive the fit.
  SharedFit(const std::vector<Sample>& samples, const Matrix& base, SharedModel start,
            const FitOptions& options);

  /// Rounds of couplings -> components until a round gains little. Returns whether it came to that.
  bool improve(int max_rounds);
  /// Proportions for the present components, to a certified relative gap or so many solves.
  void balance(double relative_gap, int max_solves);
  /// Gives component order[j] the number j. Nothing else changes.
  void renumber(const std::vector<std::size_t>& order);

  [[nodiscard]] double value() const;
  [[nodiscard]] const SharedModel& model() const noexcept { return model_; }
  [[nodiscard]] const Atoms& atoms() const noexcept { return atoms_; }
  [[nodiscard]] const std::vector<ot::TransportResult>& transport() const noexcept {
    return transport_;
  }
  /// Lower bound of each sample's cost over proportions; -infinity before balance().
  [[nodiscard]] const std::vector<double>& lower() const noexcept { return lower_; }
  [[nodiscard]] const std::vector<NwRound>& history() const noexcept { return history_; }
  [[nodiscard]] int solves() const noexcept { return solves_; }
  /// Cost of each component in sample s.
  [[nodiscard]] std::vector<double> component_cost(std::size_t s) const;

 private:
  void solve_all();
  void note(const char* step);

  const std::vector<Sample>* samples_;
  const Matrix* base_;
  SharedModel model_;
  FitOptions options_;
  Atoms atoms_;
  std::vector<ot::TransportResult> transport_;
  std::vector<double> lower_;
  std::vector<NwRound> history_;
  int solves_ = 0;
};

}  // namespace nw::measure
