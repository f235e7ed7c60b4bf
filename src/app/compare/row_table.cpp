#include "nw/app/compare/row_table.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace nw::app {
namespace {

// A name as a cell of a CSV file.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string member_text(std::span<const record::ComponentResult> components, std::size_t member) {
  if (member < components.size() && !components[member].name.empty()) {
    return cell(components[member].name.text());
  }
  return std::to_string(member + 1);
}

void add_rows(const char* sample, const std::vector<measure::RowScore>& scores,
              std::span<const record::ComponentResult> components,
              const std::set<std::size_t>& more_in_y, const std::set<std::size_t>& more_in_x,
              std::ostringstream& text) {
  std::vector<measure::RowScore> sorted = scores;
  std::ranges::sort(sorted, {}, &measure::RowScore::row);
  for (const auto& entry : sorted) {
    text << sample << ',' << entry.row + 1 << ',' << member_text(components, entry.member) << ','
         << entry.score << ',' << entry.weight << ','
         << (more_in_y.contains(entry.row)   ? "more in y"
             : more_in_x.contains(entry.row) ? "more in x"
                                             : "")
         << '\n';
  }
}

}  // namespace

std::string row_table(const measure::CompareResult& result,
                      std::span<const record::ComponentResult> components) {
  const auto set_of = [](const std::vector<std::size_t>& rows) {
    return std::set<std::size_t>(rows.begin(), rows.end());
  };
  std::ostringstream text;
  text << "sample,row,member,score,weight,region\n";
  // Regions count as evidence only where the members changed.
  const bool changed = result.verdict == Verdict::components;
  const measure::RegionChange none;
  const auto& y = changed ? result.more_in_y : none;
  const auto& x = changed ? result.more_in_x : none;
  add_rows("x", result.scores_x, components, set_of(y.rows_x), set_of(x.rows_x), text);
  add_rows("y", result.scores_y, components, set_of(y.rows_y), set_of(x.rows_y), text);
  return text.str();
}

}  // namespace nw::app
