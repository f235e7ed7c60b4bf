// Private: the search for the shared mixture, used by the measure, choose_k and compare.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/measure/normalized_wasserstein.hpp"

#include "measure/shared_em.hpp"
#include "measure/shared_fit.hpp"
#include "measure/stop_check.hpp"
#include "measure/working_data.hpp"

namespace nw::measure {

/// What every fit of one question has in common. All three must outlive it.
struct FitProblem {
  const WorkingData& work;
  const Matrix& base;  ///< atoms of the standard normal variable
  const NwOptions& options;
  StopCheck stop = {};
};

[[nodiscard]] FitOptions fit_options(const NwOptions& options, std::size_t dim);

/// Atoms per component: as asked for, or about as many atoms in all as the larger sample has rows.
[[nodiscard]] std::size_t atom_count(const NwOptions& options, const WorkingData& work,
                                     std::size_t components);

/// The best few of options.restarts starts by k-means++ and EM.
[[nodiscard]] std::vector<SharedModel> cluster_starts(const WorkingData& work,
                                                      std::size_t components,
                                                      const NwOptions& options, Rng& rng,
                                                      const StopCheck& stop = {});

/// Exact solves that each sample may spend on proportions, before and after the rounds.
struct Effort {
  int first_solves = 4;
  int last_solves = 30;
};

/// Carries a fit to convergence; says whether it converged within the budget of rounds.
bool polish(SharedFit& fit, const NwOptions& options, const Effort& effort = {});

/// The start with the lowest value on a part of the rows, polished on all of them. Components that
/// were fitted are numbered by component_order().
struct BestFit {
  SharedFit fit;
  bool converged = false;
};
[[nodiscard]] BestFit best_fit(const FitProblem& problem, const std::vector<SharedModel>& starts,
                               const Effort& effort = {});

struct NullDraws {
  int replicates = 1;
  int rounds = 3;  ///< in which each is fitted
};

/// Values of NW for data drawn from the fitted mixture itself, each fitted from there.
[[nodiscard]] std::vector<double> null_values(const SharedFit& fit, const FitProblem& problem,
                                              const NullDraws& draws, const Rng& rng);

/// The same, side by side: what each sample's half of NW is for data drawn from the fitted mixture.
/// [replicates * samples], sample by sample within a replicate.
[[nodiscard]] std::vector<double> null_sides(const SharedFit& fit, const FitProblem& problem,
                                             const NullDraws& draws, const Rng& rng);

[[nodiscard]] NoiseFloor summarise(const std::vector<double>& null_values);

/// Everything a result says about a fit, except floor and time.
[[nodiscard]] NwResult describe(const BestFit& found, const FitProblem& problem);

}  // namespace nw::measure
