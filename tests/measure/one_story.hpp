// What every channel says about one comparison, member by member. The sentence, the record, the
// words for people, the text and the page are made in different places; a reader must not be able
// to tell.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/app/compare/row_table.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/measure/compare.hpp"
#include "nw/report/comparison_in_words.hpp"
#include "nw/report/html_report.hpp"
#include "nw/report/text.hpp"

#include "app/compare/data_units.hpp"
#include "app/compare/measure_record.hpp"

namespace nw::testing {

/// The numbers of components in front of `words`, in the part of the sentence that holds them: 1, 2
/// and 4 in "...: components 1, 2 and 4 are new in Y (".
inline std::vector<std::size_t> numbers_before(const std::string& sentence,
                                               const std::string& words) {
  const std::size_t end = sentence.find(words);
  if (end == std::string::npos) return {};
  const std::string part = sentence.substr(0, end);
  std::vector<std::size_t> numbers;
  for (std::size_t i = part.rfind("component") + 9; i < part.size();) {
    if (std::isdigit(static_cast<unsigned char>(part[i])) == 0) {
      ++i;
      continue;
    }
    std::size_t length = 0;
    numbers.push_back(std::stoul(part.substr(i), &length));
    i += length;
  }
  return numbers;
}

/// Which statuses a page shows, in its order: "shared", "shifted", "new-in-y", "missing-from-y".
inline std::vector<std::string> statuses_on(const std::string& page) {
  const std::string mark = "status status-";
  std::vector<std::string> found;
  for (std::size_t at = page.find(mark); at != std::string::npos; at = page.find(mark, at + 1)) {
    const std::size_t begin = at + mark.size();
    found.push_back(page.substr(begin, page.find('"', begin) - begin));
  }
  return found;
}

inline std::string status_on_page(MemberStatus status) {
  switch (status) {
    case MemberStatus::shared:
      return "shared";
    case MemberStatus::moved:
      return "shifted";
    case MemberStatus::new_in_y:
      return "new-in-y";
    case MemberStatus::missing_from_y:
      return "missing-from-y";
  }
  return "";
}

/// Those of `status`, counted from 1, and what they make up of a sample.
struct MembersOf {
  std::vector<std::size_t> numbers;
  double mass_x = 0.0, mass_y = 0.0;
};

inline MembersOf members_of(const measure::CompareResult& result, MemberStatus status) {
  MembersOf found;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    if (result.components[j].status != status) continue;
    found.numbers.push_back(j + 1);
    found.mass_x += result.components[j].mass_x;
    found.mass_y += result.components[j].mass_y;
  }
  return found;
}

/// The sentence names those who are new, gone and moved, with their share, and nobody else.
inline void expect_sentence_names(const measure::CompareResult& result) {
  const std::string& sentence = result.sentence;
  const MembersOf appeared = members_of(result, MemberStatus::new_in_y);
  const MembersOf gone = members_of(result, MemberStatus::missing_from_y);
  const MembersOf moved = members_of(result, MemberStatus::moved);
  const auto share = [](double mass) { return percent(mass, 2); };
  EXPECT_EQ(numbers_before(sentence, " new in Y ("), appeared.numbers) << sentence;
  EXPECT_EQ(numbers_before(sentence, " missing from Y ("), gone.numbers) << sentence;
  EXPECT_EQ(numbers_before(sentence, " differ, most in"), moved.numbers) << sentence;
  if (!appeared.numbers.empty()) {
    EXPECT_NE(sentence.find(concat("new in Y (", share(appeared.mass_y), " of it)")),
              std::string::npos)
        << sentence;
  }
  if (!gone.numbers.empty()) {
    EXPECT_NE(sentence.find(concat("missing from Y (", share(gone.mass_x), " of X)")),
              std::string::npos)
        << sentence;
  }
}

