#include "nw/record/run_record.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"

#include "record/example_records.hpp"

namespace nw::record {
namespace {

using nlohmann::json;
using testing::HasSubstr;

template <typename Exception, typename Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(RunRecord, SurvivesWritingAndReadingWithEveryMemberSet) {
  const RunRecord record = full_record();
  EXPECT_EQ(from_json(to_json(record)), record);
  EXPECT_EQ(from_json(to_json(record, -1)), record);
}

TEST(RunRecord, KeepsThePartsOfANameAndReadsNamesThatHaveNone) {
  RunRecord record = full_record();
  auto& name = record.compare->components[1].name;
  name.parts = {{"town", "=", "Bath, UK"}, {"age", "≈", "40"}};
  const std::string text = to_json(record);
  EXPECT_THAT(text, HasSubstr(R"("name": "town = Bath, UK, age ≈ 40")"));
  EXPECT_EQ(from_json(text), record);
  const RunRecord old = from_json(
      R"({"kind":"compare","k":1,"pi_x":[1],"pi_y":[1],"components":[{"name":"a = b, c = d"}]})");
  EXPECT_EQ(old.compare->components.at(0).name.text(), "a = b, c = d");
}

TEST(RunRecord, OfAClusteringSurvivesWritingAndReading) {
  RunRecord record{.kind = RunKind::training, .command = "cluster"};
  record.clustering = {.method = "nw",
                       .k = 2,
                       .pi = {0.7, 0.3},
                       .pi_interval = {{0.6, 0.8}, {0.2, 0.4}},
                       .criterion = "objective",
                       .value = 0.25,
                       .iterations = 60,
                       .features = "diffusion",
                       .eigenvalues = {1.0, 0.5},
                       .bimodality = {0.9},
                       .agreement = 0.75,
                       .centres = {{0.0, 1.0}, {2.0, 3.0}},
                       .assignments = "clusters.csv",
                       .purity = 0.9,
                       .nmi = 0.8,
                       .ami = 0.75,
                       .ari = 0.7,
                       .training = ClusteringTraining{.steps = 60,
                                                      .end = "finished",
                                                      .diversity = 0.1,
                                                      .starts = {{0.25, 0.5, 2.5, {0.7, 0.3}}},
                                                      .start = 1,
                                                      .order = {1, 0},
                                                      .temperature = 0.5}};
  EXPECT_EQ(from_json(to_json(record)), record);
  const auto fields = json::parse(to_json(record));
  EXPECT_EQ(fields["objective"], 0.25);
  EXPECT_EQ(fields["starts"][0]["wasserstein"], 0.5);
}

TEST(RunRecord, OfAModelOfTwoDataSetsSurvivesWritingAndReading) {
  RunRecord record{.kind = RunKind::training, .command = "gan"};
  record.generation = {.method = "nwgan",
                       .k = 2,
                       .steps = 10,
                       .end = "finished",
                       .pi = {{0.5, 0.5}, {0.1, 0.9}},
                       .wasserstein = {0.25, 0.5},
                       .floor = {0.125, std::nullopt},
                       .last_values = {{"objective", 1.0}}};
  EXPECT_EQ(from_json(to_json(record)), record);
  EXPECT_EQ(json::parse(to_json(record))["normalized_wasserstein"], 0.75);
}

TEST(RunRecord, SurvivesWritingAndReadingWithNoMemberSet) {
  EXPECT_EQ(from_json(to_json(RunRecord{})), RunRecord{});
}

TEST(RunRecord, WritesTheFieldsThatCompareMustHave) {
  const json written = json::parse(to_json(full_record()));
  for (const char* field :
       {"wasserstein", "normalized_wasserstein", "k", "pi_x", "pi_y", "pi_x_interval",
        "pi_y_interval", "p_same", "p_components", "verdict", "components"}) {
    EXPECT_TRUE(written.contains(field)) << field;
  }
  EXPECT_EQ(written["verdict"], "proportions");
  EXPECT_EQ(written["pi_x_interval"][0], json::array({0.2, 0.3}));
  for (const char* field : {"centre", "mass_x", "mass_y", "shift", "p"}) {
    EXPECT_TRUE(written["components"][0].contains(field)) << field;
  }
}

TEST(RunRecord, WritesTheFieldsThatDistanceAndChooseKMustHave) {
  RunRecord record = full_record();
  record.compare.reset();
  const json written = json::parse(to_json(record));
  for (const char* field : {"distance", "method", "n", "m", "dim", "primal", "dual", "gap",
                            "converged", "seconds", "peak_rss_mb"}) {
    EXPECT_TRUE(written.contains(field)) << field;
  }
  EXPECT_EQ(written["n"], 500);
  EXPECT_EQ(written["m"], 400);
  EXPECT_EQ(written["dim"], 2);
  EXPECT_EQ(written["k"], 3);
  for (const char* field : {"k", "nw", "nw_low", "nw_high"}) {
    EXPECT_TRUE(written["curve"][0].contains(field)) << field;
  }
}

TEST(RunRecord, KeepsTheKOfTheComparisonApartFromTheOneTheCurveChose) {
  const json written = json::parse(to_json(full_record()));
  EXPECT_EQ(written["k"], 2);
  EXPECT_EQ(written["k_star"], 3);
}

TEST(RunRecord, OfTransportSurvivesWritingAndReading) {
  RunRecord distance{.kind = RunKind::distance, .command = "distance"};
  distance.distance = DistanceResult{1.5, "exact", 1.5, 1.5, 0.0};
  distance.transport = TransportSummary{.p = 2,
                                        .reason = "small",
                                        .exact = true,
                                        .load_seconds = 0.25,
                                        .termination = "optimal",
                                        .pivots = 12,
                                        .gap_curve = {{0.1, 4, 2.0, 1.0}, {0.2, 12, 1.5, 1.5}},
                                        .marginal_error = 1e-9,
                                        .standard_error = 0.01};
  EXPECT_EQ(from_json(to_json(distance)), distance);
  RunRecord pairs{.kind = RunKind::distance, .command = "distance"};
  pairs.pairs = PairSummary{
      .p = 1, .names = {"a", "b"}, .distances = {{0.0, 2.0}, {2.0, 0.0}}, .largest_gap = 1e-12};
  EXPECT_EQ(from_json(to_json(pairs)), pairs);
  RunRecord certificate{.kind = RunKind::distance, .command = "certify"};
  certificate.certificate = CertificateSummary{.entries = 3,
                                               .plan_mass = 1.0,
                                               .plan_cost = 2.0,
                                               .feasible = true,
                                               .lower_bound = 1.5,
                                               .upper_bound = 1.75,
                                               .relative_gap = 0.25,
                                               .termination = "gap",
                                               .pivots = 5};
  EXPECT_EQ(from_json(to_json(certificate)), certificate);
}

TEST(RunRecord, ListsFurtherFieldsAsValuesAndLeavesOutWhatHasNone) {
  RunRecord record{.kind = RunKind::distance};
  record.transport = TransportSummary{.reason = "caf\xe9", .pivots = 3, .gap_curve = {{}, {}}};
  record.extra = R"({"rates":[0.5,2],"note":{"a":1},"nothing":null,"sides":["x",null]})";
  std::string names;
  for (const FurtherField& field : further_fields(record)) {
    names += field.name + " ";
    if (field.name == "reason") {
      EXPECT_EQ(std::get<std::string>(field.values.at(0)), "caf\xef\xbf\xbd");
    }
    if (field.name == "rates") {
      EXPECT_EQ(std::get<std::int64_t>(field.values.at(1)), 2);
    }
  }
  EXPECT_EQ(names, "p reason exact load_seconds pivots rates ");
}

TEST(RunRecord, KeepsFieldsOfOtherProgramsApartFromItsOwn) {
  const RunRecord record = from_json(R"({"kind":"training","accuracy":0.5,"seconds":2})");
  EXPECT_EQ(record.extra, R"({"accuracy":0.5})");
  EXPECT_EQ(json::parse(to_json(record))["accuracy"], 0.5);
  EXPECT_EQ(record.seconds, 2.0);
}

TEST(RunRecord, RecognisesWhatAResultIsWhenItDoesNotSay) {
  EXPECT_EQ(from_json(R"({"distance":1.5})").kind, RunKind::distance);
  EXPECT_EQ(from_json(R"({"curve":[{"k":1,"nw":2}],"k":1})").kind, RunKind::choose_k);
  EXPECT_EQ(from_json(R"({"pi_x":[1],"pi_y":[1],"k":1})").kind, RunKind::compare);
  EXPECT_EQ(from_json(R"({"accuracy":0.9})").kind, RunKind::training);
}

TEST(RunRecord, WritesNullForNumbersThatJsonCannotHold) {
  RunRecord record = full_record();
  record.compare->p_same = std::numeric_limits<double>::quiet_NaN();
  record.compare->wasserstein = std::numeric_limits<double>::infinity();
  const std::string text = to_json(record);
  const json written = json::parse(text);
  EXPECT_TRUE(written["p_same"].is_null());
  EXPECT_TRUE(written["wasserstein"].is_null());
  const RunRecord back = from_json(text);
  EXPECT_FALSE(back.compare->p_same.has_value());
  EXPECT_TRUE(std::isnan(back.compare->wasserstein));
}

TEST(RunRecord, RoundsDrawnCoordinatesButNoResult) {
  RunRecord record = full_record();
  record.figure->x[0][0] = 1.0 / 3.0;
  record.compare->wasserstein = 1.0 / 3.0;
  const RunRecord back = from_json(to_json(record));
  EXPECT_EQ(back.figure->x[0][0], 0.333333);
  EXPECT_EQ(back.compare->wasserstein, 1.0 / 3.0);
}

TEST(RunRecord, ReplacesBytesThatAreNotUtf8) {
  RunRecord record;
  record.title = "caf\xe9";
  EXPECT_EQ(from_json(to_json(record)).title, "caf\xef\xbf\xbd");
}

TEST(RunRecord, ComplaintsNameSourceFieldAndValue) {
  const auto complaint = [](const std::string& text) {
    return message_of<IoError>([&] { (void)from_json(text, "runs/a.json"); });
  };
  EXPECT_EQ(complaint(R"({"pi_x":[0.5,"half"],"k":2})"),
            "runs/a.json: pi_x[1]: expected a number, found \"half\"");
  EXPECT_EQ(complaint(R"({"pi_x":[],"components":[{"mass_x":true}]})"),
            "runs/a.json: components[0].mass_x: expected a number, found true");
  EXPECT_EQ(complaint(R"({"kind":"guess"})"),
            "runs/a.json: kind: expected one of distance, compare, choose-k, training, found "
            "\"guess\"");
  EXPECT_EQ(complaint("[1]"), "runs/a.json: expected a JSON object, found [1]");
  EXPECT_THAT(complaint("{\"k\": 1,}"), HasSubstr("runs/a.json: not valid JSON at byte 9"));
  EXPECT_EQ(complaint(std::string(100, '[') + std::string(100, ']')),
            "runs/a.json: nested deeper than 64");
  std::string many = "{";
  for (int i = 0; i < 5000; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_THAT(complaint(many + "\"last\":0}"), HasSubstr("an object with more than 4096 names"));
  EXPECT_THAT(complaint(R"({"seconds":1e999})"), HasSubstr("runs/a.json: "));
  EXPECT_THAT(complaint(R"({"pi_x":[1],"pi_y":[1],"k":2})"),
              HasSubstr("pi_x has 1 values for k = 2"));
  EXPECT_THAT(complaint(R"({"figure":{"axes":[{"name":"a"}],"x":[[1],[1,2]]}})"),
              HasSubstr("figure.x[1] has 2 coordinates for 1 axes"));
}

TEST(RunRecord, RefusesToWriteAContradiction) {
  RunRecord record = full_record();
  record.series[0].y.pop_back();
  EXPECT_EQ(message_of<InvalidArgument>([&] { (void)to_json(record); }),
            "RunRecord.series: loss has 3 x and 2 y values");
}

TEST(RunRecord, TakesNoTrainingRunOnTwoDataSetsForAComparison) {
  RunRecord record;
  record.kind = RunKind::training;
  record.extra = R"({"pi_x":[0.5,0.5],"pi_y":[0.25,0.75]})";
  EXPECT_EQ(from_json(to_json(record)), record);
}

TEST(RunRecord, KeepsWhatAdaptationAndDenoisingFoundUnderTheNamesOfTheirFields) {
  RunRecord adapted;
  adapted.kind = RunKind::training;
  adapted.scores = {{"accuracy", 91.5}, {"seconds", 2.0}};
  adapted.adaptation = {.method = "nw",
                        .recipe = "paper",
                        .classes = {"a", "b"},
                        .pi_target = {0.25, 0.75},
                        .pi_target_origin = "learnt",
                        .pi_target_interval = {{0.2, 0.3}, {0.7, 0.8}},
                        .pi_target_likely = {0.3, 0.7},
                        .pi_source = {0.5, 0.5},
                        .steps = 30,
                        .end = "finished",
                        .scores = ClassScores{.accuracy = 0.9,
                                              .class_accuracy = {1.0, 0.5},
                                              .pi_target_true = {0.2, 0.8},
                                              .confusion = {{2, 0}, {4, 4}}},
                        .pi_error = 0.05};
  EXPECT_EQ(from_json(to_json(adapted)), adapted);
  const auto fields = json::parse(to_json(adapted));
  EXPECT_EQ(fields.at("pi_target_interval").at(1), json::parse("[0.7, 0.8]"));
  EXPECT_EQ(fields.at("confusion").at(1).at(0), 4);
  EXPECT_FALSE(fields.contains("test_accuracy"));
  adapted.adaptation->pi_target.pop_back();
  EXPECT_THAT(message_of<InvalidArgument>([&] { (void)to_json(adapted); }),
              HasSubstr("pi_target has 1 entries for 2 classes"));

  RunRecord denoised;
  denoised.kind = RunKind::training;
  denoised.denoising = {.method = "oracle", .err_recons_source = 0.5, .k = 2, .end = "finished"};
  EXPECT_EQ(from_json(to_json(denoised)), denoised);
  EXPECT_TRUE(json::parse(to_json(denoised)).at("pi_target").is_null());
}

TEST(ReadRecord, FindsResultJsonInARunDirectory) {
  const auto folder = std::filesystem::temp_directory_path() / "nw_run_record_test";
  std::filesystem::create_directories(folder);
  write_record((folder / "result.json").string(), full_record());
  EXPECT_EQ(read_record(folder.string()), full_record());
  std::filesystem::remove_all(folder);
  EXPECT_THAT(message_of<IoError>([&] { (void)read_record(folder.string()); }),
              HasSubstr("cannot be opened"));
}

}  // namespace
}  // namespace nw::record
