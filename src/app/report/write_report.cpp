#include "nw/app/report/write_report.hpp"

#include <vector>

#include "nw/run/training_record.hpp"

namespace nw::app {

void write_report(const std::string& page, std::span<const std::string> runs,
                  const report::HtmlOptions& options) {
  std::vector<record::RunRecord> records;
  records.reserve(runs.size());
  for (const std::string& path : runs) records.push_back(run::read_run(path));
  report::write_html(page, records, options);
}

}  // namespace nw::app