/// The table of a story for people: fate and shares of every component.
inline void expect_story_of_members(const measure::CompareResult& result,
                                    const report::ComparisonInWords& story) {
  ASSERT_EQ(story.components.size(), result.components.size());
  const auto share = [](double mass) { return mass < 1e-6 ? "none" : percent(mass, 2); };
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const auto& told = story.components[j];
    const auto& held = result.components[j];
    EXPECT_EQ(told.number, j + 1);
    EXPECT_EQ(told.share_x, share(held.mass_x));
    EXPECT_EQ(told.share_y, share(held.mass_y));
    EXPECT_EQ(told.fate == "new", held.status == MemberStatus::new_in_y) << told.fate;
    EXPECT_EQ(told.fate == "gone", held.status == MemberStatus::missing_from_y) << told.fate;
    EXPECT_EQ(told.fate == "moved", held.status == MemberStatus::moved) << told.fate;
    if (told.fate == "grew") {
      EXPECT_GT(held.mass_y, held.mass_x);
    } else if (told.fate == "shrank") {
      EXPECT_LT(held.mass_y, held.mass_x);
    }
    EXPECT_TRUE(result.verdict != Verdict::same || told.fate.empty());
  }
}

/// Members of several components: every component in one, none that is new, gone or moved in
/// company, and the shares of the parts add up.
inline void expect_members_hold_components(const measure::CompareResult& result,
                                           const report::ComparisonInWords& story) {
  std::vector<int> seen(result.components.size(), 0);
  ASSERT_EQ(story.components.size(), result.members.size());
  for (std::size_t m = 0; m < result.members.size(); ++m) {
    double x = 0.0, y = 0.0;
    std::string numbers;
    for (const std::size_t j : result.members[m]) {
      ++seen.at(j);
      x += result.components[j].mass_x;
      y += result.components[j].mass_y;
      numbers += concat(numbers.empty() ? "" : "+", j + 1);
      EXPECT_TRUE(result.members[m].size() == 1 ||
                  result.components[j].status == MemberStatus::shared);
    }
    const auto& told = story.components[m];
    EXPECT_EQ(told.numbers, numbers);
    EXPECT_EQ(told.share_x, x < 1e-6 ? "none" : percent(x, 2));
    EXPECT_EQ(told.share_y, y < 1e-6 ? "none" : percent(y, 2));
    EXPECT_TRUE(told.fate != "grew" || y > x) << numbers;
    EXPECT_TRUE(told.fate != "shrank" || y < x) << numbers;
    const bool joined = result.members[m].size() > 1;
    const bool noted = std::ranges::any_of(result.notes, [&](const std::string& note) {
      return note.find("taken for one member") != std::string::npos;
    });
    EXPECT_TRUE(!joined || noted);
  }
  EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; }));
}

/// The lines of the terminal: every component with its shares and, where it has one, its fate.
inline void expect_text_of_members(const report::ComparisonInWords& story,
                                   const std::string& text) {
  EXPECT_NE(text.find(story.headline), std::string::npos) << text;
  for (const auto& told : story.components) {
    bool found = false;
    for (std::size_t at = 0; at < text.size() && !found;) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      const std::size_t first = line.find_first_not_of(' ');
      found = first != std::string::npos && line.substr(first).starts_with(told.numbers + " ") &&
              line.find(concat(told.share_x, " → ", told.share_y)) != std::string::npos &&
              line.find(told.fate) != std::string::npos;
      at = end + 1;
    }
    EXPECT_TRUE(found) << "component " << told.number << " in\n" << text;
  }
}

/// The rows of the page's table, likewise.
inline void expect_page_of_members(const report::ComparisonInWords& story,
                                   const std::string& page) {
  for (const auto& told : story.components) {
    const std::size_t at = page.find(concat("<span class=\"number\">", told.number, "</span>"));
    ASSERT_NE(at, std::string::npos) << told.number;
    const std::string row = page.substr(at, page.find("</tr>", at) - at);
    const std::string fate = told.fate.empty() ? "shared" : told.fate;
    EXPECT_NE(row.find(told.share_x), std::string::npos) << row;
    EXPECT_NE(row.find(concat(">", fate, "</span>")), std::string::npos) << row;
  }
}

