// `nw predict RUN DATA`: classes of new rows by a classifier that `nw adapt` trained.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/label_shift.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/run/run_directory.hpp"

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/adapt_inputs.hpp"
#include "cli/torch/adapt_training.hpp"
#include "cli/torch/session.hpp"

namespace nw::cli {
namespace {

struct PredictArguments {
  CommonOptions common;
  PointOptions points;
  LabelledInput data;
  std::string run, output, device = "auto";
};

void print(const PredictArguments& arguments, const adapt::TrainedModel& model,
           const std::vector<double>& shares, const std::optional<adapt::Scores>& scores) {
  if (!arguments.common.human_output() || arguments.common.quiet) return;
  std::cout << "step " << model.step << " of " << arguments.run << '\n';
  TextTable table({"class", "predicted"});
  for (std::size_t j = 0; j < shares.size(); ++j) {
    table.add({model.classes.names[j], significant(shares[j], 3)});
  }
  std::cout << table.text();
  if (!scores) return;
  std::cout << "accuracy " << significant(scores->accuracy) << ", averaged over classes "
            << significant(scores->mean_class_accuracy) << '\n';
  if (scores->unknown_rows > 0) {
    std::cout << "- " << scores->unknown_rows
              << " rows belong to classes that the run does not know; they count as errors\n";
  }
}

int run_predict(const PredictArguments& arguments) {
  require_writable(arguments.output);
  require_writable(arguments.common.json);
  start_learning(arguments.common.threads);
  const auto config = nlohmann::json::parse(run::read_config(arguments.run));
  if (!config.contains("model")) {
    throw IoError(concat(arguments.run, ": config.json describes no classifier"));
  }
  auto model = adapt::load_model(arguments.run, config.at("model").dump());
  LabelledInput data = arguments.data;
  data.weights = config.value("weights", "");
  const auto points = load_labelled(data, arguments.points, arguments.common);
  const torch::Device device = choose_device(arguments.device);
  model.to(device);
  const auto prediction = model.predict(adapt::rows_of(points, model.form), device);
  const auto shares = predicted_shares(prediction.predicted, model.classes.size());
  std::optional<adapt::Scores> scores;
  if (points.labels) {
    scores = adapt::score(model.classes.indices_of(*points.labels), prediction.predicted,
                          model.classes.size());
  }
  print(arguments, model, shares, scores);
  if (!arguments.output.empty()) write_predictions(arguments.output, prediction, model.classes);
  Json result = start_result("predict", arguments.common);
  result["rows"] = points.size();
  result["step"] = model.step;
  result["classes"] = model.classes.names;
  result["predicted_share"] = shares;
  result["pi_target_likely"] =
      adapt::likely_proportions(bridge::to_matrix(prediction.posterior), model.prior);
  if (scores) add_scores(result, *scores, model.classes);
  if (!arguments.output.empty()) result["file"] = arguments.output;
  write_result(arguments.common, result);
  return kDone;
}

}  // namespace

void add_predict(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("predict", kAboutPredict);
  const auto arguments = std::make_shared<PredictArguments>();
  command->add_option("RUN", arguments->run, "Run directory of nw adapt")->required();
  command->add_option("DATA", arguments->data.points, "Rows of the target domain")->required();
  command->add_option("--labels", arguments->data.labels, "Labels of the rows, for scoring")
      ->type_name("FILE");
  command->add_option("-o,--output", arguments->output, "Write the class of every row")
      ->type_name("FILE.csv");
  command->add_option("--device", arguments->device, "Where to compute")
      ->type_name("auto|cpu|cuda")
      ->capture_default_str();
  add_point_options(*command, arguments->points);
  add_common_options(*command, arguments->common);
  command->footer("Example:\n  nw predict my-run new-images-idx4-ubyte -o classes.csv");
  command->callback([arguments, &context] {
    arguments->data.label_column = arguments->points.load.label_column;
    arguments->points.load.label_column.clear();
    context.action = [arguments] { return run_predict(*arguments); };
  });
}

}  // namespace nw::cli
