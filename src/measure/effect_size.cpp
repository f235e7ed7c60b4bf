// Bounds for effects. The mix: with pi estimated as p and true value t, TV(t_x, t_y) differs from
// TV(p_x, p_y) by at most the total variation of the error of p_y - p_x, whose quantile comes from
// resampled rows. Members: W1 of every member along every coordinate with Bonferroni over all of
// them. Scores: the band of Dvoretzky, Kiefer, Wolfowitz and Massart around the difference of their
// distribution functions.
//
// A significant difference counts for nothing when all of it is shown to be small: the upper bounds
// of mix and members lie below what matters, and the scores, which need no members, do not show a
// change of more rows than that. Few rows have wide bounds, so this never speaks for them.
#include "measure/effect_size.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "measure/compare_stages.hpp"
#include "measure/rank_tests.hpp"

namespace nw::measure {
namespace {

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto place =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<std::size_t>(place, 1, values.size()) - 1];
}

Interval around(double value, double noise, double most) {
  return {.low = std::max(value - noise, 0.0), .high = std::min(value + noise, most)};
}

// The most that the share of rows in a region beyond the bound may have changed.
double region_excess(const RegionChange& region, const CompareResult& result, double confidence) {
  if (region.centre.empty()) return 0.0;
  const double rows_x = static_cast<double>(result.rows_tested_x),
               rows_y = static_cast<double>(result.rows_tested_y);
  const Interval x = wilson_interval(region.share_x, rows_x, confidence);
  const Interval y = wilson_interval(region.share_y, rows_y, confidence);
  return std::max(y.high - x.low, x.high - y.low);
}

std::string points(double share) {
  return concat(significant(100.0 * share, 2), " points");
}

std::string span_of(const Interval& interval, double scale) {
  return concat(significant(scale * interval.low, 2), " to ",
                significant(scale * interval.high, 2));
}

// Where nothing counts: how large a change could still be.
std::string at_most(const Effect& effect, bool one_member, const std::string& sure) {
  const std::string moved = effect.members_compared == 0
                                ? std::string()
                                : concat("no member moved by more than ",
                                         significant(effect.members_moved_interval.high, 2),
                                         " of its deviations in any column");
  if (one_member) return moved.empty() ? moved : concat("N", moved.substr(1), ", ", sure, ".");
  return concat("Any change of the mix is below ", points(effect.mix_change_interval.high),
                moved.empty() ? "" : concat(" and ", moved), ", ", sure, ".");
}

// Where something does: how large it is.
std::string as_found(const Effect& effect, bool one_member, bool members, const std::string& sure) {
  std::string text;
  if (!one_member) {
    text = concat("The mix changed by ", points(effect.mix_change), " (",
                  span_of(effect.mix_change_interval, 100.0), ", ", sure, ")");
  }
  const bool any_moved = effect.members_moved_interval.high > 0.0;  // levels alone may not differ
  if ((members || one_member) && effect.members_compared > 0 && any_moved) {
    // Deviations of a column that hardly varies within members make any number of them.
    constexpr double kMostTold = 10.0;
    const std::string how_far =
        effect.members_moved > kMostTold
            ? concat("more than ", significant(kMostTold, 2), " of their deviations in a column")
            : concat("up to ", significant(effect.members_moved, 2),
                     " of their deviations in a column (",
                     span_of(effect.members_moved_interval, 1.0), ")");
    text += concat(text.empty() ? "Members" : "; members", " moved by ", how_far);
  }
  return text.empty() ? text : text + ".";
}

}  // namespace

