// `nw reproduce ID`: one table or figure of the paper, its numbers beside ours.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/record/start_record.hpp"
#include "nw/report/html_report.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/option_names.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/report_option.hpp"
#include "experiments/experiment_table.hpp"

namespace nw::cli {

using namespace experiments;
namespace {

struct ReproduceArguments {
  CommonOptions common;
  std::string id;
  int seeds = 5;
  bool quick = false, full = false, list = false;
  std::string only, method;
  std::string data, runs, device = "auto";
  std::vector<std::string> changes;
  double minutes = 0.0;
  std::optional<double> train_seconds;
  std::string report;
};

void print_list() {
  for (const Experiment& experiment : all_experiments()) {
    std::cout << experiment.id << "  " << experiment.title << '\n';
  }
}

void print(const Experiment& experiment, const ExperimentResult& result, bool quiet) {
  if (!quiet) std::cout << experiment.title << '\n';
  std::cout << table_of(result).text();
  if (quiet) return;
  for (const std::string& note : result.notes) std::cout << "- " << note << '\n';
}

Json to_json(const ReproduceArguments& arguments, const ExperimentResult& result, double seconds) {
  Json json = start_result("reproduce", arguments.common);
  json["id"] = arguments.id;
  json["quick"] = arguments.quick;
  json["seeds"] = arguments.seeds;
  json["rows"] = rows_json(result);
  for (const auto& [name, value] : result.config) json["config"][name] = value;
  if (!arguments.changes.empty()) json["config"]["changed"] = arguments.changes;
  json["notes"] = result.notes;
  json["seconds"] = seconds;
  return json;
}

int run_reproduce(const ReproduceArguments& arguments) {
  if (arguments.list) {
    print_list();
    return kDone;
  }
  require(!arguments.id.empty(), "nw reproduce needs the ID of an experiment; --list shows them");
  require(arguments.seeds >= 1, "--seeds must be at least 1, got ", arguments.seeds);
  const Experiment experiment = find_experiment(arguments.id);
  const ExperimentRun run = find_method(experiment, arguments.method);
  require(arguments.changes.empty() || experiment.has_settings, "--set: ", experiment.id,
          " has no settings to change");
  require_writable(arguments.common.json);
  require_writable(arguments.report);

  const InterruptScope interrupt;
  const Stopwatch clock;
  ExperimentSettings settings{.quick = arguments.quick,
                              .full = arguments.full,
                              .only = arguments.only,
                              .method = arguments.method,
                              .data = arguments.data,
                              .device = arguments.device,
                              .runs = arguments.runs,
                              .changes = arguments.changes,
                              .seconds = arguments.train_seconds,
                              .threads = arguments.common.threads};
  for (int s = 0; s < arguments.seeds; ++s) {
    settings.seeds.push_back(arguments.common.seed + static_cast<std::uint64_t>(s));
  }
  ExperimentResult result;
  {
    Progress progress(arguments.id, arguments.common.show_progress());
    settings.progress = [&](double fraction, const std::string& what) {
      progress.update(fraction, what);
      const bool late = arguments.minutes > 0.0 && clock.seconds() > 60.0 * arguments.minutes;
      return !late && !InterruptScope::requested();
    };
    result = run(settings);
  }
  for (std::string& note : result.notes) note = with_option_names(note);
  if (arguments.common.human_output()) print(experiment, result, arguments.common.quiet);
  write_result(arguments.common, to_json(arguments, result, clock.seconds()));
  if (!arguments.report.empty() && result.page) {
    result.page->created =
        record::start_record(result.page->kind, "reproduce", arguments.common.seed).created;
    std::vector<record::RunRecord> pages{*result.page};
    pages.insert(pages.end(), result.more_pages.begin(), result.more_pages.end());
    report::write_html(arguments.report, pages);
  }
  return result.interrupted ? kNotConverged : kDone;
}

}  // namespace

void add_reproduce(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand(
      "reproduce", "Reproduce a table or figure of the paper, with its numbers beside ours");
  const auto arguments = std::make_shared<ReproduceArguments>();
  command->add_option("ID", arguments->id, "Which one: see --list");
  command->add_option("--seeds", arguments->seeds, "Runs, from --seed on")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--quick", arguments->quick, "A small version, in seconds");
  command->add_flag("--full", arguments->full, "At the paper's length where ours is shorter");
  command->add_option("--only", arguments->only, "One method of the table")->type_name("NAME");
  command
      ->add_option("--method", arguments->method,
                   "choose-k: fit components to the data (primal) or train models (gan); visda, "
                   "pacs: features of a network as it is (frozen) or fine-tuned (fine-tune)")
      ->type_name("NAME");
  command
      ->add_option("--data", arguments->data, "Folder of data sets; default: where nw data writes")
      ->type_name("FOLDER");
  command
      ->add_option("--runs", arguments->runs,
                   "Keep every run here: what is finished is not run again, what was stopped goes "
                   "on, what another process works on is left to it")
      ->type_name("FOLDER");
  command->add_option("--minutes", arguments->minutes, "Stop after this time; 0: never")
      ->type_name("X")
      ->capture_default_str();
  command
      ->add_option("--train-seconds", arguments->train_seconds,
                   "cifar10, cifar-celeba: training time of each run")
      ->type_name("X")
      ->check(CLI::PositiveNumber);
  command->add_option("--device", arguments->device, "Where networks learn")
      ->type_name("auto|cpu|cuda")
      ->capture_default_str();
  command
      ->add_option("--set", arguments->changes,
                   "Change a setting of every recipe, as in nw adapt; the result says so")
      ->type_name("NAME=VALUE");
  command->add_flag("--list", arguments->list, "List what can be reproduced");
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw reproduce --list\n"
      "  nw reproduce comparison --seeds 5 --json comparison.json\n"
      "  nw reproduce choose-k --method gan --seeds 1\n"
      "  nw reproduce title-figure --quick --report couplings.html\n"
      "  nw reproduce mnistm-imbalanced --data pack --runs table --only 'nw best 3' --minutes 9");
  command->callback([arguments, &context] {
    context.action = [arguments] { return run_reproduce(*arguments); };
  });
}

}  // namespace nw::cli
