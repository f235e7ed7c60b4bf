#include "measure/nw_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"
#include "nw/base/team.hpp"

#include "measure/balanced_dual.hpp"
#include "measure/component_order.hpp"
#include "measure/seeding.hpp"

namespace nw::measure {
namespace {

// Restarts only have to find the right basin, which a part of the rows shows as well.
constexpr std::size_t kRowsForRestarts = 1500;
constexpr std::size_t kStartsCarriedOn = 2;
constexpr int kNullEmIterations = 4;
constexpr std::size_t kRowsForRanking = 500;

// Proportions of every row: those of the transport problem, corrected by what the likelihood's
// proportions say about the rows that were left out (a control variate).
std::vector<double> full_proportions(const std::vector<double>& pi, std::size_t s,
                                     const SharedModel& model, const WorkingData& work,
                                     int threads) {
  if (work.given[s].points.rows() == work.samples[s].rows() || pi.size() == 1) return pi;
  const ComponentDensity density(model.mixture, density_ridge(work.variance));
  Reduction identity;
  identity.dim = work.dim();
  std::vector<double> start = pi;
  for (auto& p : start) p = 0.98 * p + 0.02 / static_cast<double>(pi.size());
  const auto part =
      likelihood_proportions(work.samples[s].view(), identity, density, start, threads);
  const auto all = likelihood_proportions(work.given[s], work.reduction, density, part, threads);
  std::vector<double> result(pi.size());
  double total = 0.0;
  for (std::size_t j = 0; j < pi.size(); ++j) {
    result[j] = std::max(pi[j] + all[j] - part[j], 0.0);
    total += result[j];
  }
  for (auto& p : result) p /= total;
  return result;
}

NwSide describe_side(std::size_t s, const BestFit& found, const WorkingData& work,
                     const NwOptions& options) {
  const auto& transport = found.fit.transport()[s];
  const auto& weights = work.samples[s].weights;
  NwSide side;
  side.cost = transport.cost;
  side.distance = options.order == 2 ? std::sqrt(std::max(side.cost, 0.0)) : side.cost;
  side.lower = found.fit.lower()[s];
  side.component_cost = found.fit.component_cost(s);
  side.rows = work.given[s].points.rows();
  side.rows_used = work.samples[s].rows();
  side.pi = full_proportions(found.fit.model().pi[s], s, found.fit.model(), work, options.threads);
  // By the envelope theorem the potential is the influence function of W in the data; the balanced
  // one, because the proportions move along.
  const std::vector<double> u =
      balanced_dual(work.samples[s].view(), found.fit.atoms(),
                    fit_options(options, work.dim()).cost, transport.target_potential)
          .source_potential;
  double mean = 0.0, square = 0.0, weight_square = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    mean += weights[i] * u[i];
    weight_square += weights[i] * weights[i];
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    square += weights[i] * (u[i] - mean) * (u[i] - mean);
  }
  side.standard_error = std::sqrt(square * weight_square);
  return side;
}

}  // namespace

FitOptions fit_options(const NwOptions& options, std::size_t dim) {
  return {
      .cost = options.order == 2 ? ot::GroundCost::squared_euclidean : ot::GroundCost::euclidean,
      .shape = options.shape,
      .rule = shape_rule(dim),
      .tolerance = options.tolerance,
      .threads = resolve_threads(options.threads)};
}

std::size_t atom_count(const NwOptions& options, const WorkingData& work, std::size_t components) {
  if (options.atoms_per_component > 0) return options.atoms_per_component;
  std::size_t rows = 0;
  for (const auto& s : work.samples) rows = std::max(rows, s.rows());
  return std::clamp<std::size_t>(rows / components, 50, 500);
}

