// `nw predict RUN DATA`: classes of new rows by a classifier that `nw adapt` trained, or by
// several.
#include <algorithm>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/adapt/adapt_model.hpp"
#include "nw/adapt/label_shift.hpp"
#include "nw/base/error.hpp"
#include "nw/base/moments.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/run/run_directory.hpp"

#include "app/adaptation/training.hpp"
#include "app/learning/session.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"
#include "cli/text_table.hpp"
#include "cli/torch/adapt_inputs.hpp"

namespace nw::cli {

using namespace app;
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

bool shown(const PredictArguments& arguments) {
  return arguments.common.human_output() && !arguments.common.quiet;
}

// Below this some of the runs are likely to have matched classes crosswise.
constexpr double kUsualAgreement = 0.8;

/// Classifiers of the same classes, from rows of the same kind.
struct Runs {
  std::vector<std::string> folders;
  std::vector<adapt::TrainedModel> models;
  std::string weights;  // of the backbone whose features they classify; empty: none

  [[nodiscard]] const adapt::Classes& classes() const { return models.front().classes; }
};

Runs load_runs(const std::vector<std::string>& folders) {
  Runs runs{.folders = folders, .models = {}, .weights = {}};
  for (const auto& folder : folders) {
    const auto config = nlohmann::json::parse(run::read_config(folder));
    if (!config.contains("model")) {
      throw IoError(concat(folder, ": config.json describes no classifier"));
    }
    auto model = adapt::load_model(folder, config.at("model").dump());
    const std::string weights = config.value("weights", "");
    if (runs.models.empty()) runs.weights = weights;
    if (weights != runs.weights ||
        (!runs.models.empty() && model.classes.names != runs.classes().names)) {
      throw IoError(concat(folder, ": its classes or its features are not those of ", folders[0]));
    }
    runs.models.push_back(std::move(model));
  }
  return runs;
}

/// Proportions under which the posteriors are likeliest, averaged over the runs.
std::vector<double> likely_proportions(const Runs& runs,
                                       const std::vector<adapt::Prediction>& of_each) {
  std::vector<double> mean(runs.classes().size(), 0.0);
  for (std::size_t r = 0; r < of_each.size(); ++r) {
    const auto likely =
        adapt::likely_proportions(bridge::to_matrix(of_each[r].posterior), runs.models[r].prior);
    for (std::size_t j = 0; j < mean.size(); ++j) {
      mean[j] += likely[j] / static_cast<double>(of_each.size());
    }
  }
  return mean;
}

std::string warning_of(const std::vector<double>& agreements) {
  const auto least = std::ranges::min_element(agreements) - agreements.begin();
  const double mean = mean_of(agreements);
  if (mean >= kUsualAgreement) return "";
  return concat("the runs name the same class for ", significant(100.0 * mean, 3),
                " % of the rows: some may have matched classes crosswise (run ", least + 1,
                " agrees least with the others)");
}

void print(const PredictArguments& arguments, const Runs& runs,
           const std::vector<double>& agreements, const std::vector<double>& shares,
           const std::optional<adapt::Scores>& scores) {
  if (!shown(arguments)) return;
  for (std::size_t r = 0; r < runs.models.size(); ++r) {
    std::cout << "step " << runs.models[r].step << " of " << runs.folders[r];
    if (agreements.size() > 1) {
      std::cout << ", agrees with the others for " << significant(100.0 * agreements[r], 3) << " %";
    }
    std::cout << '\n';
  }
  TextTable table({"class", "predicted"});
  for (std::size_t j = 0; j < shares.size(); ++j) {
    table.add({runs.classes().names[j], significant(shares[j], 3)});
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
  auto runs = load_runs(arguments.runs());
  const adapt::Classes& classes = runs.classes();
  LabelledInput data = arguments.data;
  data.weights = runs.weights;
  const auto points = load_labelled(data, arguments.points, arguments.common);
  const torch::Device device = choose_device(arguments.device);
  std::vector<adapt::Prediction> of_each;
  for (auto& model : runs.models) {
    model.to(device);
    of_each.push_back(model.predict(adapt::rows_of(points, model.form), device));
  }
  const auto prediction = adapt::mean_prediction(of_each);
  const auto agreements = adapt::agreements(of_each);
  const auto shares = predicted_shares(prediction.predicted, classes.size());
  std::optional<adapt::Scores> scores;
  if (points.labels) {
    scores = adapt::score(classes.indices_of(*points.labels), prediction.predicted, classes.size());
  }
  const std::string warning = warning_of(agreements);
  print(arguments, runs, agreements, shares, scores);
  if (!warning.empty() && shown(arguments)) std::cout << "- " << warning << '\n';
  if (!arguments.output.empty()) write_predictions(arguments.output, prediction, classes);
  Json result = start_result("predict", arguments.common);
  result["rows"] = points.size();
  result["step"] = runs.models.front().step;
  result["classes"] = classes.names;
  result["predicted_share"] = shares;
  result["pi_target_likely"] = likely_proportions(runs, of_each);
  if (of_each.size() > 1) {
    result["agreement"] = mean_of(agreements);
    result["agreement_of_each"] = agreements;
    result["warnings"] = warning.empty() ? Json::array() : Json::array({warning});
  }
  if (scores) add_scores(result, *scores, classes);
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
  command
      ->add_option("--with", arguments->others,
                   "More runs of the same task, from other seeds: their mean predicts, and how far "
                   "they agree is said")
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
