#include "app/compare/comparison_record.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace nw::app {
namespace {

void add_rows(const char* sample, const std::vector<measure::RowScore>& scores,
              const std::set<std::size_t>& more_in_y, const std::set<std::size_t>& more_in_x,
              std::ostringstream& text) {
  std::vector<measure::RowScore> sorted = scores;
  std::ranges::sort(sorted, {}, &measure::RowScore::row);
  for (const auto& entry : sorted) {
    text << sample << ',' << entry.row + 1 << ',' << entry.score << ','
         << (more_in_y.contains(entry.row)   ? "more in y"
             : more_in_x.contains(entry.row) ? "more in x"
                                             : "")
         << '\n';
  }
}

}  // namespace

std::string row_table(const measure::CompareResult& result) {
  const auto set_of = [](const std::vector<std::size_t>& rows) {
    return std::set<std::size_t>(rows.begin(), rows.end());
  };
  std::ostringstream text;
  text << "sample,row,score,region\n";
  // Regions count as evidence only where the members changed.
  const bool changed = result.verdict == Verdict::components;
  const measure::RegionChange none;
  const auto& y = changed ? result.more_in_y : none;
  const auto& x = changed ? result.more_in_x : none;
  add_rows("x", result.scores_x, set_of(y.rows_x), set_of(x.rows_x), text);
  add_rows("y", result.scores_y, set_of(y.rows_y), set_of(x.rows_y), text);
  return text.str();
}

}  // namespace nw::app
