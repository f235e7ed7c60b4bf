// render_page OUT.html [--fixed] RECORD...: the page of records, for the browser test.
#include <iostream>
#include <string>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/report/html_report.hpp"

int main(int argc, char** argv) {
  try {
    nw::report::HtmlOptions options;
    std::vector<nw::record::RunRecord> records;
    for (int i = 2; i < argc; ++i) {
      if (std::string(argv[i]) == "--fixed") {
        options.interactive = false;
      } else {
        records.push_back(nw::record::read_record(argv[i]));
      }
    }
    nw::report::write_html(argv[1], records, options);
  } catch (const std::exception& error) {
    std::cerr << "render_page: " << error.what() << '\n';
    return 1;
  }
}
