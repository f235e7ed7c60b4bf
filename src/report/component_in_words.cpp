#include "report/component_in_words.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/number_text.hpp"

namespace nw::report {

using record::CompareResult;
using record::ComponentResult;
using record::NamePart;
using record::RunRecord;

namespace {

constexpr std::size_t kPlaceColumns = 3;

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

bool apart(const std::vector<Interval>& a, const std::vector<Interval>& b, std::size_t j) {
  if (j >= a.size() || j >= b.size()) return false;
  return a[j].high < b[j].low || b[j].high < a[j].low;
}

bool holds_dates(const RunRecord& record, const std::string& column) {
  return std::ranges::any_of(record.columns, [&](const record::ColumnSummary& summary) {
    return summary.name == column && summary.kind == "datetime";
  });
}

template <typename Change>
std::string worded(const RunRecord& record, const Change& change) {
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

}  // namespace

bool has_no_row(double share, std::size_t rows) {
  return share < (rows > 0 ? 0.5 / static_cast<double>(rows) : 1e-6);
}

std::string share_text(double share, std::size_t rows) {
  return has_no_row(share, rows) ? "none" : percent(share, 2);
}

std::size_t rows_of(const RunRecord& record, std::size_t side) {
  return side < record.data.size() ? record.data[side].rows : 0;
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

std::string change_text(const RunRecord& record, const record::ColumnMove& change) {
  return worded(record, change);
}

std::string change_text(const RunRecord& record, const record::ColumnGap& change) {
  return worded(record, change);
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
      .numbers = std::to_string(j + 1),
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

std::string common_name(const CompareResult& result, const std::vector<std::size_t>& components) {
  record::ComponentName common;
  for (const NamePart& part : result.components[components.front()].name.parts) {
    const bool all = std::ranges::all_of(components, [&](std::size_t j) {
      return std::ranges::find(result.components[j].name.parts, part) !=
             result.components[j].name.parts.end();
    });
    if (all) common.parts.push_back(part);
  }
  return common.empty() ? "" : common.text();
}

}  // namespace nw::report
