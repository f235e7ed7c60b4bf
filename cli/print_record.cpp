#include "cli/print_record.hpp"

#include <iostream>

#include "nw/report/text.hpp"

#include "cli/terminal.hpp"

namespace nw::cli {

void print_record(const CommonOptions& common, const record::RunRecord& record) {
  if (!common.human_output()) return;
  std::cout << (common.quiet ? report::render_answer(record)
                             : report::render_text(record, standard_output()));
}

void print_finished_run(const CommonOptions& common, const std::string& folder) {
  if (common.human_output() && !common.quiet) std::cout << folder << " is finished already\n";
}

}  // namespace nw::cli