void measure_mix_change(const ProportionErrors& errors_x, const ProportionErrors& errors_y,
                        double confidence, CompareResult& result) {
  Effect& effect = result.effect;
  effect.mix_change = result.proportion_change;
  effect.largest_share_change = 0.0;
  for (std::size_t j = 0; j < result.k; ++j) {
    effect.largest_share_change =
        std::max(effect.largest_share_change, std::abs(result.pi_y[j] - result.pi_x[j]));
  }
  std::vector<double> total{0.0}, largest{0.0};
  const std::size_t draws = std::min(errors_x.size(), errors_y.size());
  for (std::size_t b = 0; b < draws; ++b) {
    total.push_back(0.0);
    largest.push_back(0.0);
    for (std::size_t j = 0; j < result.k; ++j) {
      const double error = std::abs(errors_y[b][j] - errors_x[b][j]);
      total.back() += 0.5 * error;
      largest.back() = std::max(largest.back(), error);
    }
  }
  effect.mix_change_interval = around(effect.mix_change, quantile(total, confidence), 1.0);
  effect.largest_share_change_interval =
      around(effect.largest_share_change, quantile(largest, confidence), 1.0);
}

void measure_moves(const MemberProfile& profile, double confidence, CompareResult& result) {
  Effect& effect = result.effect;
  const double looks = static_cast<double>(profile.components * profile.columns);
  const double each = 1.0 - (1.0 - confidence) / looks;
  effect.members_moved = 0.0;
  effect.members_moved_interval = {};
  effect.members_compared = 0;
  for (std::size_t j = 0; j < profile.components; ++j) {
    if (!profile.in_both(j)) continue;
    ++effect.members_compared;
    for (std::size_t c = 0; c < profile.columns; ++c) {
      const MemberMove move = member_move(profile, j, c, each);
      effect.members_moved = std::max(effect.members_moved, move.distance);
      auto& interval = effect.members_moved_interval;
      interval.low = std::max(interval.low, move.distance - move.noise);
      interval.high = std::max(interval.high, move.distance + move.noise);
    }
  }
}

void measure_score_change(double confidence, CompareResult& result) {
  std::vector<double> x, y;
  for (const auto& entry : result.scores_x) x.push_back(entry.score);
  for (const auto& entry : result.scores_y) y.push_back(entry.score);
  if (x.empty() || y.empty()) return;
  std::ranges::sort(x);
  std::ranges::sort(y);
  result.effect.score_change = kolmogorov_distance(x, y);
  result.effect.score_change_interval = around(
      result.effect.score_change,
      kolmogorov_band(confidence, static_cast<double>(x.size()), static_cast<double>(y.size())),
      1.0);
}

void judge_effect(const CompareOptions& options, CompareResult& result) {
  Effect& effect = result.effect;
  const MinEffect& least = options.min_effect;
  effect.min_effect = least;
  effect.confidence = options.confidence;
  // A member in one sample only is no member that moved, but its share is a change of the mix.
  effect.equivalent = effect.members_compared > 0 &&
                      effect.mix_change_interval.high <= least.share &&
                      effect.members_moved_interval.high <= least.deviations;
  // `proportions` asks about the mix; where members can be told and none moved, they need no bound.
  const bool members_quiet =
      effect.members_moved_interval.high <= least.deviations ||
      (result.k >= 2 && effect.members_compared == result.k && !effect.any_member_moved);
  const bool beyond_any_mix = result.p_components <= options.alpha_components;
  const double excess = std::max(region_excess(result.more_in_y, result, options.confidence),
                                 region_excess(result.more_in_x, result, options.confidence));
  const bool small = effect.mix_change_interval.high <= least.share &&
                     effect.score_change_interval.low <= least.share &&
                     (beyond_any_mix ? effect.equivalent && excess <= least.share : members_quiet);
  effect.below_min_effect = result.p_same < options.alpha && small;
}

void say_effect(CompareResult& result) {
  Effect& effect = result.effect;
  if (result.components.empty()) return;
  const std::string sure =
      concat("with ", significant(100.0 * effect.confidence, 3), " % confidence");
  const bool one_member = result.k < 2;
  effect.sentence = result.verdict == Verdict::same
                        ? at_most(effect, one_member, sure)
                        : as_found(effect, one_member, result.verdict == Verdict::components, sure);
}

}  // namespace nw::measure
