#include "cli/torch/finished_run.hpp"

#include <iostream>

#include "nw/run/training_record.hpp"

#include "cli/exit_code.hpp"

namespace nw::cli {

int repeat_finished_run(const std::string& folder, const CommonOptions& common) {
  return repeat_finished_run(folder, common, run::read_run(folder));
}

int repeat_finished_run(const std::string& folder, const CommonOptions& common,
                        const record::RunRecord& record) {
  if (common.human_output() && !common.quiet) std::cout << folder << " is finished already\n";
  write_result(common, record);
  return kDone;
}

}  // namespace nw::cli
