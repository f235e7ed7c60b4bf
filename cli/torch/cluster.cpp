// `nw cluster` where it learns: --method nw, and --assign NEWDATA to the clusters of a run.
#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/app/clustering/adversarial/cluster_points.hpp"
#include "nw/app/learning/run_columns.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

#include "app/compare/data_units.hpp"
#include "cli/cluster/arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/join_team.hpp"
#include "cli/print_record.hpp"
#include "cli/progress_observer.hpp"
#include "cli/torch/run_options.hpp"

namespace nw::cli {

using app::ClusterMethod;
namespace {

void print_assignment(const ClusterArguments& arguments, const Json& result) {
  if (!arguments.common.human_output()) return;
  const auto shares = result.at("shares").get<std::vector<double>>();
  if (arguments.common.quiet) {
    for (const double share : shares) std::cout << significant(share) << '\n';
    return;
  }
  std::cout << result.at("rows") << " points go to the " << shares.size() << " clusters of "
            << arguments.run << " in shares " << percentages(shares) << ".\n";
  if (!result.contains("purity")) return;
  std::cout << "purity " << significant(result.at("purity").get<double>()) << ", NMI "
            << significant(result.at("nmi").get<double>()) << ", ARI "
            << significant(result.at("ari").get<double>()) << '\n';
}

}  // namespace

int run_learning_cluster(const ClusterArguments& arguments) {
  ClusterMethod method = arguments.options.method;
  Team* const team = join_team();
  if (leads(team)) require_writable_results(arguments);
  if (method == ClusterMethod::nw) static_cast<void>(checked_options(arguments, method));
  const Inputs inputs = load_inputs(arguments.inputs, arguments.common);
  if (method == ClusterMethod::automatic) {
    method = app::choose_method(inputs.x, arguments.options, /*can_learn=*/true);
  }
  const auto options = checked_options(arguments, method);
  const InterruptScope interrupt;
  const auto observer = training_observer(arguments.common.show_progress() && leads(team));
  auto [result, record, finished_before] = app::cluster_points(
      inputs.x, options, app::keeping_columns(leads(team) ? arguments.run : "", inputs, observer),
      {.folder = run_folder(arguments),
       .files = {.data = arguments.inputs.x, .assignments = arguments.assignments},
       .team = team});
  if (finished_before) {
    if (!leads(team)) return kDone;
    app::complete_record(inputs, record);
    print_finished_run(arguments.common, arguments.run);
    write_result(arguments.common, record);
    return kDone;
  }
  if (result.pi.empty()) return kNotConverged;
  if (!leads(team)) return result.converged ? kDone : kNotConverged;
  if (!arguments.tree.empty()) app::write_tree(arguments.tree, inputs.x, options);
  if (!arguments.report.empty() && !record.figure) app::draw_clusters(inputs.x, result, record);
  app::complete_record(inputs, record);
  return report_clusters(arguments, inputs, result, record);
}

int run_assign(const ClusterArguments& arguments) {
  require(!arguments.run.empty(), "--assign needs --run, the clusters to assign to");
  require(arguments.inputs.x.empty(), "--assign NEWDATA: DATA is that of the run, give it no more");
  require_writable_results(arguments);
  const auto model = app::load_cluster_model(arguments.run);
  io::LoadOptions load = arguments.inputs.points.load;
  load.threads = arguments.common.threads;
  const auto points = app::load_like(app::columns_of_run(arguments.run), arguments.assign, load);
  if (points.dimension() != model->dimension()) {
    throw IoError(concat(arguments.assign, ": rows of ", points.dimension(),
                         " values, the run knows rows of ", model->dimension()));
  }
  const auto assignment = model->assign(points.values, {.rule = arguments.options.rule,
                                                        .threads = arguments.common.threads,
                                                        .device = arguments.device});
  std::vector<double> shares(model->pi().size(), 0.0);
  for (const auto cluster : assignment.cluster) {
    shares[cluster] += 1.0 / static_cast<double>(points.size());
  }
  Json result = start_result("cluster", arguments.common);
  result["run"] = arguments.run;
  result["rows"] = points.size();
  result["k"] = shares.size();
  result["pi"] = model->pi();
  result["shares"] = shares;
  if (const auto scores = app::agreement_with_classes(points, assignment.cluster)) {
    result.update(Json{{"purity", scores->purity}, {"nmi", scores->nmi}, {"ari", scores->ari}});
  }
  if (!arguments.assignments.empty()) {
    app::write_assignments(arguments.assignments, assignment.cluster, assignment.confidence());
    result["assignments"] = arguments.assignments;
  }
  print_assignment(arguments, result);
  write_result(arguments.common, result);
  return kDone;
}

}  // namespace nw::cli
