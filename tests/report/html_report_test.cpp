#include "nw/report/html_report.hpp"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/report/comparison_in_words.hpp"
#include "nw/report/picture.hpp"

#include "record/example_records.hpp"
#include "report/markup.hpp"
#include "report/web_assets.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

using record::full_record;
using record::RunRecord;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string page_of(const RunRecord& record, bool interactive = false) {
  return render_html({&record, 1}, {.interactive = interactive});
}

/// The JSON that a page carries, as a script of the page would read it.
std::string embedded_json(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"nw-records\">";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(RenderHtml, PutsTheAnswerBeforeEverythingElse) {
  const std::string page = page_of(full_record());
  const std::size_t body = page.find("<main>");
  EXPECT_LT(page.find("Only the mix changed", body), page.find("before.csv", body));
  EXPECT_LT(page.find("Only the mix changed", body), page.find("<svg", body));
}

TEST(RenderHtml, EmbedsTheRecordsUnchanged) {
  const RunRecord first = full_record();
  RunRecord second = full_record();
  second.title = "</script><!--<script> & \u2028";
  const std::vector<RunRecord> records = {first, second};
  const auto embedded = nlohmann::ordered_json::parse(embedded_json(render_html(records)));
  ASSERT_EQ(embedded.size(), 2u);
  EXPECT_EQ(record::from_json(embedded[0].dump()), first);
  EXPECT_EQ(record::from_json(embedded[1].dump()), second);
}

TEST(RenderHtml, EscapesMarkupWhereverARecordHoldsText) {
  const std::string bad = "<b>&\"'</script>";
  RunRecord record = full_record();
  record.title = record.sentence = record.command = record.created = bad;
  record.details = record.warnings = record.mode_choice->reasons = {bad};
  for (record::DataSet& set : record.data) set.name = set.path = bad;
  for (auto& component : record.compare->components)
    component.name.parts = {{.column = bad, .relation = "=", .value = bad}};
  record.distance->method = bad;
  record.metrics[0].label = bad;
  record.series = {{bad, bad, bad, {0, 1}, {0, 1}, bad}, {bad, bad, bad, {0, 1}, {1, 0}, bad}};
  for (record::FigureAxis& axis : record.figure->axes) axis.name = bad;
  record.pictures[0].title = record.pictures[0].caption = bad;
  record.settings = {{bad, bad}};
  record.versions = {{bad, bad}};
  record.extra = nlohmann::json({{bad, bad}}).dump();
  const std::string page = render_html({&record, 1}, {.title = bad, .interactive = false});
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("&\"'")));
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;"));
  const std::string fragment = render_fragment(record);
  EXPECT_THAT(fragment, Not(HasSubstr("<b>")));
  EXPECT_THAT(fragment, Not(HasSubstr("<script")));
  EXPECT_THAT(fragment, HasSubstr("&lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;"));
}

TEST(RenderHtml, ShowsPartsOfTheChangeOnlyWhereMembersChanged) {
  RunRecord record = full_record();
  EXPECT_THAT(page_of(record), Not(HasSubstr("Part of the change")));
  record.compare->verdict = Verdict::components;
  EXPECT_THAT(page_of(record), HasSubstr("Part of the change"));
}

TEST(RenderHtml, WritesNoJsonOfFieldsItDoesNotKnow) {
  const std::string page = page_of(full_record());
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">accuracy</th><td>0.97</td>"));
  EXPECT_THAT(page, Not(HasSubstr("<th scope=\"row\">note</th>")));
}

TEST(RenderHtml, DrawsEveryColumnOfTheRowsAndPutsTheMostChangedFirst) {
  RunRecord record = full_record();
  record.figure->member_x = {0, 1};
  record.figure->member_y = {0};
  record.figure->columns = {{"still", {"a", "b"}, {0, 0}, {0}},
                            {"moved", {"a", "b"}, {0, 0}, {1}},
                            {"width <m>", {}, {1.5, 2.5}, {2.0}}};
  record.columns = {{.name = "moved", .kind = "categorical", .missing_x = 0.25}};
  const std::string page = page_of(record);
  EXPECT_LT(page.find("<h4>moved</h4>"), page.find("<h4>still</h4>"));
  EXPECT_THAT(page, HasSubstr("missing: 25 % of X, 0 % of Y"));
  EXPECT_THAT(page, HasSubstr("<h4>width &lt;m&gt;</h4><svg class=\"histogram\""));
}

