#include "cli/report_option.hpp"

#include "nw/report/html_report.hpp"

namespace nw::cli {

void add_report_option(CLI::App& command, std::string& page) {
  command.add_option("--report", page, "Write the result as a self-contained HTML page")
      ->type_name("FILE.html");
}

void write_page(const std::string& page, const record::RunRecord& record) {
  if (!page.empty()) report::write_html(page, {&record, 1});
}

}  // namespace nw::cli