std::vector<SharedModel> cluster_starts(const WorkingData& work, std::size_t components,
                                        const NwOptions& options, Rng& rng, const StopCheck& stop) {
  const Rng streams(rng.bits());
  Rng thinning = streams.split(0);
  const std::size_t rows = std::max(kRowsForRestarts, 100 * components) / work.samples.size();
  const std::vector<Sample> part = thin(work.samples, rows, thinning);
  const EmOptions em{.shape = options.shape,
                     .max_iterations = 30,
                     .tolerance = 1e-4,
                     .move_components = true,
                     .ridge = density_ridge(work.variance),
                     .stop = stop};
  const int restarts = components == 1 ? 1 : options.restarts;
  std::vector<EmResult> results(static_cast<std::size_t>(restarts));
  parallel_for(resolve_threads(options.threads), results.size(), 1,
               [&](std::size_t begin, std::size_t end, int) {
                 for (std::size_t r = begin; r < end; ++r) {
                   Rng own = streams.split(r + 1);
                   results[r] =
                       run_em(part, cluster_start(part, components, options.shape, own), em);
                 }
               });
  std::stable_sort(results.begin(), results.end(), [](const EmResult& a, const EmResult& b) {
    return a.log_likelihood > b.log_likelihood;
  });
  std::vector<SharedModel> starts;
  double last = 0.0;
  for (auto& r : results) {
    // Restarts that ended at the same likelihood found the same mixture.
    if (!starts.empty() && last - r.log_likelihood < 1e-3) continue;
    last = r.log_likelihood;
    EmOptions full = em;
    full.max_iterations = 10;
    starts.push_back(run_em(work.samples, std::move(r.model), full).model);
    if (starts.size() == kStartsCarriedOn) break;
  }
  return starts;
}

bool polish(SharedFit& fit, const NwOptions& options, const Effort& effort) {
  constexpr int kSolvesForGiven = 200, kPasses = 2;
  if (options.given != nullptr) {
    fit.balance(options.proportion_gap, kSolvesForGiven);
    return true;
  }
  bool converged = false;
  for (int pass = 0; pass < kPasses; ++pass) {
    const double before = fit.value();
    if (pass == 0 && effort.first_solves > 0) fit.balance(0.02, effort.first_solves);
    converged = fit.improve(options.max_rounds);
    const double between = fit.value();
    fit.balance(options.proportion_gap, effort.last_solves);
    // Better proportions may call for better components.
    if (between - fit.value() <= 2.0 * options.tolerance * before) break;
  }
  return converged;
}

BestFit best_fit(const FitProblem& problem, const std::vector<SharedModel>& starts,
                 const Effort& effort) {
  const auto& [work, base, options, stop] = problem;
  FitOptions fit_with = fit_options(options, work.dim());
  fit_with.stop = stop;
  std::size_t best = 0;
  if (starts.size() > 1) {
    // The same part of the rows for all starts, and fewer atoms to match.
    Rng thinning(1);
    const std::vector<Sample> part = thin(work.samples, kRowsForRanking, thinning);
    const Matrix coarse =
        quasi_normal_points(std::clamp<std::size_t>(base.rows() / 4, 25, 100), work.dim());
    double smallest = 0.0;
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const double value = SharedFit(part, coarse, starts[i], fit_with).value();
      if (i == 0 || value < smallest) {
        smallest = value;
        best = i;
      }
    }
  }
  BestFit found{.fit = SharedFit(work.samples, base, starts[best], fit_with), .converged = false};
  found.converged = polish(found.fit, options, effort);
  if (options.given == nullptr) found.fit.renumber(component_order(found.fit.model()));
  return found;
}

std::vector<double> null_values(const SharedFit& fit, const FitProblem& problem,
                                const NullDraws& draws, const Rng& rng) {
  const std::size_t sides = problem.work.samples.size();
  const auto parts = null_sides(fit, problem, draws, rng);
  std::vector<double> values(static_cast<std::size_t>(draws.replicates), 0.0);
  for (std::size_t i = 0; i < parts.size(); ++i) values[i / sides] += parts[i];
  return values;
}

