#include "nw/report/text.hpp"

#include <algorithm>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/number_text.hpp"
#include "nw/report/comparison_in_words.hpp"
#include "nw/report/text_table.hpp"

#include "record/example_records.hpp"

namespace nw::report {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns_of(line));
  return widest;
}

TEST(TextStyle, ColoursTextOnlyWhereThereAreColours) {
  EXPECT_EQ(TextStyle{}.in(Ink::green, "same"), "same");
  EXPECT_EQ((TextStyle{.colour = true}.in(Ink::green, "same")), "\033[1;32msame\033[0m");
  EXPECT_EQ((TextStyle{.colour = true}.in(Ink::plain, "same")), "same");
}

TEST(TextStyle, BreaksLinesAtBlanksAndKeepsNumbersWithTheirSigns) {
  EXPECT_EQ(wrapped("one two three", 8, 2), "one two\n  three");
  EXPECT_EQ(wrapped("it has p = 0.03", 10), "it has\np = 0.03");
  EXPECT_EQ(wrapped("about 26 %", 8), "about\n26 %");
  EXPECT_EQ(wrapped("unbreakable", 3), "unbreakable");
}

TEST(TextStyle, CountsLettersBeyondAsciiAsOneColumn) {
  EXPECT_EQ(columns_of("π → σ"), 5u);
  EXPECT_EQ(to_the_right("π", 3), "  π");
  EXPECT_EQ(to_the_left("π", 3), "π  ");
}

TEST(TextTable, AlignsNumbersToTheRightAndWordsToTheLeft) {
  TextTable table({"class", "share", "note"});
  table.add({"a", "0.5", "x"});
  table.add({"long", "12", "longer"});
  EXPECT_EQ(table.text(),
            "class  share  note\n"
            "a        0.5  x\n"
            "long      12  longer\n");
  EXPECT_EQ(table.markdown().substr(0, 26), "| class | share | note |\n|");
  EXPECT_THROW(table.add({"too short"}), InvalidArgument);
}

TEST(RenderText, TellsAComparisonInLinesNoWiderThanTheStyle) {
  const record::RunRecord record = record::full_record();
  for (const std::size_t width : {46U, 80U, 120U}) {
    const std::string text = render_text(record, {.width = width});
    EXPECT_LE(widest_line(text), width) << text;
    EXPECT_THAT(text, HasSubstr("left"));
    EXPECT_THAT(text, HasSubstr("- W is 12 times its floor."));
    EXPECT_THAT(text, Not(HasSubstr("\033")));
  }
  EXPECT_THAT(render_text(record, {.colour = true}), HasSubstr("\033[1;32m"));
}

TEST(TellComparison, SaysWhatMovedWhereThereIsOneComponent) {
  record::RunRecord record = record::full_record();
  record::CompareResult& compare = *record.compare;
  compare.verdict = Verdict::components;
  compare.components.erase(compare.components.begin());
  compare.components[0].mass_x = compare.components[0].mass_y = 1.0;
  EXPECT_EQ(comparison_in_words(record, 1).summary,
            "The rows as a whole moved: colour = red 25 % → 50 %.");
}

TEST(TellComparison, HasNoWordForAShareThatIsNextToNothing) {
  record::RunRecord record = record::full_record();
  record::CompareResult& compare = *record.compare;
  const auto fate_for = [&](double from, double to) {
    compare.components[0].mass_x = from;
    compare.components[0].mass_y = to;
    compare.pi_x_interval[0] = {0.9 * from, 1.1 * from};
    compare.pi_y_interval[0] = {0.9 * to, 1.1 * to};
    const auto told = comparison_in_words(record, 2).components;
    return std::ranges::find(told, 1U, &ComponentInWords::number)->fate;
  };
  EXPECT_EQ(fate_for(0.2, 0.1), "shrank");
  EXPECT_EQ(fate_for(0.004, 0.001), "");
}

TEST(TellComparison, CallsASideByColumnAndValueWhereTheValueIsANumber) {
  record::RunRecord record = record::full_record();
  record.data[0].name = "Month = 5";
  record.data[1].name = "Month = 8";
  EXPECT_EQ(comparison_in_words(record, 2).side_x, "Month 5");
  record.data[0].name = "Month other than 8";
  EXPECT_EQ(comparison_in_words(record, 2).side_x, "others");
  record.data[0].name = "island = Biscoe";
  EXPECT_EQ(comparison_in_words(record, 2).side_x, "Biscoe");
}

TEST(NumberText, WritesLargeAmountsInWords) {
  EXPECT_EQ(amount(2427.4), "2427");
  EXPECT_EQ(amount(139750), "140000");
  EXPECT_EQ(amount(9935477), "9.94 million");
  EXPECT_EQ(amount(-999999), "-1 million");
  EXPECT_EQ(amount(1.25e9), "1.25 billion");
  EXPECT_EQ(amount(0.01234), "0.0123");
  EXPECT_EQ(amount(0.0), "0");
}

TEST(NumberText, WritesDatesAndTimes) {
  EXPECT_EQ(date_text(0.0), "1970-01-01");
  EXPECT_EQ(date_text(951782400.0 + 3660.0), "2000-02-29 01:01");
}

