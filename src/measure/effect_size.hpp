// Private: how large the change is, and how large it could be.
#pragma once

#include <vector>

#include "nw/measure/compare.hpp"

#include "measure/member_profile.hpp"

namespace nw::measure {

/// Proportions estimated from resampled rows, as deviations from their mean that are scaled to the
/// rows the estimate rests on.
using ProportionErrors = std::vector<std::vector<double>>;

/// The change of the mix from `pi_x` to `pi_y`, between bounds that hold with `confidence`.
void measure_mix_change(const ProportionErrors& errors_x, const ProportionErrors& errors_y,
                        double confidence, CompareResult& result);

/// The largest move of members in any column, likewise.
void measure_moves(const MemberProfile& profile, double confidence, CompareResult& result);

/// The share of rows by which the scores differ, likewise. It needs no members.
void measure_score_change(double confidence, CompareResult& result);

/// Whether all bounds lie below what matters, and whether a significant difference counts for
/// nothing because of that. Needs p-values, regions and the three measures above.
void judge_effect(const CompareOptions& options, CompareResult& result);

}  // namespace nw::measure