std::vector<double> null_sides(const SharedFit& fit, const FitProblem& problem,
                               const NullDraws& draws, const Rng& rng) {
  // Clang 14, which builds the fuzz targets, captures no structured bindings.
  const WorkingData& work = problem.work;
  const Matrix& base = problem.base;
  const NwOptions& options = problem.options;
  const std::size_t sides = work.samples.size();
  std::vector<double> values(static_cast<std::size_t>(draws.replicates) * sides);
  // Factors fitted by W are a little short, because they chase the noise of the sample; data drawn
  // from them would understate the floor. The likelihood's factors are not.
  SharedModel truth = fit.model();
  if (options.given == nullptr) {
    truth = run_em(work.samples, std::move(truth),
                   {.shape = options.shape,
                    .max_iterations = kNullEmIterations,
                    .tolerance = 1e-4,
                    .move_components = true,
                    .ridge = density_ridge(work.variance),
                    .stop = problem.stop})
                .model;
  }
  FitOptions fit_with = fit_options(options, work.dim());
  fit_with.stop = problem.stop;
  spread_over({.team = options.team,
               .threads = fit_with.threads,
               .count = static_cast<std::size_t>(draws.replicates)},
              values, [&](std::size_t r) {
                Rng own = rng.split(r);
                SharedModel model = truth;
                std::vector<Sample> drawn;
                for (std::size_t s = 0; s < work.samples.size(); ++s) {
                  MixtureSample points =
                      draw(model.mixture, model.pi[s], work.samples[s].rows(), own);
                  auto& pi = model.pi[s];
                  std::fill(pi.begin(), pi.end(), 0.0);
                  for (std::size_t i = 0; i < points.component_of.size(); ++i) {
                    pi[points.component_of[i]] += work.samples[s].weights[i];
                  }
                  drawn.push_back({std::move(points.points), work.samples[s].weights});
                }
                SharedFit null(drawn, base, std::move(model), fit_with);
                if (options.given == nullptr) null.improve(draws.rounds);
                for (std::size_t s = 0; s < sides; ++s)
                  values[r * sides + s] = null.transport()[s].cost;
              });
  return values;
}

NoiseFloor summarise(const std::vector<double>& null_values) {
  NoiseFloor floor;
  floor.replicates = static_cast<int>(null_values.size());
  if (null_values.empty()) return floor;
  const double count = static_cast<double>(null_values.size());
  floor.mean = std::accumulate(null_values.begin(), null_values.end(), 0.0) / count;
  double square = 0.0;
  for (const double v : null_values) square += (v - floor.mean) * (v - floor.mean);
  floor.deviation = count > 1.0 ? std::sqrt(square / (count - 1.0)) : 0.0;
  return floor;
}

NwResult describe(const BestFit& found, const FitProblem& problem) {
  const auto& [work, base, options, stop] = problem;
  NwResult result;
  const auto& fit = found.fit;
  result.value = fit.value();
  result.x = describe_side(0, found, work, options);
  result.standard_error = result.x.standard_error;
  result.lower_for_components = result.x.lower;
  if (work.samples.size() > 1) {
    result.y = describe_side(1, found, work, options);
    result.standard_error = std::hypot(result.standard_error, result.y.standard_error);
    result.lower_for_components += result.y.lower;
  }
  result.mixture = fit.model().mixture;
  result.mixture_original = restore(work.reduction, result.mixture);
  result.termination = found.converged ? NwTermination::converged : NwTermination::round_limit;
  result.reason = options.given != nullptr ? concat("the proportions are optimal within ",
                                                    result.value - result.lower_for_components)
                  : found.converged        ? concat("a round gained less than ", options.tolerance,
                                                    " of the value; proportions optimal within ",
                                                    result.value - result.lower_for_components)
                                    : concat("stopped after ", options.max_rounds, " rounds");
  result.history = fit.history();
  result.reduction = work.reduction;
  result.atoms_per_component = base.rows();
  result.solves = fit.solves();
  return result;
}

}  // namespace nw::measure