TEST(TellComparison, ShowsDatesThatMovedAsDates) {
  record::RunRecord record = record::full_record();
  record::CompareResult& compare = *record.compare;
  compare.verdict = Verdict::components;
  compare.components.erase(compare.components.begin());
  compare.components[0].mass_x = compare.components[0].mass_y = 1.0;
  compare.components[0].columns_moved = {
      {.column = "when", .from = 817442609.0, .to = 761237074.0}};
  record.columns.push_back({.name = "when", .kind = "datetime"});
  EXPECT_EQ(comparison_in_words(record, 1).summary,
            "The rows as a whole moved: when 1995-11-27 → 1994-02-14.");
}

TEST(TellComparison, DoesNotLetGrowthAndShrinkageOfOneKindCancel) {
  record::RunRecord record = record::full_record();
  record::CompareResult& compare = *record.compare;
  compare.pi_x_interval = {{0.20, 0.30}, {0.70, 0.80}};
  compare.pi_y_interval = {{0.70, 0.80}, {0.20, 0.30}};
  for (std::size_t j = 0; j < 2; ++j) {
    compare.components[j].status = MemberStatus::shared;
    compare.components[j].name.parts = {{"rank", "=", "Prof"}, {"field", "=", j == 0 ? "A" : "B"}};
    compare.components[j].mass_x = compare.pi_x[j] = j == 0 ? 0.25 : 0.75;
    compare.components[j].mass_y = compare.pi_y[j] = j == 0 ? 0.75 : 0.25;
  }
  EXPECT_THAT(comparison_in_words(record, 2).summary,
              HasSubstr("Component 1 (rank = Prof) goes from 25 % to 75 %; component 2 (rank = "
                        "Prof) goes from 75 % to 25 %"));
}

TEST(TellComparison, SaysWhereTheChangeIsThatNoComponentShows) {
  record::RunRecord record = record::full_record();
  record::CompareResult& compare = *record.compare;
  compare.verdict = Verdict::components;
  for (auto& component : compare.components) component.status = MemberStatus::shared;
  compare.evidence.emplace();
  compare.evidence->more_in_x = record::RegionResult{.share_x = 0.13, .share_y = 0.0055, .p = 0.02};
  compare.evidence->more_in_y = record::RegionResult{.share_x = 0.01, .share_y = 0.03, .p = 0.3};
  EXPECT_THAT(comparison_in_words(record, 2).summary,
              StartsWith("No component is new or gone for certain, but 13 % of X lies where 0.55 % "
                         "of Y does, which no other mix explains"));
}

TEST(TellComparison, LeavesOutComponentsWithoutRows) {
  record::RunRecord record = record::full_record();
  auto& empty = record.compare->components[1];
  empty.status = MemberStatus::shared;
  empty.mass_x = empty.mass_y = 0.0;
  const ComparisonInWords told = comparison_in_words(record, 8);
  ASSERT_EQ(told.components.size(), 1u);
  EXPECT_EQ(told.components[0].number, 1u);
  EXPECT_EQ(told.left_out, 0u);
}

TEST(RenderText, ShowsWarningsOfAComparisonBesideItsAnswer) {
  record::RunRecord record = record::full_record();
  record.warnings = {"Each row stands for several."};
  EXPECT_THAT(render_text(record), HasSubstr("Note: Each row stands for several.\n"));
}

TEST(TellComparison, NamesTheLikeliestSharesWhereNoneChangedForCertain) {
  record::RunRecord record = record::full_record();
  record::CompareResult& compare = *record.compare;
  compare.components[1].status = MemberStatus::shared;
  compare.pi_x_interval = compare.pi_y_interval = {{0.0, 1.0}, {0.0, 1.0}};
  EXPECT_THAT(comparison_in_words(record, 2).summary,
              StartsWith("Perhaps component 1 (left) goes from 25 % to 50 %; perhaps "));
}

TEST(RenderText, ShowsClassesScoresAndWarningsOfAnAdaptation) {
  record::RunRecord record;
  record.sentence = "The target has another mix.";
  record.warnings = {"Few rows."};
  record.adaptation.emplace();
  auto& result = *record.adaptation;
  result.classes = {"cat", "dog"};
  result.pi_source = {0.5, 0.5};
  result.pi_target = {0.25, 0.75};
  result.pi_target_interval = {{0.2, 0.3}, {0.7, 0.8}};
  EXPECT_EQ(render_text(record),
            "The target has another mix.\n"
            "class  source  target     95 %\n"
            "cat       0.5    0.25  0.2-0.3\n"
            "dog       0.5    0.75  0.7-0.8\n"
            "- Few rows.\n");
  EXPECT_EQ(render_answer(record), "0.25\n0.75\n");
}

TEST(RenderText, ShowsAgreementWithKnownClassesOfAClustering) {
  record::RunRecord record;
  record.sentence = "Two clusters.";
  record.details = {"found by linkages"};
  record.clustering.emplace();
  record.clustering->pi = {0.75, 0.25};
  EXPECT_EQ(render_text(record), "Two clusters.\n  found by linkages\n");
  record.clustering->purity = 1.0;
  record.clustering->nmi = 0.5;
  record.clustering->ari = 0.25;
  EXPECT_THAT(render_text(record), HasSubstr("purity 1, NMI 0.5, ARI 0.25\n"));
  EXPECT_EQ(render_answer(record), "0.75\n0.25\n");
}

TEST(RenderAnswer, IsTheVerdictOfAComparisonAndNothingWhereThereIsNone) {
  EXPECT_EQ(render_answer(record::full_record()), "proportions\n");
  EXPECT_EQ(render_answer({}), "");
}

}  // namespace
}  // namespace nw::report