TEST(RenderHtml, ListsTheClustersOfAClustering) {
  RunRecord record;
  record.kind = record::RunKind::training;
  record.clustering = record::ClusteringSummary{
      .method = "gmm", .k = 2, .pi = {0.75, 0.25}, .centres = {{1.0}, {2.0}}};
  record.data = {{"a.csv", "a.csv", 8, 1, {"age"}, false}};
  const std::string page = page_of(record);
  EXPECT_THAT(page, HasSubstr("<th scope=\"col\">age</th>"));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">2</th><td>25 %</td><td>2</td>"));
}

TEST(TellComparison, NamesWhoCameWhoWentAndWhoGrew) {
  RunRecord record = full_record();
  record.data[0].name = "island = Biscoe";
  record.data[1].name = "island = Dream";
  auto& compare = *record.compare;
  compare.verdict = Verdict::components;
  compare.k = 3;
  compare.pi_x = {0.74, 0.26, 1e-231};
  compare.pi_y = {0.0, 0.46, 0.54};
  compare.pi_x_interval = {{0.7, 0.8}, {0.2, 0.3}, {0.0, 0.01}};
  compare.pi_y_interval = {{0.0, 0.01}, {0.4, 0.5}, {0.5, 0.6}};
  using Parts = std::vector<record::NamePart>;
  const auto component = [](Parts name, double x, double y, MemberStatus status) {
    record::ComponentResult made;
    made.name.parts = std::move(name), made.mass_x = x, made.mass_y = y, made.status = status;
    return made;
  };
  compare.components = {
      component({{"species", "=", "Gentoo"}, {"flipper_length_mm", "≈", "217"}}, 0.74, 0.0,
                MemberStatus::missing_from_y),
      component({{"species", "=", "Adelie"}}, 0.26, 0.46, MemberStatus::shared),
      component({{"species", "=", "Chinstrap"}}, 1e-231, 0.54, MemberStatus::new_in_y)};
  compare.possible_moves.clear();
  const ComparisonInWords story = comparison_in_words(record);
  EXPECT_EQ(story.headline, "The members changed");
  EXPECT_EQ(story.summary,
            "Gentoo is gone (74 % of Biscoe); Chinstrap is new (54 % of Dream); "
            "Adelie goes from 26 % to 46 %.");
  EXPECT_EQ(story.components[0].share_y, "none");
  EXPECT_EQ(story.components[2].share_x, "none");
  EXPECT_EQ(story.components[1].fate, "grew");
  const std::string markdown = render_markdown(record);
  EXPECT_THAT(markdown, HasSubstr("| 1 | species = Gentoo, flipper\\_length\\_mm ≈ 217 | 74 %"));
  EXPECT_THAT(markdown, HasSubstr("**The members changed.** Gentoo is gone"));
}

TEST(TellComparison, SaysOfAGroupThatMovedHowItsShareChanged) {
  RunRecord record = full_record();
  auto& compare = *record.compare;
  compare.verdict = Verdict::components;
  compare.possible_moves.clear();
  compare.components[0].name.parts = {{"weight", "≈", "60"}};
  compare.components[0].status = MemberStatus::moved;
  compare.components[1].status = MemberStatus::shared;
  EXPECT_EQ(comparison_in_words(record).summary,
            "Component 1 (weight ≈ 60) moved; component 1 goes from 25 % to 50 %; component 2 goes "
            "from 75 % to 50 %.");
  compare.components[0].name.parts = {{"colour", "=", "blue"}};
  EXPECT_THAT(comparison_in_words(record).summary,
              HasSubstr("blue moved; blue goes from 25 % to 50 %"));
}

TEST(TellComparison, KeepsALevelTogetherThatHasACommaOrAnEqualsSignInIt) {
  RunRecord record = full_record();
  auto& compare = *record.compare;
  compare.verdict = Verdict::components;
  compare.possible_moves.clear();
  compare.components[0].status = MemberStatus::moved;
  compare.components[1].status = MemberStatus::shared;
  compare.components[0].name.parts = {{"town", "=", "Bath, UK"}, {"age", "≈", "40"}};
  compare.components[1].name.parts = {{"town", "=", "Bath, Maine"}};
  EXPECT_THAT(comparison_in_words(record).summary, StartsWith("Bath, UK moved; "));
  compare.components[0].name.parts = {{"rule", "mostly", "a = b"}};
  EXPECT_THAT(comparison_in_words(record).summary,
              StartsWith("Component 1 (rule mostly a = b) moved"));
}