/// All of them, from the record of `result` as it was read back from JSON.
inline void expect_same_members_everywhere(const measure::CompareResult& result,
                                           const record::RunRecord& record) {
  ASSERT_TRUE(record.compare.has_value());
  const record::CompareResult& written = *record.compare;
  ASSERT_EQ(written.components.size(), result.components.size());
  double pi_x = 0.0, pi_y = 0.0;
  std::vector<std::string> statuses;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const auto& held = result.components[j];
    EXPECT_EQ(written.components[j].status, held.status);
    EXPECT_EQ(written.components[j].mass_x, held.mass_x);
    EXPECT_EQ(written.components[j].mass_y, held.mass_y);
    EXPECT_EQ(written.components[j].contribution, held.contribution);
    EXPECT_EQ(written.pi_x[j], held.mass_x);
    EXPECT_EQ(written.pi_y[j], held.mass_y);
    pi_x += written.pi_x[j];
    pi_y += written.pi_y[j];
    statuses.push_back(status_on_page(held.status));
  }
  if (!result.components.empty()) {
    EXPECT_NEAR(pi_x, 1.0, 1e-9);
    EXPECT_NEAR(pi_y, 1.0, 1e-9);
  }
  EXPECT_EQ(written.verdict, result.verdict);
  EXPECT_EQ(written.p_same, result.p_same);
  EXPECT_EQ(written.p_components, result.p_components);
  EXPECT_EQ(report::render_answer(record), concat(to_string(result.verdict), "\n"));
  expect_sentence_names(result);
  const report::ComparisonInWords story = report::comparison_in_words(record, 100);
  expect_story_of_members(result, story);
  const report::ComparisonInWords members = report::comparison_by_member(record, 100);
  expect_members_hold_components(result, members);
  if (members.components.size() <= 8) {
    expect_text_of_members(members, report::render_text(record, {.width = 100}));
  }
  const std::string page = report::render_fragment(record);
  EXPECT_EQ(statuses_on(page), statuses);
  EXPECT_NE(page.find(story.headline), std::string::npos);
  expect_page_of_members(report::comparison_in_words(record), page);
}

inline std::size_t occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    ++count;
  }
  return count;
}

inline std::size_t with_status(const measure::CompareResult& result, MemberStatus status) {
  return static_cast<std::size_t>(
      std::ranges::count(result.components, status, &measure::ComponentChange::status));
}

