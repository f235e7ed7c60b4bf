#include <sstream>

#include "nw/report/comparison_in_words.hpp"

namespace nw::report {
namespace {

/// Text as a cell of a table: no column ends early, no markup begins.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string("|*_`<>[]\\").find(c) != std::string::npos) out += '\\';
    out += c == '\n' || c == '\r' ? ' ' : c;
  }
  return out;
}

std::string with_interval(const std::string& share, const std::string& interval) {
  return interval.empty() ? share : share + " (" + interval + ")";
}

}  // namespace

std::string render_markdown(const record::RunRecord& record) {
  const ComparisonInWords story = comparison_by_member(record);
  std::ostringstream out;
  out << "**" << cell(story.headline) << ".** " << cell(story.summary) << "\n\n";
  if (!story.components.empty()) {
    out << "| # | component | " << cell(story.side_x) << " | " << cell(story.side_y)
        << " | |\n| ---: | --- | ---: | ---: | --- |\n";
    for (const ComponentInWords& component : story.components) {
      std::string fate = component.fate;
      if (!component.moved.empty()) fate += " " + component.moved;
      if (!component.p.empty()) fate += " (" + component.p + ")";
      out << "| " << component.numbers << " | " << cell(component.name) << " | "
          << with_interval(component.share_x, component.interval_x) << " | "
          << with_interval(component.share_y, component.interval_y) << " | " << cell(fate)
          << " |\n";
    }
    if (story.left_out > 0) {
      out << "\nand " << story.left_out << " more shared component"
          << (story.left_out == 1 ? "" : "s") << "\n";
    }
    out << '\n';
  }
  for (const std::string& sentence : story.evidence) out << cell(sentence) << ' ';
  out << "\n\n" << cell(story.data) << ". " << cell(story.distances) << ".\n";
  return out.str();
}

}  // namespace nw::report
