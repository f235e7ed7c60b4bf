#include "nw/table/description.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

#include "nw/base/error.hpp"

namespace nw::table {
namespace {

constexpr std::size_t kNamed = 12;
constexpr std::size_t kNamedMissing = 5;  // groups of columns with the same holes

std::string listed(const std::vector<std::string>& items, const char* separator = ", ",
                   std::size_t most = kNamed) {
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
    text += (i == 0 ? "" : separator) + items[i];
  }
  if (items.size() > most) text += concat(" and ", items.size() - most, " more");
  return text;
}

/// Shares of rows: whole percent, and a tenth where that would hide a small one.
std::string rough_percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.*f %%", share > 0.0 && share < 0.0995 ? 1 : 0, 100.0 * share);
  return text;
}

std::string missing_text(const Description& description, const ColumnReport& column) {
  if (description.rows_y == 0) return rough_percent(column.missing_x);
  return rough_percent(column.missing_x) + " of X, " + rough_percent(column.missing_y) + " of Y";
}

bool has_missing(const ColumnReport& column) {
  return column.missing_x > 0.0 || column.missing_y > 0.0;
}

}  // namespace

std::vector<std::string> summary_lines(const Description& description) {
  std::vector<std::string> used, left_out, lines, noticed = description.notes;
  std::map<std::string, std::vector<std::string>> columns_by_note;
  // Columns with the same holes go together: what changed comes first where not all can be named.
  std::vector<std::pair<std::string, std::vector<std::string>>> missing;
  const auto add_missing = [&](const ColumnReport& column) {
    const std::string text =
        missing_text(description, column) + (column.missing_changed ? " (changed)" : "");
    const auto same =
        std::ranges::find(missing, text, [](const auto& entry) { return entry.first; });
    if (same != missing.end()) return same->second.push_back(column.name);
    missing.insert(column.missing_changed ? missing.begin() : missing.end(), {text, {column.name}});
  };
  for (const ColumnReport& column : description.columns) {
    if (!column.used) {
      left_out.push_back(column.name + " (" + column.reason + ")");
      continue;
    }
    used.push_back(column.name);
    if (has_missing(column)) add_missing(column);
    for (const std::string& note : column.notes) {
      // A number in brackets is for the full text.
      columns_by_note[note.substr(0, note.find(" ("))].push_back(column.name);
    }
  }
  for (const auto& [note, columns] : columns_by_note) {
    noticed.push_back(note + ": " + listed(columns));
  }
  lines.push_back(
      concat("used ", used.size(), " of ", description.columns.size(), " columns: ", listed(used)));
  if (!left_out.empty()) lines.push_back("left out: " + listed(left_out));
  std::vector<std::string> holes;
  for (const auto& [text, names] : missing) holes.push_back(listed(names) + " " + text);
  std::string last = holes.empty() ? "" : "missing, kept: " + listed(holes, "; ", kNamedMissing);
  if (!noticed.empty()) last += (last.empty() ? "" : "; ") + listed(noticed, "; ");
  if (!last.empty()) lines.push_back(last);
  return lines;
}

std::string full_text(const Description& description) {
  std::string text;
  std::size_t width = 6;
  for (const ColumnReport& column : description.columns)
    width = std::max(width, column.name.size());
  for (const ColumnReport& column : description.columns) {
    std::string line = column.name + std::string(width - column.name.size() + 2, ' ');
    std::string kind = to_string(column.kind);
    if (column.levels > 0) kind += concat(" (", column.levels, ")");
    line += kind + std::string(kind.size() < 18 ? 18 - kind.size() : 1, ' ');
    line += column.used ? "used" : "left out: " + column.reason;
    if (has_missing(column)) {
      line += "; missing " + missing_text(description, column);
      if (column.missing_changed) line += concat(" (changed, p = ", column.missing_p, ")");
    }
    for (const std::string& note : column.notes) line += "; " + note;
    text += line + '\n';
  }
  for (const std::string& note : description.notes) text += "- " + note + '\n';
  text += concat("scale: ", to_string(description.scale), '\n');
  return text;
}

}  // namespace nw::table
