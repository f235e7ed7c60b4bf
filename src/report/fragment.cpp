#include <sstream>

#include "nw/report/html_report.hpp"

#include "report/markup.hpp"
#include "report/run_tables.hpp"
#include "report/static_charts.hpp"
#include "report/wording.hpp"

namespace nw::report {

std::string render_fragment(const record::RunRecord& record) {
  record.validate();
  std::ostringstream out;
  out << "<div class=\"nw-result\"><p><strong>" << escape_markup(answer(record)) << "</strong></p>";
  if (record.figure) out << static_scatter(record);
  if (record.mode_choice && !record.compare) out << static_curve(*record.mode_choice);
  if (record.compare && !record.compare->components.empty()) {
    write_component_table(out, *record.compare);
  }
  out << "</div>";
  return out.str();
}

}  // namespace nw::report
