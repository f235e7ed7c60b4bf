#include "report/confusion_table.hpp"

#include <cmath>
#include <numeric>
#include <ostream>

#include "nw/base/number_text.hpp"

#include "report/markup.hpp"
#include "report/wording.hpp"

namespace nw::report {
namespace {

// Beyond that a table says less than the most frequent confusions, which stand above it.
constexpr std::size_t kMostClasses = 40;
constexpr int kShades = 10;  // as many as the style sheet has

}  // namespace

bool has_confusion(const record::RunRecord& record) {
  if (!record.adaptation || !record.adaptation->scores) return false;
  const std::size_t classes = record.adaptation->classes.size();
  return classes > 0 && classes <= kMostClasses;
}

void write_confusion(std::ostream& out, const record::RunRecord& record) {
  const auto& names = record.adaptation->classes;
  const auto& counts = record.adaptation->scores->confusion;
  out << "<div class=\"table-scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table of "
         "confusions\"><table class=\"confusion\"><thead><tr><th scope=\"col\">Truth</th>";
  for (const auto& name : names) {
    out << "<th scope=\"col\">" << escape_markup(name) << "</th>";
  }
  out << "<th scope=\"col\">Right</th></tr></thead><tbody>";
  for (std::size_t truth = 0; truth < names.size(); ++truth) {
    const auto& row = counts[truth];
    const auto all = static_cast<double>(std::accumulate(row.begin(), row.end(), std::uint64_t{0}));
    out << "<tr><th scope=\"row\">" << escape_markup(names[truth]) << "</th>";
    for (std::size_t taken = 0; taken < row.size(); ++taken) {
      const auto rows = static_cast<double>(row[taken]);
      const double share = all > 0.0 ? rows / all : 0.0;
      // Every mistake has a shade, however rare.
      const int shade = static_cast<int>(std::ceil(share * kShades));
      out << "<td class=\"" << (taken == truth ? "right" : "wrong") << " shade-" << shade << "\">"
          << format_number(rows, 6) << "</td>";
    }
    out << "<td>" << (all > 0.0 ? percent(static_cast<double>(row[truth]) / all) : "–")
        << "</td></tr>";
  }
  out << "</tbody></table></div><p class=\"caption\">Rows of the target by their true class (down) "
         "and by the predicted one (across); shades are shares of the true class.</p>";
}

}  // namespace nw::report
