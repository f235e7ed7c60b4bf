#include <algorithm>
#include <cmath>

#include "measure/alike_components.hpp"
#include "measure/column_changes.hpp"
#include "measure/compare_stages.hpp"
#include "measure/effect_size.hpp"
#include "measure/neighbour_support.hpp"
#include "measure/presence.hpp"
#include "measure/proportion_bootstrap.hpp"
#include "measure/within_permutation.hpp"

namespace nw::measure {
namespace {

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

WithinResult test_within(CompareContext& context, const SharedModel& model) {
  Rng by_content = Rng(context.pool.fingerprint).split(5);
  auto member = draw_members(context.work, model, density_ridge(context.work.variance), by_content);
  drop_unsupported(context.work.samples, model.mixture.size(), context.threads, member);
  return test_within_components(context.work.samples, member, model.mixture.size(),
                                {.cost = context.cost(),
                                 .resamplings = context.options.resamplings,
                                 .threads = context.threads,
                                 .team = context.nw.team,
                                 .stop = context.stop},
                                by_content);
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

// Where the measure saw a part of the rows, its proportions hold that part's noise however many
// rows there are. Those by likelihood do not.
void take_shares_of_all_rows(const CompareContext& context, const MemberProfile& profile,
                             CompareResult& result) {
  const auto& work = context.work;
  for (std::size_t s = 0; s < 2; ++s) {
    if (work.given[s].points.rows() == work.samples[s].rows()) continue;
    result.pi_x = profile.mass[0];
    result.pi_y = profile.mass[1];
  }
  result.proportion_change = 0.0;
  for (std::size_t j = 0; j < result.k; ++j) {
    result.proportion_change += 0.5 * std::abs(result.pi_x[j] - result.pi_y[j]);
  }
}

// Known classes have their shares from the tests: components and classes tell one story.
void take_shares_of_classes(CompareResult& result) {
  result.pi_x.clear();
  result.pi_y.clear();
  result.proportion_change = 0.0;
  for (const ClassShare& c : result.classes) {
    result.pi_x.push_back(c.share_x);
    result.pi_y.push_back(c.share_y);
    result.proportion_change += 0.5 * std::abs(c.share_y - c.share_x);
  }
}

// X's classes were counted: their errors are those of a multinomial draw.
ProportionSpread spread_of_counts(const std::vector<double>& share, double rows,
                                  const CompareOptions& options, Rng& rng) {
  ProportionSpread spread;
  for (const double s : share) {
    spread.interval.push_back(wilson_interval(s, rows, options.confidence));
  }
  for (int b = 0; b < options.resamplings; ++b) {
    std::vector<double> error;
    double total = 0.0;
    for (const double s : share) {
      error.push_back(std::sqrt(s / rows) * rng.normal());
      total += error.back();
    }
    for (std::size_t j = 0; j < share.size(); ++j) error[j] -= share[j] * total;
    spread.errors.push_back(std::move(error));
  }
  return spread;
}

// Classes that are known are members as they are.
void join_components(const CompareContext& context, const SharedModel& model, double ridge,
                     CompareResult& result) {
  if (!result.classes.empty()) {
    for (std::size_t j = 0; j < result.k; ++j) result.members.push_back({j});
    return;
  }
  std::vector<bool> shared;
  for (const ComponentChange& c : result.components) {
    shared.push_back(c.presence == Presence::both && c.p >= context.options.alpha);
  }
  result.members =
      join_alike({context.work.samples, model, result.pi_x, result.pi_y, shared}, ridge);
}

// Columns, effects and the members of rows. All random draws start from the content.
void describe_changes(const CompareContext& context, const SharedModel& model, double ridge,
                      const MemberProfile& profile, CompareResult& result) {
  const CompareOptions& options = context.options;
  const Rng by_content(context.pool.fingerprint);
  const auto columns =
      coordinates_of_columns(options.column_of, context.work.reduction.original_dim);
  const MemberRows rows = assign_members(context.work, context.pool, model, ridge, context.threads,
                                         by_content.split(12));
  find_moved_columns(rows, columns, options.alpha, context.threads, result);
  describe_columns(profile, rows, columns, result);
  name_members(rows, result);
  measure_moves(profile, options.confidence, result);
  measure_score_change(options.confidence, result);
  judge_effect(options, result);
}

}  // namespace

void compare_members(CompareContext& context, const SharedModel& fitted, CompareResult& result) {
  const CompareOptions& options = context.options;
  const auto& given = context.work.given;
  const EmOptions em{.shape = context.nw.shape,
                     .max_iterations = 10,
                     .tolerance = 1e-6,
                     .move_components = context.nw.given == nullptr,
                     .ridge = density_ridge(context.work.variance),
                     .stop = context.stop};
  const SharedModel model = run_em(context.work.samples, fitted, em).model;
  constexpr std::size_t kEffectRows = 500000;  // of each sample
  const MemberProfile profile = profile_members(context.work, model,
                                                {.ridge = em.ridge,
                                                 .most_rows = kEffectRows,
                                                 .threads = context.threads,
                                                 .go_on =
                                                     [&] {
                                                       context.stop.stage("members", 0.0);
                                                       return true;
                                                     }},
                                                Rng(context.pool.fingerprint).split(11));
  const bool known = !result.classes.empty();
  if (known) {
    take_shares_of_classes(result);
  } else {
    take_shares_of_all_rows(context, profile, result);
  }
  const WithinResult within = test_within(context, model);
  context.stop.stage("intervals", 0.0);
  const auto rows = [&](std::size_t s) {
    // The shares of known classes in Y rest on the rows that were tested.
    if (known && s == 1) return static_cast<double>(context.pool.in_y);
    return static_cast<double>(std::min(given[s].points.rows(), kEffectRows));
  };
  const PresenceTest presence = test_presence({result.pi_x, rows(0)}, {result.pi_y, rows(1)},
                                              1.0 / result.share_bound, options.alpha_components);
  Rng resample(context.rng.bits());
  const auto spread = [&](std::size_t s, const std::vector<double>& pi) {
    return proportion_spread({.sample = context.work.samples[s],
                              .mixture = model.mixture,
                              .likely = model.pi[s],
                              .pi = pi,
                              .rows = rows(s)},
                             {.ridge = em.ridge,
                              .resamplings = options.resamplings,
                              .confidence = options.confidence,
                              .threads = context.threads,
                              .stop = context.stop},
                             resample);
  };
  ProportionSpread x, y;
  if (known) {
    x = spread_of_counts(result.pi_x, rows(0), options, resample);
    y.errors = context.known.errors;
    for (const ClassShare& c : result.classes) y.interval.push_back(c.share_y_interval);
  } else {
    x = spread(0, result.pi_x);
    y = spread(1, result.pi_y);
  }
  result.pi_x_interval = std::move(x.interval);
  result.pi_y_interval = std::move(y.interval);
  describe_components(result, within, presence, context.work);
  join_components(context, model, em.ridge, result);
  measure_mix_change(x.errors, y.errors, options.confidence, result);
  describe_changes(context, model, em.ridge, profile, result);
}

}  // namespace nw::measure
