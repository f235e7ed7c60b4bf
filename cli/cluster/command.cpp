// `nw cluster DATA`: which points belong together, and how large each group is.
#include <memory>

#include "nw/app/clustering/sure_table.hpp"
#include "nw/base/error.hpp"

#include "cli/cluster/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/hand_over.hpp"
#include "cli/interrupt.hpp"
#include "cli/measure_options.hpp"
#include "cli/option_names.hpp"
#include "cli/output_file.hpp"
#include "cli/print_record.hpp"
#include "cli/progress_observer.hpp"
#include "cli/report_option.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {

using app::ClusterMethod;
namespace {

int run_cluster(const ClusterArguments& arguments) {
  if (!arguments.assign.empty()) return run_assign(arguments);
  require(!arguments.inputs.x.empty(), "nw cluster: say which points: DATA");
  const auto method = arguments.options.method;
  const bool may_learn =
      method == ClusterMethod::automatic && can_learn() &&
      (arguments.options.asks_to_learn() || !app::surely_a_table(arguments.inputs.x));
  if (method == ClusterMethod::nw || may_learn) return run_learning_cluster(arguments);
  require_writable_results(arguments);
  // A wrong option is reported before the data are read, as far as it can be.
  static_cast<void>(checked_options(
      arguments, method == ClusterMethod::automatic ? ClusterMethod::evidence : method));
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  auto options = checked_options(
      arguments, method == ClusterMethod::automatic
                     ? app::choose_method(inputs.x, arguments.options, /*can_learn=*/false)
                     : method);
  const InterruptScope interrupt;
  auto clustering = app::cluster_without_learning(
      inputs.x, options, training_observer(arguments.common.show_progress()),
      {.data = arguments.inputs.x, .assignments = arguments.assignments});
  if (clustering.result.pi.empty()) return kNotConverged;
  return report_clusters(arguments, inputs, options, clustering);
}

}  // namespace

void require_writable_results(const ClusterArguments& arguments) {
  for (const auto& file :
       {arguments.common.json, arguments.assignments, arguments.tree, arguments.report}) {
    require_writable(file);
  }
}

app::ClusteringOptions checked_options(const ClusterArguments& arguments, ClusterMethod method) {
  app::ClusteringOptions options = arguments.options;
  options.method = method;
  options.k = parse_components(arguments.k);
  options.seed = arguments.common.seed;
  options.threads = arguments.common.threads;
  options.device = arguments.device;
  const auto given = [&](const std::string& name) {
    return arguments.command->get_option(name)->count() > 0;
  };
  options.for_each_field([&](const OptionField& field, const auto&) {
    const std::string setting = setting_name(field);
    if (setting.empty() || field.applies) return;
    require(!given("--" + setting), "--", setting, " belongs to --method ",
            setting == "shape" ? "gmm" : "nw");
  });
  require(method == ClusterMethod::nw || arguments.run.empty(), "--run belongs to --method nw");
  static_cast<void>(run_folder(arguments));  // refuses --resume without --run
  return options;
}

int report_clusters(const ClusterArguments& arguments, const Inputs& inputs,
                    const app::ClusteringOptions& options, app::Clustering& clustering) {
  app::complete_clustering(
      inputs, options, {.tree = arguments.tree, .figure = !arguments.report.empty()}, clustering);
  name_options(clustering.record);
  const auto& [result, record, finished_before] = clustering;
  print_record(arguments.common, record);
  print_description(arguments.inputs, arguments.common, inputs);
  print_cost(arguments.common, record.seconds);
  if (!arguments.assignments.empty()) {
    app::write_assignments(arguments.assignments, result.assignment, result.confidence,
                           result.noise);
  }
  write_result(arguments.common, record);
  write_page(arguments.report, record);
  return record.converged ? kDone : kNotConverged;
}

void add_cluster(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("cluster", "Find clusters, including very uneven ones");
  const auto arguments = std::make_shared<ClusterArguments>();
  arguments->command = command;
  command->add_option("DATA", arguments->inputs.x,
                      "Data: a table (CSV, Parquet, JSON, ...), NPY, NPZ, idx, images");
  command->add_option("--k", arguments->k, "Number of clusters, or auto to choose it")
      ->type_name("N|auto")
      ->capture_default_str();
  add_field_options(*command, arguments->options);
  arguments->options.for_each_learning_field([&](const OptionField& field, const auto&) {
    command->get_option("--" + setting_name(field))->group("Learning (--method nw)");
  });
  command
      ->add_option("--labels", arguments->inputs.points.load.labels_file,
                   "Classes of the points, for purity, NMI and ARI")
      ->type_name("FILE");
  command->add_option("-o,--assignments", arguments->assignments, "Write the cluster of each point")
      ->type_name("FILE.csv");
  command
      ->add_option("--tree", arguments->tree,
                   "Write the hierarchy of the points as SciPy's linkage matrix")
      ->type_name("FILE.csv");
  add_run_options(*command, *arguments, "Run directory: every start, model, result");
  command
      ->add_option("--assign", arguments->assign,
                   "Assign these new points to the clusters of the run in --run")
      ->type_name("NEWDATA");
  add_point_options(*command, arguments->inputs.points);
  add_table_options(*command, arguments->inputs.points);
  add_report_option(*command, arguments->report);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw cluster points.csv --k 3 -o clusters.csv --report page.html\n"
      "  nw cluster points.csv --k auto --noise --tree tree.csv\n"
      "  nw cluster points.csv --label-column species --k 3 --method gmm --json -\n"
      "  nw cluster digits-idx3-ubyte.gz --k 3 --method nw --run digits -o clusters.csv\n"
      "  nw cluster --run digits --assign more-digits-idx3-ubyte.gz -o more.csv\n"
      "Exit code 4: stopped before it converged (iteration limit, or Ctrl-C).");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_cluster(*arguments); }; });
}

}  // namespace nw::cli
