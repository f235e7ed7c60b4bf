#include "nw/report/comparison_in_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

namespace nw::report {
namespace {

using record::CompareResult;
using record::ComponentResult;
using record::NamePart;
using record::RunRecord;

constexpr std::size_t kSideLength = 14;   // longer names of data sets are called X and Y
constexpr std::size_t kNamedLength = 24;  // longer names do not fit into a sentence
constexpr std::size_t kPlaceColumns = 3;
constexpr std::size_t kTold = 3;  // components in the summary, of each kind

/// Less than half a row is none.
std::string share_text(double share, std::size_t rows) {
  const double least = rows > 0 ? 0.5 / static_cast<double>(rows) : 1e-6;
  return share < least ? "none" : percent(share, 2);
}

std::string interval_text(const std::vector<Interval>& intervals, std::size_t j) {
  if (j >= intervals.size()) return "";
  const auto number = [](double share) {
    return share < 5e-4 ? std::string("0") : significant(100.0 * share, 2);
  };
  if (intervals[j].high < 5e-4) return "< 0.1 %";
  return concat(number(intervals[j].low), " to ", number(intervals[j].high), " %");
}

std::string place(const std::vector<double>& centre) {
  if (centre.empty() || centre.size() > kPlaceColumns) return "";
  double largest = 0.0;
  for (const double value : centre) largest = std::max(largest, std::abs(value));
  std::string text;
  for (const double value : centre) {
    const bool dust = std::abs(value) < 5e-3 * largest;
    text += (text.empty() ? "at (" : ", ") + significant(dust ? 0.0 : value, 3);
  }
  return text + ")";
}

/// Significant, but shown to be too small to count.
bool small_only(const CompareResult& result) {
  return result.verdict == Verdict::same && result.effect && result.effect->below_min_effect;
}

bool apart(const std::vector<Interval>& a, const std::vector<Interval>& b, std::size_t j) {
  if (j >= a.size() || j >= b.size()) return false;
  return a[j].high < b[j].low || b[j].high < a[j].low;
}

std::string fate_of(const CompareResult& result, std::size_t j) {
  const ComponentResult& component = result.components[j];
  switch (component.status) {
    case MemberStatus::new_in_y:
      return "new";
    case MemberStatus::missing_from_y:
      return "gone";
    case MemberStatus::moved:
      return "moved";
    case MemberStatus::shared:
      break;
  }
  // A share that is next to nothing on both sides is not worth a word.
  constexpr double kWorthAWord = 0.005;
  const bool tiny = std::max(component.mass_x, component.mass_y) < kWorthAWord;
  if (tiny || result.verdict == Verdict::same ||
      !apart(result.pi_x_interval, result.pi_y_interval, j)) {
    return "";
  }
  return component.mass_y > component.mass_x ? "grew" : "shrank";
}

std::size_t rows_of(const RunRecord& record, std::size_t side) {
  return side < record.data.size() ? record.data[side].rows : 0;
}

bool holds_dates(const RunRecord& record, const std::string& column) {
  return std::ranges::any_of(record.columns, [&](const record::ColumnSummary& summary) {
    return summary.name == column && summary.kind == "datetime";
  });
}

/// "body_mass_g 3700 → 4100", "sex = male 40 % → 60 %"; empty where both ends read alike.
template <typename Change>
std::string change_text(const RunRecord& record, const Change& change) {
  if (!change.level.empty()) {
    const std::string what = change.level == "missing" ? change.column + " missing"
                                                       : change.column + " = " + change.level;
    return concat(what, " ", percent(change.from, 2), " → ", percent(change.to, 2));
  }
  if (holds_dates(record, change.column)) {
    const std::string from = date_text(change.from), to = date_text(change.to);
    if (from == to) return "";
    const bool days = from.substr(0, 10) != to.substr(0, 10);
    return concat(change.column, " ", days ? from.substr(0, 10) : from, " → ",
                  days ? to.substr(0, 10) : to);
  }
  int digits = 3;
  const auto shown = [&](double value) { return amount(value, digits); };
  while (digits < 6 && shown(change.from) == shown(change.to)) ++digits;
  if (shown(change.from) == shown(change.to)) return "";
  return concat(change.column, " ", shown(change.from), " → ", shown(change.to));
}

std::string move_text(const RunRecord& record, const record::ColumnMove& move) {
  const std::string text = change_text(record, move);
  if (!text.empty()) return text;
  return concat(move.column, move.spread_change > 0.0 ? " more spread" : " less spread");
}

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

std::string moved_text(const RunRecord& record, const ComponentResult& component) {
  constexpr std::size_t kMost = 2;
  std::string text;
  const auto& moves = component.columns_moved;
  for (std::size_t i = 0; i < std::min(moves.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + move_text(record, moves[i]);
  }
  if (moves.size() > kMost) text += concat(" and ", moves.size() - kMost, " more");
  if (text.empty() && component.shift_size) {
    text = concat("by ", significant(*component.shift_size, 2), " deviations");
  }
  return text;
}

ComponentInWords component_of(const RunRecord& record, std::size_t j) {
  const CompareResult& result = *record.compare;
  const ComponentResult& component = result.components[j];
  ComponentInWords told{
      .number = j + 1,
      .name = component.name.empty() ? place(component.centre) : component.name.text(),
      .share_x = share_text(component.mass_x, rows_of(record, 0)),
      .share_y = share_text(component.mass_y, rows_of(record, 1)),
      .interval_x = interval_text(result.pi_x_interval, j),
      .interval_y = interval_text(result.pi_y_interval, j),
      .fate = fate_of(result, j)};
  if (component.status == MemberStatus::moved) {
    if (component.p) told.p = p_words(*component.p);
    told.moved = moved_text(record, component);
  }
  told.changed = !told.fate.empty();
  return told;
}

/// "island = Biscoe" is Biscoe, "Month = 5" is Month 5, "island other than Biscoe" is others,
/// "data/spring.csv" is spring.
std::string short_side(const record::DataSet& data) {
  std::string name = data.name;
  if (const auto level = name.find(" = "); level != std::string::npos) {
    const std::string value = name.substr(level + 3);
    const bool word = std::isalpha(static_cast<unsigned char>(value[0])) != 0;
    // "Month 5", but "column 3 = 5".
    const bool digit = std::isdigit(static_cast<unsigned char>(name[level - 1])) != 0;
    return word ? value : digit ? name : name.substr(0, level) + " " + value;
  }
  if (name.find(" other than ") != std::string::npos) return "others";
  if (const auto slash = name.find_last_of('/'); slash != std::string::npos) {
    name.erase(0, slash + 1);
  }
  if (const auto dot = name.find('.'); dot != std::string::npos && dot > 0) name.erase(dot);
  return name;
}

void name_sides(const RunRecord& record, ComparisonInWords& story) {
  if (record.data.size() < 2) return;
  const std::string x = short_side(record.data[0]), y = short_side(record.data[1]);
  const bool fit = !x.empty() && !y.empty() && x.size() <= kSideLength && y.size() <= kSideLength;
  if (!fit || x == y) return;
  story.side_x = x;
  story.side_y = y;
}

std::string data_of(const RunRecord& record) {
  std::string text;
  const char* names[] = {"X: ", "Y: "};
  for (std::size_t i = 0; i < std::min<std::size_t>(2, record.data.size()); ++i) {
    text += concat(i == 0 ? "" : "; ", names[i], record.data[i].name, ", ", record.data[i].rows,
                   " rows");
  }
  return text;
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
      return group.begins == begins && begins != NamePart{} && group.fate == fate &&
             group.direction * direction >= 0;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {.begins = begins, .fate = fate});
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

std::vector<std::string> evidence_of(const CompareResult& result) {
  std::vector<std::string> evidence;
  const auto with = [](const std::optional<double>& p) {
    return p ? concat(" (", p_words(*p), ")") : std::string();
  };
  switch (result.verdict) {
    case Verdict::same:
      evidence.push_back(
          small_only(result)
              ? concat("The difference is significant", with(result.p_same), " and small.")
              : concat("No test tells X from Y", with(result.p_same), "."));
      break;
    case Verdict::proportions:
      evidence.push_back(concat("X and Y differ", with(result.p_same),
                                "; another mix of the same components explains it",
                                with(result.p_components), "."));
      break;
    case Verdict::components:
      evidence.push_back(concat("Another mix of the same components does not explain it",
                                with(result.p_components), "."));
      break;
    case Verdict::undecided:
      break;
  }
  if (!result.evidence) return evidence;
  if (result.verdict == Verdict::same || result.verdict == Verdict::proportions) {
    evidence.push_back(concat(
        "A component new in Y, or gone from it, would have been noticed if its share were about ",
        percent(std::min(result.evidence->smallest_share, 1.0), 2), " or more."));
  }
  return evidence;
}

std::string distances_of(const CompareResult& result) {
  // What rounding leaves of a perfect fit is zero to a reader.
  const auto shown = [&](double value) {
    return significant(value < 1e-9 * result.wasserstein ? 0.0 : value, 3);
  };
  const auto beside = [&](const std::optional<double>& floor) {
    return floor ? concat(" (", shown(*floor), " by chance)") : std::string();
  };
  return concat("W = ", significant(result.wasserstein, 3), beside(result.wasserstein_floor),
                ", W_N = ", shown(result.normalized_wasserstein), beside(result.normalized_floor),
                ", k = ", result.k);
}

}  // namespace

std::string p_words(double p) {
  for (const char* limit : {"0.001", "0.005", "0.01"}) {
    if (p < std::stod(limit)) return concat("p < ", limit);
  }
  return concat("p = ", significant(p, 2));
}

std::string headline_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::same:
      return "No difference found";
    case Verdict::proportions:
      return "Only the mix changed";
    case Verdict::components:
      return "The members changed";
    case Verdict::undecided:
      break;
  }
  return "Undecided";
}

