#include "nw/report/text.hpp"

#include "nw/base/number_text.hpp"

#include "report/comparison_text.hpp"
#include "report/learning_text.hpp"

namespace nw::report {
namespace {

std::string number_lines(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += significant(value) + '\n';
  return text;
}

}  // namespace

std::string render_text(const record::RunRecord& record, const TextStyle& style) {
  if (record.compare) return comparison_text(record, style);
  if (record.clustering) return clustering_text(record);
  if (record.adaptation) return adaptation_text(record);
  if (record.denoising) return denoising_text(record);
  std::string text = record.sentence + '\n';
  for (const std::string& detail : record.details) text += "  " + detail + '\n';
  return text + warning_lines(record);
}

std::string render_answer(const record::RunRecord& record) {
  if (record.compare) return std::string(to_string(record.compare->verdict)) + '\n';
  if (record.clustering) return number_lines(record.clustering->pi);
  if (record.adaptation) return number_lines(record.adaptation->pi_target);
  if (record.denoising) {
    const auto& result = *record.denoising;
    return number_lines({result.err_recons_target.value_or(result.residual_variance)});
  }
  if (record.generation) return number_lines({record.generation->total_distance()});
  return "";
}

}  // namespace nw::report
