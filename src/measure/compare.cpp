// compare: fit the shared mixture, test "same" by relabelling, test "same components" by
// relabelling within components, put intervals around the proportions, and say what it means.
#include "nw/measure/compare.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/base/team.hpp"
#include "nw/ot/exact.hpp"

#include "measure/neighbour_support.hpp"
#include "measure/normal_quantile.hpp"
#include "measure/nw_search.hpp"
#include "measure/presence.hpp"
#include "measure/proportion_bootstrap.hpp"
#include "measure/verdict.hpp"
#include "measure/within_permutation.hpp"

namespace nw::measure {
namespace {

/// Everything the steps of one comparison share.
struct Context {
  const CompareOptions& options;
  const WorkingData& work;
  Rng rng;
  int threads;
  ot::GroundCost cost;

  [[nodiscard]] bool go_on(const char* stage, double fraction) const {
    const bool stop = options.observer && !options.observer({stage, fraction});
    return !any_of(options.nw.team, stop);
  }
};

double transport_distance(const ot::WeightedPoints& a, const ot::WeightedPoints& b,
                          ot::GroundCost cost, int threads) {
  ot::ExactOptions options;
  options.threads = threads;
  const double value =
      ot::solve_exact(ot::PointProblem{.source = a, .target = b, .cost = cost}, options).cost;
  return cost == ot::GroundCost::squared_euclidean ? std::sqrt(std::max(value, 0.0)) : value;
}

struct SameTest {
  double p = 1.0, observed = 0.0, null_mean = 0.0;
  bool interrupted = false;
};

// Permutation test of W on at most max_test_points rows of each sample; exact for any statistic,
// because observed and relabelled data are treated alike.
SameTest test_same(Context& context) {
  Rng own(context.rng.bits());
  const std::vector<Sample> part = thin(context.work.samples, context.options.max_test_points, own);
  const std::size_t n = part[0].rows(), total = n + part[1].rows();
  const auto point = [&](std::size_t i) {
    return i < n ? part[0].points.row(i) : part[1].points.row(i - n);
  };
  const auto weight = [&](std::size_t i) {
    // Back to a scale that the two samples share.
    return i < n ? part[0].weights[i] * static_cast<double>(n)
                 : part[1].weights[i - n] * static_cast<double>(total - n);
  };
  const auto count = static_cast<std::size_t>(context.options.resamplings);
  std::vector<double> values(count + 1);
  SameTest test;
  const std::size_t batch = 16;
  for (std::size_t from = 0; from <= count; from += batch) {
    if (!context.go_on("permutations", static_cast<double>(from) / static_cast<double>(count))) {
      test.interrupted = true;
      return test;
    }
    const std::size_t to = std::min(from + batch, count + 1);
    const std::span<double> part_of_values(values.data() + from, to - from);
    spread_over(context.options.nw.team, context.threads, to - from, 1, part_of_values,
                [&](std::size_t at) {
                  const std::size_t b = from + at;
                  std::vector<std::size_t> order(total);
                  for (std::size_t i = 0; i < total; ++i) order[i] = i;
                  if (b > 0) {
                    Rng shuffle = own.split(b);
                    shuffle.shuffle(std::span(order));
                  }
                  Sample a{.points = Matrix(n, context.work.dim()),
                           .weights = std::vector<double>(n)};
                  Sample c{.points = Matrix(total - n, context.work.dim()),
                           .weights = std::vector<double>(total - n)};
                  for (std::size_t i = 0; i < total; ++i) {
                    Sample& side = i < n ? a : c;
                    const std::size_t row = i < n ? i : i - n;
                    std::ranges::copy(point(order[i]), side.points.row(row).begin());
                    side.weights[row] = weight(order[i]);
                  }
                  values[b] = transport_distance(a.view(), c.view(), context.cost, 1);
                });
  }
  double above = 1.0;
  for (std::size_t b = 1; b <= count; ++b) {
    above += values[b] >= values[0];
    test.null_mean += values[b] / static_cast<double>(count);
  }
  test.observed = values[0];
  test.p = above / static_cast<double>(count + 1);
  return test;
}

// Memberships are drawn from their posterior rather than set to the likeliest component: only then
// are members of overlapping components distributed as the components are.
std::vector<std::vector<std::uint32_t>> draw_members(const WorkingData& work,
                                                     const SharedModel& model, double ridge,
                                                     Rng& rng) {
  const ComponentDensity density(model.mixture, ridge);
  std::vector<std::vector<std::uint32_t>> member;
  for (std::size_t s = 0; s < work.samples.size(); ++s) {
    const Posterior p = posterior(density.log_density(work.samples[s].points), model.pi[s],
                                  work.samples[s].weights);
    member.emplace_back();
    for (Eigen::Index i = 0; i < p.probability.rows(); ++i) {
      member.back().push_back(static_cast<std::uint32_t>(rng.categorical(
          {p.probability.row(i).data(), static_cast<std::size_t>(p.probability.cols())})));
    }
  }
  return member;
}

EmOptions membership_em(const CompareOptions& options, double variance) {
  return {.shape = options.nw.shape,
          .max_iterations = 10,
          .tolerance = 1e-6,
          .move_components = options.nw.given == nullptr,
          .ridge = density_ridge(variance)};
}

WithinResult test_within(Context& context, const SharedModel& model) {
  Rng own(context.rng.bits());
  auto member = draw_members(context.work, model, density_ridge(context.work.variance), own);
  drop_unsupported(context.work.samples, model.mixture.size(), context.threads, member);
  return test_within_components(context.work.samples, member, model.mixture.size(),
                                {.cost = context.cost,
                                 .resamplings = context.options.resamplings,
                                 .threads = context.threads,
                                 .team = context.options.nw.team,
                                 .observer = context.options.observer},
                                own);
}

SharedModel start_from(const WorkingData& work, const NwResult& fit) {
  return {.mixture = reduce(work.reduction, fit.mixture_original), .pi = {fit.x.pi, fit.y.pi}};
}

// How far one sample alone is from a mixture of k components, in units of its noise floor.
double misfit_alone(const Context& context, std::size_t s, const SharedModel& shared,
                    const NwOptions& nw, const Matrix& base, Rng rng) {
  WorkingData alone;
  alone.samples = {context.work.samples[s]};
  alone.given = {context.work.samples[s].view()};
  alone.reduction.dim = alone.reduction.original_dim = context.work.dim();
  alone.variance = context.work.variance;
  std::vector<SharedModel> starts;
  if (nw.given == nullptr) starts = cluster_starts(alone, shared.mixture.size(), nw, rng);
  starts.push_back({.mixture = shared.mixture, .pi = {shared.pi[s]}});
  const Found found = best_fit(alone, base, starts, nw);
  const NoiseFloor floor = summarise(null_values(found.fit, alone, base, nw, 3, rng.split(1)));
  return floor.mean > 0.0 ? found.fit.value() / floor.mean : 1.0;
}

void describe_components(CompareResult& result, const WithinResult& within,
                         const PresenceTest& presence, const WorkingData& work) {
  double total_excess = 0.0, weighted = 0.0, mass = 0.0;
  std::vector<double> excess(result.k, 0.0);
  for (std::size_t j = 0; j < result.k; ++j) {
    const auto& w = within.components[j];
    const double share = 0.5 * (result.pi_x[j] + result.pi_y[j]);
    if (!w.tested) continue;
    excess[j] = share * std::max(w.distance - w.null_distance, 0.0);
    total_excess += excess[j];
    if (w.scale > 0.0) weighted += share * (w.distance - w.null_distance) / w.scale;
    mass += share;
  }
  result.component_change = mass > 0.0 ? std::max(weighted / mass, 0.0) : 0.0;
  for (std::size_t j = 0; j < result.k; ++j) {
    const auto& w = within.components[j];
    ComponentChange c;
    c.centre = result.fit.mixture_original.components[j].centre;
    c.mass_x = result.pi_x[j];
    c.mass_y = result.pi_y[j];
    c.mass_x_interval = result.pi_x_interval[j];
    c.mass_y_interval = result.pi_y_interval[j];
    c.presence = presence.presence[j];
    c.shift = restore_direction(work.reduction, w.shift);
    c.shift_size = w.shift_size;
    c.spread_change = w.spread_change;
    c.distance = w.distance;
    c.null_distance = w.null_distance;
    c.contribution = total_excess > 0.0 ? excess[j] / total_excess : 0.0;
    c.p_raw = w.p_raw;
    c.p = c.presence == Presence::both ? w.p : std::min(w.p, presence.p[j]);
    c.members_x = w.members_x;
    c.members_y = w.members_y;
    result.components.push_back(std::move(c));
  }
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "same";
    case Verdict::proportions:
      return "proportions";
    case Verdict::components:
      return "components";
    case Verdict::undecided:
      return "undecided";
  }
  return "unknown";
}

const char* to_string(Presence presence) {
  switch (presence) {
    case Presence::both:
      return "both";
    case Presence::only_x:
      return "only x";
    case Presence::only_y:
      return "only y";
  }
  return "unknown";
}

void CompareOptions::validate() const {
  require(resamplings >= 19, "CompareOptions.resamplings must be at least 19, got ", resamplings);
  for (const auto& [name, value] : {std::pair{"alpha", alpha},
                                    {"alpha_components", alpha_components},
                                    {"confidence", confidence},
                                    {"absence_ratio", absence_ratio}}) {
    require(value > 0.0 && value < 1.0, "CompareOptions.", name, " must lie in (0, 1), got ",
            value);
  }
  require(1.0 / (resamplings + 1.0) <= alpha_components,
          "CompareOptions.resamplings = ", resamplings,
          " cannot reach alpha_components = ", alpha_components, "; at least ",
          std::ceil(1.0 / alpha_components) - 1.0, " are needed");
  require(misfit_ratio >= 1.0, "CompareOptions.misfit_ratio must be at least 1, got ",
          misfit_ratio);
  require(max_test_points >= 50, "CompareOptions.max_test_points must be at least 50, got ",
          max_test_points);
  nw.validate();
  choose_k.validate();
}

CompareResult compare(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                      const CompareOptions& options, Rng& rng) {
  const Stopwatch watch;
  options.validate();
  CompareResult result;
  result.resamplings = options.resamplings;
  Rng own(rng.bits());
  const std::vector<ot::WeightedPoints> data{x, y};
  NwOptions nw = options.nw;
  nw.components = options.components > 0 ? options.components : 1;
  if (nw.given != nullptr) nw.components = nw.given->size();
  const WorkingData work = prepare(data, nw.given != nullptr ? 1 : nw.components, nw, own);
  Context context{.options = options,
                  .work = work,
                  .rng = own.split(1),
                  .threads = resolve_threads(nw.threads),
                  .cost = fit_options(nw, work.dim()).cost};

  // The shared mixture.
  std::vector<SharedModel> starts;
  if (nw.given != nullptr) {
    const double share = 1.0 / static_cast<double>(nw.components);
    starts.push_back(
        {.mixture = reduce(work.reduction, *nw.given),
         .pi = std::vector<std::vector<double>>(2, std::vector<double>(nw.components, share))});
  } else if (options.components == 0) {
    ChooseKOptions search = options.choose_k;
    search.nw = nw;
    search.nw.floor_replicates = std::min(nw.floor_replicates, 3);
    search.observer = options.observer;
    result.choose_k = choose_k(x, y, search, context.rng);
    result.interrupted = result.choose_k.interrupted;
    if (result.choose_k.curve.empty()) return result;
    nw.components = result.choose_k.k;
    nw.atoms_per_component = result.choose_k.fit(nw.components).atoms_per_component;
    starts.push_back(start_from(work, result.choose_k.fit(nw.components)));
  } else {
    starts = cluster_starts(work, nw.components, nw, context.rng);
  }
  result.k = nw.components;
  const Matrix base = quasi_normal_points(atom_count(nw, work, result.k), work.dim());
  const Found found = best_fit(work, base, starts, nw);
  result.fit = describe(found, work, base, nw);
  const std::vector<double> nulls =
      null_values(found.fit, work, base, nw, nw.floor_replicates, context.rng.split(7));
  result.fit.floor = summarise(nulls);
  result.normalized_wasserstein = result.fit.value;
  result.floor = result.fit.floor.mean;
  result.pi_x = result.fit.x.pi;
  result.pi_y = result.fit.y.pi;
  for (std::size_t j = 0; j < result.k; ++j) {
    result.proportion_change += 0.5 * std::abs(result.pi_x[j] - result.pi_y[j]);
  }
  if (!nulls.empty()) {
    const double spread =
        result.fit.floor.deviation * std::sqrt(1.0 + 1.0 / static_cast<double>(nulls.size()));
    result.p_fit =
        spread > 0.0 ? 1.0 - normal_cdf((result.fit.value - result.floor) / spread) : 1.0;
    result.misfit_x = result.misfit_y = result.floor > 0.0 ? result.fit.value / result.floor : 1.0;
  }

  // Same at all?
  result.wasserstein = transport_distance(work.samples[0].view(), work.samples[1].view(),
                                          context.cost, context.threads);
  const SameTest same = test_same(context);
  result.p_same = same.p;
  result.wasserstein_null = same.null_mean;

  // Same components?
  const EmOptions em = membership_em(options, work.variance);
  const SharedModel model = run_em(work.samples, found.fit.model(), em).model;
  const WithinResult within = test_within(context, model);
  const PresenceTest presence = test_presence(
      result.pi_x, result.pi_y, static_cast<double>(x.points.rows()),
      static_cast<double>(y.points.rows()), options.absence_ratio, options.alpha_components);
  result.p_components = std::min(within.p, presence.p_all_present);
  const auto absent_from = [&](Presence where) {
    return static_cast<std::size_t>(
        std::count(presence.presence.begin(), presence.presence.end(), where));
  };
  // With k chosen freely, changed components may show as exclusive ones on either side; the test
  // with as many components as each side has alone then sees the change itself.
  const std::size_t shared_k =
      result.k - std::min(absent_from(Presence::only_x), absent_from(Presence::only_y));
  if (shared_k < result.k && !result.choose_k.curve.empty() &&
      shared_k >= result.choose_k.curve.front().k) {
    const SharedModel merged =
        run_em(work.samples, start_from(work, result.choose_k.fit(shared_k)), em).model;
    result.p_components = std::min(result.p_components, test_within(context, merged).p);
  }
  result.interrupted = result.interrupted || same.interrupted || within.interrupted;

  // Does the family describe the data? One look at the pair suffices when it does.
  const bool suspicious = result.misfit_x > options.misfit_ratio &&
                          result.p_components <= options.alpha_components && !result.interrupted;
  if (suspicious) {
    result.misfit_x = misfit_alone(context, 0, model, nw, base, context.rng.split(11));
    result.misfit_y = misfit_alone(context, 1, model, nw, base, context.rng.split(12));
  }
  result.family_fits =
      result.misfit_x <= options.misfit_ratio && result.misfit_y <= options.misfit_ratio;

  Rng resample(context.rng.bits());
  result.pi_x_interval = proportion_intervals(
      work.samples, model, 0, result.pi_x, static_cast<double>(x.points.rows()), em,
      options.resamplings, options.confidence, context.threads, resample);
  result.pi_y_interval = proportion_intervals(
      work.samples, model, 1, result.pi_y, static_cast<double>(y.points.rows()), em,
      options.resamplings, options.confidence, context.threads, resample);
  describe_components(result, within, presence, work);
  decide_verdict(result, options);
  result.seconds = watch.seconds();
  return result;
}

}  // namespace nw::measure
