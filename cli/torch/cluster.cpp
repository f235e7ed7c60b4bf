// `nw cluster` where it learns: --method nw, and --assign NEWDATA to the clusters of a run.
#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/app/clustering/adversarial/cluster_points.hpp"
#include "nw/app/clustering/assign_points.hpp"
#include "nw/app/learning/run_columns.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"

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

void print_assignment(const ClusterArguments& arguments, const app::AssignedPoints& assigned) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    for (const double share : assigned.shares) std::cout << significant(share) << '\n';
    return;
  }
  std::cout << assigned.assignment.cluster.size() << " points go to the " << assigned.shares.size()
            << " clusters of " << arguments.run << " in shares " << percentages(assigned.shares)
            << ".\n";
  if (!assigned.agreement) return;
  const cluster::Agreement& scores = *assigned.agreement;
  std::cout << "purity " << significant(scores.purity) << ", NMI " << significant(scores.nmi)
            << ", ARI " << significant(scores.ari) << '\n';
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
  auto clustering = app::cluster_points(
      inputs.x, options, app::keeping_columns(leads(team) ? arguments.run : "", inputs, observer),
      {.folder = run_folder(arguments),
       .files = {.data = arguments.inputs.x, .assignments = arguments.assignments},
       .team = team});
  if (clustering.finished_before) {
    if (!leads(team)) return kDone;
    app::complete_clustering(inputs, options, {}, clustering);
    print_finished_run(arguments.common, arguments.run);
    write_result(arguments.common, clustering.record);
    return kDone;
  }
  if (clustering.result.pi.empty()) return kNotConverged;
  if (!leads(team)) return clustering.result.converged ? kDone : kNotConverged;
  return report_clusters(arguments, inputs, options, clustering);
}

int run_assign(const ClusterArguments& arguments) {
  require(!arguments.run.empty(), "--assign needs --run, the clusters to assign to");
  require(arguments.inputs.x.empty(), "--assign NEWDATA: DATA is that of the run, give it no more");
  require_writable_results(arguments);
  const auto model = app::load_cluster_model(arguments.run);
  io::LoadOptions load = arguments.inputs.points.load;
  load.threads = arguments.common.threads;
  const auto points = app::load_like(app::columns_of_run(arguments.run), arguments.assign, load);
  const auto assigned = app::assign_points(*model, points,
                                           {.rule = arguments.options.rule,
                                            .threads = arguments.common.threads,
                                            .device = arguments.device});
  Json result = start_result("cluster", arguments.common);
  result["run"] = arguments.run;
  result.update(Json::parse(app::assignment_fields(*model, assigned)));
  if (!arguments.assignments.empty()) {
    app::write_assignments(arguments.assignments, assigned.assignment.cluster,
                           assigned.assignment.confidence());
    result["assignments"] = arguments.assignments;
  }
  print_assignment(arguments, assigned);
  write_result(arguments.common, result);
  return kDone;
}

}  // namespace nw::cli
