#include <algorithm>

#include "measure/compare_stages.hpp"

namespace nw::measure {
namespace {

RegionChange region_of(const OneSided& side, bool excess_in_y, const ot::WeightedPoints& x,
                       const ot::WeightedPoints& y, const PooledRows& pool) {
  RegionChange region{.share_x = side.share_x,
                      .share_y = side.share_y,
                      .p = side.p,
                      .p_narrow = side.p_narrow,
                      .bound = side.bound,
                      .centre = {},
                      .rows_x = {},
                      .rows_y = {}};
  for (const std::size_t i : side.rows) {
    (pool.from_y(i) ? region.rows_y : region.rows_x).push_back(pool.row[i]);
  }
  const auto& rows = excess_in_y ? region.rows_y : region.rows_x;
  const auto& points = excess_in_y ? y.points : x.points;
  if (rows.empty()) return region;
  region.centre.assign(points.cols(), 0.0);
  for (const std::size_t row : rows) {
    for (std::size_t c = 0; c < points.cols(); ++c) {
      region.centre[c] += points(row, c) / static_cast<double>(rows.size());
    }
  }
  return region;
}

}  // namespace

void report_tests(const ot::WeightedPoints& x, const ot::WeightedPoints& y, const PooledRows& pool,
                  const ChangeTests& tests, CompareResult& result) {
  result.interrupted = tests.interrupted;
  result.p_energy = tests.p_energy;
  result.p_score = tests.p_score;
  result.p_same = tests.p_same;
  result.p_ratio = tests.p_ratio;
  result.p_ratio_narrow = tests.p_ratio_narrow;
  result.p_members = tests.p_members;
  result.p_components = tests.p_components;
  result.share_bound = tests.share_bound;
  result.k_readings = tests.members;
  result.smallest_share = tests.smallest_share;
  result.rows_tested_x = pool.in_x;
  result.rows_tested_y = pool.in_y;
  if (tests.interrupted) return;
  result.k_low = tests.choice.k_low;
  result.k_high = tests.choice.k_high;
  result.max_k_reached = tests.choice.reached_max;
  result.more_in_y = region_of(tests.more_in_y, true, x, y, pool);
  result.more_in_x = region_of(tests.more_in_x, false, x, y, pool);
  for (std::size_t i = 0; i < pool.rows(); ++i) {
    (pool.from_y(i) ? result.scores_y : result.scores_x).push_back({pool.row[i], tests.score[i]});
  }
}

// The region at R, or at the narrower bound where the two looks together decided.
const RegionChange* deciding_region(const CompareResult& result, double alpha) {
  const bool by_ratio = result.p_ratio <= alpha;
  if (!by_ratio && std::max(result.p_ratio_narrow, result.p_members) > alpha) return nullptr;
  const auto p = by_ratio ? &RegionChange::p : &RegionChange::p_narrow;
  const RegionChange& region =
      result.more_in_y.*p <= result.more_in_x.*p ? result.more_in_y : result.more_in_x;
  return region.centre.empty() ? nullptr : &region;
}

}  // namespace nw::measure