// Verdict, statuses, p-values and parts must agree whatever the data are.
inline void expect_sound(const measure::CompareResult& result,
                         const measure::CompareOptions& options) {
  const bool changed = result.verdict == Verdict::components;
  EXPECT_EQ(changed, result.p_same < options.alpha && !result.effect.below_min_effect &&
                         result.p_components <= options.alpha_components);
  EXPECT_GE(result.p_components, result.p_same) << "who rejects another mix rejects no change";
  double x = 0.0, y = 0.0, change = 0.0, contribution = 0.0;
  for (const auto& c : result.components) {
    x += c.mass_x;
    y += c.mass_y;
    change += 0.5 * std::abs(c.mass_y - c.mass_x);
    contribution += c.contribution;
    EXPECT_EQ(c.status == MemberStatus::new_in_y, c.presence == measure::Presence::only_y);
    EXPECT_EQ(c.status == MemberStatus::missing_from_y, c.presence == measure::Presence::only_x);
    EXPECT_TRUE(changed || c.status == MemberStatus::shared);
    EXPECT_TRUE(c.status == MemberStatus::moved || c.columns_moved.empty());
    EXPECT_TRUE(c.status != MemberStatus::new_in_y || c.mass_y > c.mass_x);
    EXPECT_TRUE(c.status != MemberStatus::missing_from_y || c.mass_x > c.mass_y);
    for (const auto& move : c.columns_moved) EXPECT_LT(move.p, options.alpha);
  }
  EXPECT_NEAR(x, 1.0, 1e-9);
  EXPECT_NEAR(y, 1.0, 1e-9);
  EXPECT_TRUE(contribution == 0.0 || std::abs(contribution - 1.0) < 1e-9) << contribution;
  EXPECT_NEAR(result.effect.mix_change, change, 1e-9);
  const auto inside = [](double value, const Interval& interval) {
    return interval.low <= value && value <= interval.high;
  };
  EXPECT_TRUE(inside(result.effect.mix_change, result.effect.mix_change_interval));
  EXPECT_TRUE(inside(result.effect.members_moved, result.effect.members_moved_interval));
  EXPECT_TRUE(inside(result.effect.score_change, result.effect.score_change_interval));
  EXPECT_FALSE(result.effect.below_min_effect && result.verdict != Verdict::same);
  const auto says = [&](const char* words) {
    return result.effect.sentence.find(words) != std::string::npos;
  };
  EXPECT_EQ(says("embers moved by up to") || says("embers moved by more than"),
            result.effect.members_compared > 0 && result.verdict != Verdict::same &&
                (changed || result.k == 1));
  for (const auto& column : result.columns) {
    EXPECT_NEAR(column.change_between + column.change_within, column.change, 1e-9);
  }
}

// What people read: the sentence, the record's JSON and the page.
inline void expect_one_story(const measure::CompareResult& result,
                             const measure::CompareOptions& options) {
  expect_sound(result, options);
  const bool changed = result.verdict == Verdict::components;
  const std::string& sentence = result.sentence;
  EXPECT_EQ(changed, sentence.starts_with("The components differ"));
  EXPECT_EQ(occurrences(sentence, " new in Y (") > 0,
            with_status(result, MemberStatus::new_in_y) > 0);
  EXPECT_EQ(occurrences(sentence, " missing from Y (") > 0,
            with_status(result, MemberStatus::missing_from_y) > 0);
  EXPECT_EQ(occurrences(sentence, "the members of component") > 0,
            with_status(result, MemberStatus::moved) > 0);

  record::RunRecord record;
  app::fill_record(result, options, {}, record);
  app::name_columns({}, result, record);
  const record::RunRecord back = record::from_json(record::to_json(record));
  EXPECT_EQ(back, record);
  EXPECT_STREQ(to_string(back.compare->verdict), to_string(result.verdict));
  EXPECT_EQ(back.sentence, sentence);
  expect_same_members_everywhere(result, back);
  const std::string page = report::render_fragment(back);
  const auto shown = [&](const char* status) {
    return occurrences(page, concat("status status-", status, "\""));
  };
  EXPECT_EQ(shown("shared"), with_status(result, MemberStatus::shared));
  EXPECT_EQ(shown("shifted"), with_status(result, MemberStatus::moved));
  EXPECT_EQ(shown("new-in-y"), with_status(result, MemberStatus::new_in_y));
  EXPECT_EQ(shown("missing-from-y"), with_status(result, MemberStatus::missing_from_y));
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const auto& moves = result.components[j].columns_moved;
    const auto& written = back.compare->components[j].columns_moved;
    ASSERT_EQ(written.size(), moves.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
      EXPECT_EQ(written[i].column, std::to_string(moves[i].coordinate + 1));
      EXPECT_EQ(written[i].to, moves[i].to);
    }
  }
  const std::string rows = app::row_table(result, {});
  EXPECT_EQ(occurrences(rows, "\n"), 1 + result.scores_x.size() + result.scores_y.size());
  EXPECT_TRUE(changed || occurrences(rows, "more in") == 0);
}

}  // namespace nw::testing
