#include "cli/compare_scores.hpp"

#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"
#include "nw/report/text_table.hpp"

#include "app/compare/model_scores.hpp"
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
  report::TextTable table(
      {"class", "share of X", "Y by likelihood", "by confusion", "by transport"});
  for (std::size_t c = 0; c < names.size(); ++c) {
    table.add({names[c], percent(result.share_x[c]), with_interval(result.likelihood, c),
               with_interval(result.confusion, c), with_interval(result.transport, c)});
  }
  std::cout << table.text();
}

Json estimate_of(const measure::ShareEstimate& estimate) {
  Json intervals = Json::array();
  for (const auto& interval : estimate.interval) {
    intervals.push_back(Json::array({interval.low, interval.high}));
  }
  return {{"share", estimate.share}, {"interval", intervals}};
}

Json result_of(const CommonOptions& common, const ScoreArguments& arguments,
               const measure::LabelShiftResult& result, const app::ModelScores& scores) {
  Json json = start_result("compare", common);
  json["kind"] = "label-shift";
  json["sentence"] = result.sentence;
  json["n"] = scores.x.rows();
  json["m"] = scores.y.rows();
  json["classes"] = scores.names;
  json["share_x"] = result.share_x;
  json["likelihood"] = estimate_of(result.likelihood);
  json["confusion"] = estimate_of(result.confusion);
  json["transport"] = estimate_of(result.transport);
  json["p"] = result.p;
  json["tenable"] = result.tenable;
  json["temperature"] = result.temperature;
  json["bias"] = result.bias;
  if (!arguments.corrected.empty()) json["corrected"] = arguments.corrected;
  json["seconds"] = result.seconds;
  json["peak_rss_mb"] = peak_rss_mb();
  return json;
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
  options.class_names = scores.names;
  Rng rng(common.seed);
  const auto result = measure::label_shift({scores.x, scores.class_of_x, scores.y}, options, rng);
  print(common, result, scores.names);
  if (!arguments.corrected.empty()) {
    io::write_csv(arguments.corrected, result.corrected, {.column_names = scores.names});
  }
  write_result(common, result_of(common, arguments, result, scores));
  return kDone;
}

}  // namespace nw::cli
