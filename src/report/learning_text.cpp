#include "report/learning_text.hpp"

#include <cmath>
#include <utility>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/report/text_table.hpp"

namespace nw::report {

std::string warning_lines(const record::RunRecord& record) {
  std::string text;
  for (const std::string& warning : record.warnings) text += "- " + warning + '\n';
  return text;
}

std::string adaptation_text(const record::RunRecord& record) {
  const auto& result = record.adaptation.value();
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
  std::string text = record.sentence + '\n' + table.text();
  for (const std::string& detail : record.details) text += detail + '\n';
  return text + warning_lines(record);
}

std::string denoising_text(const record::RunRecord& record) {
  const auto& result = record.denoising.value();
  std::string text = record.sentence + '\n';
  for (const auto& metric : record.metrics) {
    text += concat("  ", metric.label, "  ", significant(metric.value), "\n");
  }
  for (const auto& [name, pi] : {std::pair{"pi of the source", &result.pi_source},
                                 std::pair{"pi of the target", &result.pi_target}}) {
    if (pi->empty()) continue;
    text += concat("  ", name, " ");
    for (const double p : *pi) text += " " + significant(p, 3);
    text += '\n';
  }
  return text + warning_lines(record);
}

std::string clustering_text(const record::RunRecord& record) {
  std::string text = record.sentence + '\n';
  if (const auto& scores = record.clustering.value(); scores.purity) {
    text += concat("purity ", significant(*scores.purity), ", NMI ", significant(*scores.nmi),
                   ", ARI ", significant(*scores.ari), "\n");
  }
  for (const std::string& detail : record.details) text += "  " + detail + '\n';
  return text + warning_lines(record);
}

}  // namespace nw::report
