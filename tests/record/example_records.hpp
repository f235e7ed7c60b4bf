// Records with every member set, for tests of reading, writing and drawing.
#pragma once

#include "nw/record/run_record.hpp"

namespace nw::record {

/// A comparison of two data sets on two axes with k = 2, every member set.
inline RunRecord full_record() {
  RunRecord record;
  record.kind = RunKind::compare;
  record.command = "compare";
  record.title = "before against after";
  record.sentence = "Only the proportions changed.";
  record.details = {"W is 12 times its floor.", "NW lies inside its floor."};
  record.warnings = {"One column is constant."};
  record.data = {{"before.csv", "data/before.csv", 500, 2, {"width", "height"}, true},
                 {"after.csv", "data/after.csv", 400, 2, {"width", "height"}, false}};
  record.distance = DistanceResult{1.5, "exact", 1.5, 1.49, 0.01};
  CompareResult compare;
  compare.wasserstein = 1.5;
  compare.normalized_wasserstein = 0.1;
  compare.wasserstein_floor = 0.12;
  compare.normalized_floor = 0.09;
  compare.k = 2;
  compare.pi_x = {0.25, 0.75};
  compare.pi_y = {0.5, 0.5};
  compare.pi_x_interval = {{0.2, 0.3}, {0.7, 0.8}};
  compare.pi_y_interval = {{0.45, 0.55}, {0.45, 0.55}};
  compare.p_same = 0.001;
  compare.p_components = 0.4;
  compare.verdict = Verdict::proportions;
  const ComponentName left{.parts = {{.value = "left"}}};
  compare.components = {
      {left, {-1.0, 0.0}, 0.25, 0.5, {0.02, 0.0}, 0.1, -0.2, 0.01, 0.8, MemberStatus::shared},
      {{}, {1.0, 0.0}, 0.75, 0.5, {0.5, 0.5}, 3.0, 0.0, 0.9, 0.01, MemberStatus::moved}};
  compare.components[0].distance = 0.2;
  compare.components[0].null_distance = 0.1;
  compare.components[0].p_raw = 0.3;
  compare.components[0].members_x = 120;
  compare.components[0].members_y = 200;
  compare.reason = "the comparison was stopped before its end";
  compare.k_interval = Interval{2, 3};
  compare.share_routes = {
      {.name = "likelihood", .share = {0.5, 0.5}, .interval = {{0.4, 0.6}, {0.4, 0.6}}}};
  compare.evidence = CompareEvidence{.p_energy = 0.002,
                                     .p_score = 0.001,
                                     .p_ratio = 0.4,
                                     .p_ratio_narrow = 0.1,
                                     .p_members = 0.6,
                                     .share_bound = 4.0,
                                     .smallest_share = 0.1,
                                     .k_readings = {{2, 0.6}, {3, 0.5}},
                                     .more_in_y = RegionResult{0.01, 0.2, 0.03, {1.0, 2.0}},
                                     .more_in_x = RegionResult{0.2, 0.1, 0.5, {0.0, 1.0}},
                                     .p_fit = 0.5,
                                     .misfit_x = 1.1,
                                     .misfit_y = 1.2};
  compare.components[1].columns_moved = {{"colour", "red", 0.25, 0.5, 0.6, 0.1, 0.01}};
  compare.possible_moves = {{1, 2, 2.5, {{"colour", "red", 0.25, 0.75, 1.5}}}};
  compare.effect = EffectResult{.mix_change = 0.25,
                                .mix_change_interval = {0.2, 0.3},
                                .largest_share_change = 0.25,
                                .largest_share_change_interval = {0.15, 0.35},
                                .members_moved = 0.5,
                                .members_moved_interval = {0.25, 0.75},
                                .score_change = 0.2,
                                .score_change_interval = {0.1, 0.3},
                                .min_share = 0.02,
                                .min_deviations = 0.1,
                                .confidence = 0.9,
                                .equivalent = true,
                                .below_min_effect = true,
                                .sentence = "Any change of the mix is below 30 points."};
  record.compare = compare;
  record.mode_choice = ModeChoice{
      3, {{1, 2.0, 1.9, 2.1, 0.05, 0.15}, {2, 0.1, 0.09, 0.11, 0.05, 0.15}}, {"NW(2) is small."}};
  record.metrics = {{"nw_over_w", "NW / W", 0.0667, Interval{0.05, 0.08}, 0.04}};
  record.series = {{"loss", "step", "loss", {0, 1, 2}, {3, 2, 1}, "losses"}};
  record.pictures = {{"a sheet", "what it shows", 56, 28, "iVBORw0KGgo="}};
  Figure figure;
  figure.axes = {{"width", 0.75}, {"height", 0.25}};
  figure.x = {{-1.0, 0.5}, {1.0, -0.5}};
  figure.y = {{-1.5, 0.25}};
  figure.ellipses = {{0, {-1.0, 0.0}, {1.0, 0.25, 0.25, 2.0}}, {1, {1.0, 0.0}, {1, 0, 0, 1}}};
  figure.plain = {{{-1.0, 0.5}, {-1.5, 0.25}, 0.01}};
  figure.normalized_x = {{{-1.0, 0.5}, {-1.0, 0.0}, 0.01}};
  figure.normalized_y = {{{-1.5, 0.25}, {-1.0, 0.0}, 0.01}};
  figure.member_x = {0, 1};
  figure.member_y = {0};
  figure.columns = {{"width", {}, {1.5, 2.5}, {2.25}}, {"colour", {"red", "blue"}, {0, 1}, {1}}};
  record.figure = figure;
  record.converged = false;
  record.seconds = 1.25;
  record.peak_rss_mb = 64.0;
  record.seeds = {7, 18446744073709551615ULL};
  record.created = "2024-05-01T12:00:00Z";
  record.settings = {
      {"p", std::int64_t{1}}, {"level", 0.95}, {"shape", std::string("full")}, {"quick", false}};
  record.versions = {{"nw", "0.1.0"}};
  record.extra = R"({"accuracy":0.97,"note":{"a":[1,2]}})";
  return record;
}

}  // namespace nw::record