TEST(TellComparison, HintsAtAGroupThatMayHaveMoved) {
  RunRecord record = full_record();
  auto& compare = *record.compare;
  compare.verdict = Verdict::components;
  compare.components[0].status = MemberStatus::missing_from_y;
  compare.components[1].status = MemberStatus::new_in_y;
  compare.possible_moves = {
      {.gone = 1,
       .appeared = 2,
       .deviations = 3.0,
       .columns = {{"income", "", 31.02, 39.49, 2.8}, {"colour", "red", 0.25, 0.75, 1.5}}}};
  const std::string hint =
      "Perhaps component 1 moved and became component 2 (income 31 → 39.5, colour = red 25 % → 75 "
      "%).";
  EXPECT_THAT(comparison_in_words(record).summary, HasSubstr(hint));
  EXPECT_THAT(render_html(std::vector{record}), HasSubstr(unbroken(hint)));
  EXPECT_THAT(render_markdown(record), HasSubstr("Perhaps component 1 moved"));
  compare.verdict = Verdict::proportions;
  EXPECT_THAT(comparison_in_words(record).summary, Not(HasSubstr("Perhaps")));
}

TEST(TellComparison, KeepsTheListShortAndSaysHowManyAreLeftOut) {
  RunRecord record = full_record();
  auto& compare = *record.compare;
  compare.k = 12;
  compare.components.assign(12, {.mass_x = 1.0 / 12, .mass_y = 1.0 / 12});
  compare.components[10].status = MemberStatus::new_in_y;
  compare.pi_x.assign(12, 1.0 / 12);
  compare.pi_y = compare.pi_x;
  compare.pi_x_interval.assign(12, {0.05, 0.11});
  compare.pi_y_interval = compare.pi_x_interval;
  const ComparisonInWords story = comparison_in_words(record, 5);
  ASSERT_EQ(story.components.size(), 5u);
  EXPECT_EQ(story.components.back().number, 11u);
  EXPECT_EQ(story.left_out, 7u);
}

TEST(TellComparison, WritesPValuesAsBoundsWhereTheyAreSmall) {
  EXPECT_EQ(p_words(0.0004), "p < 0.001");
  EXPECT_EQ(p_words(0.0049), "p < 0.005");
  EXPECT_EQ(p_words(0.0312), "p = 0.031");
}

