#include <sstream>

#include "nw/report/comparison_in_words.hpp"
#include "nw/report/html_report.hpp"
#include "nw/report/picture.hpp"

#include "report/markup.hpp"
#include "report/run_tables.hpp"
#include "report/static_charts.hpp"
#include "report/wording.hpp"

namespace nw::report {

std::string render_fragment(const record::RunRecord& record) {
  record.validate();
  std::ostringstream out;
  out << "<div class=\"nw-result\">";
  if (record.compare && !record.compare->components.empty()) {
    // The picture has the headline and the summary in it; readers of text need them beside it.
    out << render_picture(record) << "<p>";
    for (const std::string& sentence : comparison_in_words(record).evidence) {
      out << escape_markup(sentence) << ' ';
    }
    out << "</p><details><summary>Components in numbers</summary>";
    write_component_table(out, record);
    out << "</details></div>";
    return out.str();
  }
  out << "<p><strong>" << escape_markup(answer(record)) << "</strong></p>";
  if (record.figure) out << static_scatter(record);
  if (record.mode_choice) out << static_curve(*record.mode_choice);
  out << "</div>";
  return out.str();
}

}  // namespace nw::report
