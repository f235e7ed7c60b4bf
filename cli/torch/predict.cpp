// `nw predict RUN DATA`: classes of new rows by a classifier that `nw adapt` trained, or by
// several.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/app/adaptation/prediction_fields.hpp"
#include "nw/app/learning/run_columns.hpp"
#include "nw/app/learning/start_learning.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/report/text_table.hpp"

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"
#include "cli/torch/adapt_inputs.hpp"

namespace nw::cli {
namespace {

struct PredictArguments {
  CommonOptions common;
  PointOptions points;
  LabelledInput data;
  std::string run, output, device = "auto";
  std::vector<std::string> others;  // of --with

  [[nodiscard]] std::vector<std::string> runs() const {
    std::vector<std::string> all{run};
    all.insert(all.end(), others.begin(), others.end());
    return all;
  }
};

void print(const PredictArguments& arguments, const std::vector<app::AdaptedClassifier>& models,
           const app::CommonPrediction& result) {
  if (!arguments.common.human_output() || arguments.common.quiet) return;
  for (std::size_t r = 0; r < models.size(); ++r) {
    std::cout << "step " << models[r].step() << " of " << arguments.runs()[r];
    if (models.size() > 1) {
      std::cout << ", agrees with the others for " << significant(100.0 * result.agreements[r], 3)
                << " %";
    }
    std::cout << '\n';
  }
  report::TextTable table({"class", "predicted"});
  const auto shares = result.mean.shares();
  for (std::size_t j = 0; j < shares.size(); ++j) {
    table.add({models.front().classes()[j], significant(shares[j], 3)});
  }
  std::cout << table.text();
  if (result.scores) {
    std::cout << "accuracy " << significant(result.scores->accuracy) << ", averaged over classes "
              << significant(result.scores->mean_class_accuracy) << '\n';
    if (result.scores->unknown_rows > 0) {
      std::cout << "- " << result.scores->unknown_rows
                << " rows belong to classes that the run does not know; they count as errors\n";
    }
  }
  if (!result.warning.empty()) std::cout << "- " << result.warning << '\n';
}

int run_predict(const PredictArguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.common.json);
  app::start_learning(arguments.common.threads);
  const auto models = app::load_classifiers(arguments.runs());
  const auto& classes = models.front().classes();
  io::LoadOptions load = arguments.points.load;
  load.label_column = arguments.data.label_column;
  load.labels_file = arguments.data.labels;
  load.threads = arguments.common.threads;
  const auto points =
      app::load_like(app::columns_of_runs(arguments.runs()), arguments.data.points, load);
  const auto result = app::predict_together(models, points, arguments.device);
  print(arguments, models, result);
  if (!arguments.output.empty()) app::write_predictions(arguments.output, result.mean, classes);
  Json json = start_result("predict", arguments.common);
  json.update(Json::parse(app::prediction_fields(models, result)));
  if (!arguments.output.empty()) json["file"] = arguments.output;
  write_result(arguments.common, json);
  return kDone;
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("predict", kAboutPredict);
  const auto arguments = std::make_shared<PredictArguments>();
  command->add_option("RUN", arguments->run, "Run directory of nw adapt")->required();
  command->add_option("DATA", arguments->data.points, "Rows of the target domain")->required();
  command
      ->add_option("--with", arguments->others,
                   "More runs of the same task, from other seeds: their mean predicts, with how "
                   "far they agree")
      ->type_name("RUN ...");
  command->add_option("--labels", arguments->data.labels, "Labels of the rows, for scoring")
      ->type_name("FILE");
  command->add_option("-o,--output", arguments->output, "Write the class of every row")
      ->type_name("FILE.csv");
  command->add_option("--device", arguments->device, "Where to compute")
      ->type_name("auto|cpu|cuda")
      ->capture_default_str();
  add_point_options(*command, arguments->points);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw predict my-run new-images-idx4-ubyte -o classes.csv\n"
      "  nw predict seed-0 autumn.csv --with seed-1 seed-2");
  command->callback([arguments, &context] {
    arguments->data.label_column = arguments->points.load.label_column;
    arguments->points.load.label_column.clear();
    context.action = [arguments] { return run_predict(*arguments); };
  });
}

}  // namespace nw::cli
