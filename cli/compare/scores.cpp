#include "cli/compare/scores.hpp"

#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/app/compare/model_scores.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"
#include "nw/report/text_table.hpp"

#include "cli/exit_code.hpp"
#include "cli/output_file.hpp"

namespace nw::cli {
namespace {

std::string with_interval(const measure::ShareEstimate& estimate, std::size_t c) {
  return concat(percent(estimate.share[c]), " [", percent(estimate.interval[c].low), ", ",
                percent(estimate.interval[c].high), "]");
}

void print(const CommonOptions& common, const measure::LabelShiftResult& result,
           const std::vector<std::string>& names) {
  if (!common.human_output()) return;
  if (common.quiet) {
    std::cout << (result.tenable ? "proportions" : "components") << '\n';
    return;
  }
  std::cout << result.sentence << "\n\n";
  report::TextTable table({"class", "share of X", "share of Y"});
  for (std::size_t c = 0; c < names.size(); ++c) {
    table.add({names[c], percent(result.share_x[c]), with_interval(result.shares, c)});
  }
  std::cout << table.text() << '\n' << measure::routes_in_words(result.routes(), names) << '\n';
}

}  // namespace

int run_compare_scores(const ScoreArguments& arguments, const CommonOptions& common,
                       const PointOptions& points, measure::LabelShiftOptions options) {
  require(!arguments.x.empty() && !arguments.y.empty(),
          "--scores-x and --scores-y belong together");
  options.threads = common.threads;
  options.validate();
  require_writable(common.json);
  require_writable(arguments.corrected);
  io::LoadOptions load = points.load;
  load.threads = common.threads;
  const app::ModelScores scores = app::read_model_scores(arguments.x, arguments.y, load);
  const auto result = app::compare_model_scores(scores, options, common.seed);
  print(common, result, scores.names);
  if (!arguments.corrected.empty()) {
    io::write_csv(arguments.corrected, result.corrected, {.column_names = scores.names});
  }
  Json json = start_result("compare", common);
  json.update(Json::parse(app::model_score_fields(scores, result)));
  if (!arguments.corrected.empty()) json["corrected"] = arguments.corrected;
  json["seconds"] = result.seconds;
  json["peak_rss_mb"] = peak_rss_mb();
  write_result(common, json);
  return kDone;
}

}  // namespace nw::cli