TEST(RenderPicture, IsOneDrawingWithTheHeadlineAndEveryShare) {
  const std::string picture = render_picture(full_record());
  EXPECT_TRUE(picture.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_THAT(picture, HasSubstr(">Only the mix changed</text>"));
  EXPECT_THAT(picture, HasSubstr("1 · left"));
  EXPECT_THAT(picture, HasSubstr(">25 %</text>"));
}

TEST(RenderHtml, DrawsSeriesThatNameTheSameChartTogether) {
  RunRecord record;
  record.kind = record::RunKind::training;
  record.series = {{"critic", "step", "loss", {0, 1}, {2, 1}, "loss"},
                   {"w", "step", "W", {0, 1}, {5, 4}, ""},
                   {"generator", "step", "loss", {0, 1}, {3, 1}, "loss"}};
  const std::string page = page_of(record);
  EXPECT_THAT(page, HasSubstr("<figcaption>loss</figcaption>"));
  EXPECT_THAT(page, HasSubstr("<figcaption>w</figcaption>"));
  EXPECT_THAT(page, Not(HasSubstr("<figcaption>generator</figcaption>")));
  EXPECT_THAT(page, HasSubstr("critic, generator over step"));
}

TEST(RenderHtml, CallsTheTwoSetsOfATrainingRunDataAndModel) {
  RunRecord record = full_record();
  record.kind = record::RunKind::training;
  record.compare.reset();
  record.data.resize(1);
  EXPECT_THAT(page_of(record), HasSubstr("points of the model"));
  EXPECT_THAT(page_of(full_record()), Not(HasSubstr("points of the model")));
}

TEST(RenderHtml, ShowsWhatIsTakenForWhat) {
  RunRecord record;
  record.kind = record::RunKind::training;
  auto& result = record.adaptation.emplace();
  result.classes = {"cat", "<dog>"};
  result.pi_target = result.pi_source = result.pi_target_likely = {0.5, 0.5};
  result.pi_target_interval.resize(2);
  result.scores = {
      .class_accuracy = {0.75, 0.0}, .pi_target_true = {1.0, 0.0}, .confusion = {{30, 10}, {0, 0}}};
  const std::string page = render_html({&record, 1}, {});
  EXPECT_NE(page.find("<td class=\"right shade-8\">30</td><td class=\"wrong shade-3\">10</td>"
                      "<td>75 %</td>"),
            std::string::npos);
  EXPECT_NE(page.find("&lt;dog&gt;</th><td class=\"wrong shade-0\">0</td>"), std::string::npos);
  EXPECT_EQ(page.find("<dog>"), std::string::npos);
  result.scores->confusion = {{30, 10}};
  EXPECT_THROW((void)render_html({&record, 1}, {}), InvalidArgument);
  result.scores.reset();
  EXPECT_EQ(render_html({&record, 1}, {}).find("taken for what"), std::string::npos);
}

TEST(RenderHtml, WritesSharesOfClassesAsPercentages) {
  const record::Metric share{.name = "pi_target_3", .label = "Share of cats"};
  EXPECT_EQ(metric_text(share, 3.56e-21), "< 0.1 %");
  EXPECT_EQ(metric_text(share, 0.342), "34.2 %");
  EXPECT_EQ(metric_text({.name = "nw_over_w"}, 3.56e-21), "3.56e-21");
  RunRecord record;
  record.kind = record::RunKind::training;
  record.metrics = {share};
  record.metrics[0].value = 3.56e-21;
  EXPECT_THAT(render_html({&record, 1}, {}), HasSubstr("&lt; 0.1\u00A0%"));
}

TEST(Unbroken, KeepsNumbersWithTheirMarksAndDatesWhole) {
  EXPECT_EQ(unbroken("from 52 % to 7 %"), "from 52\u00A0% to 7\u00A0%");
  EXPECT_EQ(unbroken("age ≈ 40"), "age\u00A0≈\u00A040");
  EXPECT_EQ(unbroken("on 2001-08-20."), "on 2001-\u206008-\u206020.");
  EXPECT_EQ(unbroken("10-90 and 12-2001-08"), "10-90 and 12-2001-08");
}

TEST(RenderHtml, NamesNoOtherPlaceToLoadFrom) {
  const std::string page = page_of(full_record(), true);
  EXPECT_THAT(page, Not(ContainsRegex("src=\"[^d]")));
  EXPECT_THAT(page, HasSubstr("src=\"data:image/png;base64,iVBORw0KGgo=\""));
  EXPECT_THAT(page, Not(HasSubstr("url(http")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
}

TEST(RenderHtml, GivesTheSamePageForTheSameRecords) {
  EXPECT_EQ(page_of(full_record(), true), page_of(full_record(), true));
}

TEST(RenderHtml, SaysWhenARunHasNotConverged) {
  RunRecord record = full_record();
  EXPECT_THAT(page_of(record), HasSubstr("stopped before it converged"));
  record.converged = true;
  EXPECT_THAT(page_of(record), Not(HasSubstr("stopped before it converged")));
}

TEST(RenderHtml, DrawsARecordThatHoldsNothing) {
  EXPECT_THAT(page_of(RunRecord{}), HasSubstr("Run of nw compare."));
}

TEST(RenderHtml, RejectsAnEmptyListOfRecords) {
  EXPECT_THROW((void)render_html({}), InvalidArgument);
}

TEST(WriteHtml, NamesTheFileThatCannotBeWritten) {
  const RunRecord record = full_record();
  try {
    write_html("/nowhere/page.html", {&record, 1});
    FAIL() << "nothing was thrown";
  } catch (const IoError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/page.html"));
  }
}

TEST(PageScript, CannotEndItsOwnElement) {
  EXPECT_EQ(page_script().find("</script"), std::string_view::npos);
  EXPECT_EQ(page_style().find("</style"), std::string_view::npos);
}

TEST(Fixed, WritesNoNegativeZero) {
  EXPECT_EQ(fixed(-1e-9, 2), "0.00");
  EXPECT_EQ(fixed(-1.234, 2), "−1.23");
}

TEST(PValue, KeepsTwoDigitsWhereTheyMatter) {
  EXPECT_EQ(p_value(0.0049751), "0.005");
  EXPECT_EQ(p_value(0.0004), "< 0.001");
  EXPECT_EQ(p_value(0.4216), "0.422");
  EXPECT_EQ(p_value(std::nullopt), "–");
}

}  // namespace
}  // namespace nw::report
