#include "report/comparison_summary.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "nw/base/number_text.hpp"

#include "report/component_in_words.hpp"

namespace nw::report {

using record::CompareResult;
using record::ComponentResult;
using record::NamePart;
using record::RunRecord;

namespace {

constexpr std::size_t kNamedLength = 24;  // longer names do not fit into a sentence
constexpr std::size_t kTold = 3;          // components in the summary, of each kind

/// "Perhaps component 4 moved and became component 1 (income 31 → 39)."
std::string hint_of(const RunRecord& record, const record::PossibleMove& move) {
  constexpr std::size_t kMost = 2;
  std::string where;
  for (std::size_t i = 0; i < std::min(move.columns.size(), kMost); ++i) {
    const std::string text = change_text(record, move.columns[i]);
    if (!text.empty()) where += (where.empty() ? " (" : ", ") + text;
  }
  if (!where.empty()) where += ")";
  return concat("Perhaps component ", move.gone, " moved and became component ", move.appeared,
                where, ".");
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

/// Components that a sentence speaks of as one: their names begin alike and they fared alike.
struct Group {
  NamePart begins{};   ///< what their names begin with; empty: they have none
  std::string fate{};  ///< new, gone, moved, or empty for a share
  std::vector<std::size_t> members{};
  double mass_x = 0.0, mass_y = 0.0;
  double uncertainty = 0.0;  ///< of mass_y - mass_x: half the width of an interval
  int direction = 0;         ///< 1: some of them grew, -1: some shrank
};

double half_width(const std::vector<Interval>& intervals, std::size_t j) {
  return j < intervals.size() ? 0.5 * (intervals[j].high - intervals[j].low) : 1.0;
}

/// Whether a reader may take both components for one.
bool one_member(const CompareResult& result, std::size_t a, std::size_t b) {
  return std::ranges::any_of(result.members, [&](const std::vector<std::size_t>& member) {
    return std::ranges::find(member, a + 1) != member.end() &&
           std::ranges::find(member, b + 1) != member.end();
  });
}

std::vector<Group> groups_of(const CompareResult& result) {
  std::vector<Group> groups;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const ComponentResult& component = result.components[j];
    const NamePart begins = component.name.empty() ? NamePart{} : component.name.parts.front();
    std::string fate = fate_of(result, j);
    // What grew and what shrank must not cancel.
    const int direction = fate == "grew" ? 1 : fate == "shrank" ? -1 : 0;
    if (direction != 0) fate.clear();
    auto same = std::ranges::find_if(groups, [&](const Group& group) {
      if (group.fate != fate || group.direction * direction < 0) return false;
      return (group.begins == begins && begins != NamePart{}) ||
             (fate.empty() && one_member(result, group.members.front(), j));
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {.begins = begins, .fate = fate});
    if (same->begins != begins) same->begins = {};
    same->members.push_back(j);
    if (direction != 0) same->direction = direction;
    same->mass_x += component.mass_x;
    same->mass_y += component.mass_y;
    same->uncertainty = std::hypot(same->uncertainty, half_width(result.pi_x_interval, j),
                                   half_width(result.pi_y_interval, j));
  }
  // A few rows of the same kind beside a group that came or went belong to its story.
  constexpr double kBeside = 0.1;
  for (Group& group : groups) {
    if (group.fate.empty() || group.begins == NamePart{}) continue;
    for (Group& other : groups) {
      const bool few =
          std::max(other.mass_x, other.mass_y) < kBeside * std::max(group.mass_x, group.mass_y);
      if (!other.fate.empty() || other.begins != group.begins || !few) continue;
      group.mass_x += other.mass_x;
      group.mass_y += other.mass_y;
      other.members.clear();
    }
  }
  std::erase_if(groups, [](const Group& group) { return group.members.empty(); });
  return groups;
}

/// "species = Gentoo" is Gentoo to everyone; "smoker = Yes" and "outcome = unknown" need their
/// column.
std::string level_alone(const NamePart& part) {
  if (part.relation != "=") return "";
  const std::string& level = part.value;
  const auto lower = [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); };
  std::string word;
  std::ranges::transform(level, std::back_inserter(word), lower);
  constexpr std::array kSayNothing = {"other", "missing", "unknown", "none",  "true",
                                      "false", "small",   "medium",  "large", "high",
                                      "good",  "poor",    "average", "normal"};
  const bool telling = word.size() > 3 && !word.starts_with("unknown ") &&
                       std::isalpha(static_cast<unsigned char>(word[0])) != 0 &&
                       std::ranges::find(kSayNothing, word) == kSayNothing.end();
  return telling ? level : part.text();
}

/// How a sentence calls a group: by what its names begin with where that is its alone and short,
/// otherwise by numbers.
std::string called(const std::vector<Group>& groups, const Group& group) {
  const auto alike = std::ranges::count_if(
      groups, [&](const Group& other) { return other.begins == group.begins; });
  const std::string level = level_alone(group.begins);
  if (!level.empty() && alike == 1 && level.size() <= kNamedLength) return level;
  std::vector<std::string> numbers;
  for (const std::size_t j : group.members) numbers.push_back(std::to_string(j + 1));
  std::string text = concat(numbers.size() == 1 ? "component " : "components ", joined(numbers));
  const std::string begins = group.begins.text();
  if (!begins.empty() && begins.size() <= kNamedLength) text += concat(" (", begins, ")");
  return text;
}

/// "Gentoo is gone (74 % of Biscoe)", for all groups of one fate.
std::string told_together(const std::vector<Group>& groups, const std::string& fate,
                          const std::string& side) {
  double mass = 0.0;
  std::size_t members = 0;
  std::vector<std::string> names;
  for (const Group& group : groups) {
    if (group.fate != fate) continue;
    mass += fate == "new" ? group.mass_y : group.mass_x;
    members += group.members.size();
    names.push_back(called(groups, group));
  }
  if (names.empty()) return "";
  const bool one = names.size() == 1 && !names[0].starts_with("components");
  if (names.size() > kTold) names = {concat(members, " components")};
  if (fate == "moved") return joined(names) + " moved";
  return concat(joined(names), one ? " is " : " are ", fate, " (", percent(mass, 2), " of ", side,
                ")");
}

/// "13 % of X lies where 0.55 % of Y does, more than another mix allows"; empty without a region.
std::string region_text(const CompareResult& result) {
  if (!result.evidence) return "";
  const auto& in_x = result.evidence->more_in_x;
  const auto& in_y = result.evidence->more_in_y;
  if (!in_x && !in_y) return "";
  const bool of_x = in_x && (!in_y || in_x->p <= in_y->p);
  const record::RegionResult& region = of_x ? *in_x : *in_y;
  return concat("no component is new or gone for certain, but ",
                percent(of_x ? region.share_x : region.share_y, 2), " of ", of_x ? "X" : "Y",
                " lies where ", percent(of_x ? region.share_y : region.share_x, 2), " of ",
                of_x ? "Y" : "X", " does, which no other mix explains");
}

}  // namespace

bool small_only(const CompareResult& result) {
  return result.verdict == Verdict::same && result.effect && result.effect->below_min_effect;
}

std::string summary_of(const RunRecord& record, const ComparisonInWords& story) {
  const CompareResult& result = *record.compare;
  if (result.verdict == Verdict::same) {
    return small_only(result) ? "X and Y differ, but by less than counts as a change."
                              : "X and Y look like two samples of the same data.";
  }
  if (result.verdict == Verdict::undecided) {
    std::string reason = result.reason;
    if (!reason.empty() && reason[0] >= 'a' && reason[0] <= 'z') reason[0] -= 'a' - 'A';
    return reason.empty() ? record.sentence : reason + ".";
  }
  // A single component has neither a share to change nor another to be told from.
  if (result.components.size() == 1 && fate_of(result, 0) == "moved") {
    const std::string where = moved_text(record, result.components[0]);
    return concat("The rows as a whole moved", where.empty() ? "" : ": ", where, ".");
  }
  const std::vector<Group> groups = groups_of(result);
  std::vector<std::string> parts;
  for (const auto& [fate, side] : {std::pair<std::string, std::string>{"gone", story.side_x},
                                   {"new", story.side_y},
                                   {"moved", ""}}) {
    std::string part = told_together(groups, fate, side);
    if (!part.empty()) parts.push_back(std::move(part));
  }
  // A change that no component shows by itself: the region that decided says where it is.
  const bool within = result.verdict == Verdict::components && parts.empty();
  if (within) {
    if (const std::string where = region_text(result); !where.empty()) parts.push_back(where);
  }
  const bool many_moved = std::ranges::count(groups, std::string("moved"), &Group::fate) >
                          static_cast<std::ptrdiff_t>(kTold);
  std::vector<Group> mixed, uncertain;
  const auto change = [](const Group& group) { return std::abs(group.mass_y - group.mass_x); };
  for (const Group& group : groups) {
    const bool on_both_sides = group.fate.empty() || group.fate == "moved";
    if (on_both_sides) (change(group) > group.uncertainty ? mixed : uncertain).push_back(group);
  }
  // Where the mix changed and no share did for certain, the likeliest are named as such.
  const bool likely = result.verdict == Verdict::proportions && mixed.empty() && parts.empty();
  if (likely) mixed = uncertain;
  std::ranges::stable_sort(mixed,
                           [&](const Group& a, const Group& b) { return change(a) > change(b); });
  for (std::size_t i = 0; i < std::min<std::size_t>(2, mixed.size()); ++i) {
    const Group& group = mixed[i];
    std::string name = called(groups, group);
    // A component that moved has been introduced already, unless there were many.
    if (!group.fate.empty() && !many_moved && name.starts_with("component ")) {
      name = concat("component ", group.members[0] + 1);
    }
    const std::string from = share_text(group.mass_x, rows_of(record, 0));
    const std::string to = share_text(group.mass_y, rows_of(record, 1));
    if (from == to) continue;
    const char* goes = name.starts_with("components") ? " go from " : " goes from ";
    parts.push_back(concat(likely ? "perhaps " : "", name, goes, from, " to ", to));
  }
  if (parts.empty()) return record.sentence;
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  if (text.starts_with("no component") || text.starts_with("component") ||
      text.starts_with("perhaps")) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  }
  text += ".";
  if (result.verdict == Verdict::components) {
    for (const record::PossibleMove& move : result.possible_moves)
      text += " " + hint_of(record, move);
  }
  return text;
}

}  // namespace nw::report
