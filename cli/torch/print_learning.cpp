#include "cli/torch/print_learning.hpp"

#include <cmath>
#include <iostream>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "cli/text_table.hpp"

namespace nw::cli {
namespace {

void print_end(const record::RunRecord& record) {
  for (const std::string& warning : record.warnings) std::cout << "- " << warning << '\n';
  std::cout << significant(record.seconds, 3) << " s, " << significant(record.peak_rss_mb, 3)
            << " MB\n";
}

}  // namespace

void print_adaptation(const CommonOptions& common, const record::RunRecord& record) {
  if (!common.human_output()) return;
  const auto& result = record.adaptation.value();
  if (common.quiet) {
    for (const double p : result.pi_target) std::cout << significant(p) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  std::vector<std::string> heading{"class", "source", "target", "95 %"};
  if (result.scores) heading.insert(heading.end(), {"truth", "accuracy"});
  TextTable table(heading);
  for (std::size_t j = 0; j < result.classes.size(); ++j) {
    const auto& interval = result.pi_target_interval[j];
    std::vector<std::string> row{
        result.classes[j], significant(result.pi_source[j], 3), significant(result.pi_target[j], 3),
        concat(significant(interval.low, 3), "-", significant(interval.high, 3))};
    if (result.scores) {
      const double accuracy = result.scores->class_accuracy[j];
      row.push_back(significant(result.scores->pi_target_true[j], 3));
      row.push_back(std::isnan(accuracy) ? "" : significant(accuracy, 4));
    }
    table.add(std::move(row));
  }
  std::cout << table.text();
  for (const std::string& detail : record.details) std::cout << detail << '\n';
  print_end(record);
}

void print_denoising(const CommonOptions& common, const record::RunRecord& record) {
  if (!common.human_output()) return;
  const auto& result = record.denoising.value();
  if (common.quiet) {
    std::cout << significant(result.err_recons_target.value_or(result.residual_variance)) << '\n';
    return;
  }
  std::cout << record.sentence << '\n';
  for (const auto& metric : record.metrics) {
    std::cout << "  " << metric.label << "  " << significant(metric.value) << '\n';
  }
  for (const auto& [name, pi] : {std::pair{"pi of the source", &result.pi_source},
                                 std::pair{"pi of the target", &result.pi_target}}) {
    if (pi->empty()) continue;
    std::cout << "  " << name << " ";
    for (const double p : *pi) std::cout << ' ' << significant(p, 3);
    std::cout << '\n';
  }
  print_end(record);
}

void print_finished_run(const std::string& folder, const CommonOptions& common) {
  if (common.human_output() && !common.quiet) std::cout << folder << " is finished already\n";
}

}  // namespace nw::cli