ComparisonInWords comparison_in_words(const RunRecord& record, std::size_t most) {
  require(record.compare.has_value(), "comparison_in_words: the record holds no comparison");
  const CompareResult& result = *record.compare;
  ComparisonInWords story{.verdict = result.verdict, .headline = headline_of(result.verdict)};
  if (small_only(result)) story.headline = "No change that counts";
  name_sides(record, story);
  story.data = data_of(record);
  story.summary = summary_of(record, story);
  story.evidence = evidence_of(result);
  story.distances = distances_of(result);

  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < result.components.size(); ++j) {
    const ComponentResult& component = result.components[j];
    // What has no row of either side is part of the fit, and nothing to read.
    const bool empty = component.status == MemberStatus::shared &&
                       share_text(component.mass_x, rows_of(record, 0)) == "none" &&
                       share_text(component.mass_y, rows_of(record, 1)) == "none";
    if (!empty) order.push_back(j);
  }
  const auto weight = [&](std::size_t j) {
    const auto& component = result.components[j];
    const double change = std::abs(component.mass_y - component.mass_x);
    const bool decisive = component.status != MemberStatus::shared;
    return (decisive ? 2.0 : 0.0) + (fate_of(result, j).empty() ? 0.0 : 1.0) + change;
  };
  if (order.size() > most) {
    std::ranges::stable_sort(order, [&](auto a, auto b) { return weight(a) > weight(b); });
    story.left_out = order.size() - most;
    order.resize(most);
    std::ranges::sort(order);
  }
  for (const std::size_t j : order) story.components.push_back(component_of(record, j));
  return story;
}

}  // namespace nw::report
