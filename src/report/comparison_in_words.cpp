#include "nw/report/comparison_in_words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "report/comparison_summary.hpp"
#include "report/component_in_words.hpp"

namespace nw::report {
namespace {

using record::CompareResult;
using record::RunRecord;

constexpr std::size_t kSideLength = 14;  // longer names of data sets are called X and Y

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

namespace {

/// Everything but the list of components.
ComparisonInWords story_without_components(const RunRecord& record) {
  require(record.compare.has_value(), "comparison_in_words: the record holds no comparison");
  const CompareResult& result = *record.compare;
  ComparisonInWords story{.verdict = result.verdict, .headline = headline_of(result.verdict)};
  if (small_only(result)) story.headline = "No change that counts";
  name_sides(record, story);
  story.data = data_of(record);
  story.summary = summary_of(record, story);
  story.evidence = evidence_of(result);
  story.distances = distances_of(result);
  return story;
}

using Member = std::vector<std::size_t>;  // components, from 0

ComponentInWords member_of(const RunRecord& record, const Member& member) {
  const CompareResult& result = *record.compare;
  const auto mass = [&](std::size_t j) {
    return result.components[j].mass_x + result.components[j].mass_y;
  };
  ComponentInWords told =
      component_of(record, *std::ranges::max_element(member, std::ranges::less(), mass));
  if (member.size() == 1) return told;
  double x = 0.0, y = 0.0;
  told.numbers.clear();
  told.fate.clear();
  for (const std::size_t j : member) {
    x += result.components[j].mass_x;
    y += result.components[j].mass_y;
    told.numbers += concat(told.numbers.empty() ? "" : "+", j + 1);
    // All changed by one factor: what is sure of one holds for all.
    if (told.fate.empty()) told.fate = fate_of(result, j);
  }
  told.number = member.front() + 1;
  told.share_x = share_text(x, rows_of(record, 0));
  told.share_y = share_text(y, rows_of(record, 1));
  told.interval_x.clear();
  told.interval_y.clear();
  told.changed = !told.fate.empty();
  if (const std::string common = common_name(result, member); !common.empty()) told.name = common;
  return told;
}

/// What has no row of either side is part of the fit, and nothing to read.
bool is_empty(const RunRecord& record, const Member& member) {
  const CompareResult& result = *record.compare;
  double x = 0.0, y = 0.0;
  for (const std::size_t j : member) {
    if (result.components[j].status != MemberStatus::shared) return false;
    x += result.components[j].mass_x;
    y += result.components[j].mass_y;
  }
  return has_no_row(x, rows_of(record, 0)) && has_no_row(y, rows_of(record, 1));
}

ComparisonInWords story_of(const RunRecord& record, std::vector<Member> members, std::size_t most) {
  std::erase_if(members, [&](const Member& member) { return is_empty(record, member); });
  ComparisonInWords story = story_without_components(record);
  const CompareResult& result = *record.compare;
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t place) {
    double change = 0.0;
    bool decisive = false, fated = false;
    for (const std::size_t j : members[place]) {
      const auto& component = result.components[j];
      change += component.mass_y - component.mass_x;
      decisive = decisive || component.status != MemberStatus::shared;
      fated = fated || !fate_of(result, j).empty();
    }
    return (decisive ? 2.0 : 0.0) + (fated ? 1.0 : 0.0) + std::abs(change);
  };
  if (order.size() > most) {
    std::ranges::stable_sort(order, [&](auto a, auto b) { return weight(a) > weight(b); });
    for (std::size_t i = most; i < order.size(); ++i) story.left_out += members[order[i]].size();
    order.resize(most);
    std::ranges::sort(order);
  }
  for (const std::size_t place : order) {
    story.components.push_back(member_of(record, members[place]));
  }
  return story;
}

std::vector<Member> each_alone(const CompareResult& result) {
  std::vector<Member> members;
  for (std::size_t j = 0; j < result.components.size(); ++j) members.push_back({j});
  return members;
}

std::vector<Member> joined_members(const CompareResult& result) {
  if (result.members.empty()) return each_alone(result);
  std::vector<Member> members = result.members;
  for (Member& member : members) {
    for (std::size_t& number : member) --number;
  }
  return members;
}

}  // namespace

ComparisonInWords comparison_in_words(const RunRecord& record, std::size_t most) {
  require(record.compare.has_value(), "comparison_in_words: the record holds no comparison");
  return story_of(record, each_alone(*record.compare), most);
}

ComparisonInWords comparison_by_member(const RunRecord& record, std::size_t most) {
  require(record.compare.has_value(), "comparison_by_member: the record holds no comparison");
  return story_of(record, joined_members(*record.compare), most);
}

}  // namespace nw::report
