// `nw cluster --run RUN --assign NEWDATA`: new points into clusters that a run has found.
#include <iostream>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/gan/gan_model.hpp"

#include "app/clustering/adversarial/cluster_rule.hpp"
#include "app/clustering/adversarial/training.hpp"
#include "app/learning/session.hpp"
#include "cli/cluster/clusters.hpp"
#include "cli/cluster/feature_file.hpp"
#include "cli/exit_code.hpp"
#include "cli/text_table.hpp"

namespace nw::cli {

using namespace app;
namespace {

/// What a finished run says about its clusters.
struct Found {
  gan::TrainedModel model;
  gan::InversionOptions inversion;
  ClusterRule rule = ClusterRule::nearest;
  std::uint64_t seed = 0;
  std::vector<std::size_t> order;
  std::vector<double> pi;
  double temperature = 0.0;
  bool mapped = false;
};

Found load_found(const std::string& run) {
  const auto config = nlohmann::json::parse(run::read_config(run));
  if (config.value("command", "") != "cluster") {
    throw IoError(concat(run, ": is no run of nw cluster"));
  }
  if (!std::filesystem::exists(std::filesystem::path(run) / "result.json")) {
    throw IoError(concat(run, ": is not finished; --resume goes on"));
  }
  Found found;
  try {
    const auto extra = nlohmann::json::parse(record::read_record(run).extra);
    const auto start = extra.at("start").get<std::size_t>();
    found.order = extra.at("order").get<std::vector<std::size_t>>();
    found.pi = extra.at("pi").get<std::vector<double>>();
    found.temperature = extra.at("temperature").get<double>();
    found.inversion.price = config.at("price").get<double>();
    found.rule = config.at("rule") == to_string(ClusterRule::recognised) ? ClusterRule::recognised
                                                                         : ClusterRule::nearest;
    found.seed = config.at("seed").get<std::uint64_t>();
    found.mapped = config.at("features") == "diffusion";
    found.model = gan::load_model(start_folder(run, start - 1), config.at("model").dump());
  } catch (const nlohmann::json::exception& error) {
    throw IoError(concat(run, ": result.json tells of no clusters: ", error.what()));
  }
  return found;
}

}  // namespace

int run_assign(const ClusterArguments& arguments) {
  require(!arguments.run.empty(), "--assign needs --run, the clusters to assign to");
  require(arguments.inputs.x.empty(), "--assign NEWDATA: DATA is that of the run, give it no more");
  start_learning(arguments.common.threads);
  Found found = load_found(arguments.run);
  if (arguments.rule != ClusterRule::automatic) {
    found.rule = rule_for(arguments.rule, arguments.recipe, found.model.generator->options());
  }
  InputArguments input = arguments.inputs;
  input.x = arguments.assign;
  const Inputs inputs = load_inputs(input, arguments.common);
  const io::PointSet& points = inputs.x;
  FeatureSpace space;
  if (found.mapped) {
    space.map = read_features(feature_file(arguments.run));
    if (points.dimension() != space.map->axes.mean.size()) {
      throw IoError(concat(arguments.assign, ": rows of ", points.dimension(),
                           " values, the run knows rows of ", space.map->axes.mean.size()));
    }
    space.mapped = space.map->place(points.values, arguments.common.threads);
  } else if (points.dimension() != found.model.normalisation.shift.size()) {
    throw IoError(concat(arguments.assign, ": rows of ", points.dimension(),
                         " values, the run knows rows of ",
                         found.model.normalisation.shift.size()));
  }
  const torch::Device device = choose_device(arguments.device);
  found.model.generator->to(device);
  std::vector<double> pi_of_component(found.pi.size());
  for (std::size_t r = 0; r < found.order.size(); ++r) {
    pi_of_component.at(found.order[r]) = found.pi[r];
  }
  auto assignment = assign_rows({.generator = *found.model.generator,
                                 .pi = pi_of_component,
                                 .rows = found.model.normalisation.to_network(space.of(points)),
                                 .rule = found.rule,
                                 .inversion = found.inversion,
                                 .temperature = found.temperature,
                                 .seed = found.seed});
  reorder(assignment, found.order);
  const Clusters clusters{
      .pi = found.pi, .assignment = assignment.component_of, .confidence = assignment.confidence};
  std::vector<double> shares(found.pi.size(), 0.0);
  for (const auto cluster : clusters.assignment) {
    shares[cluster] += 1.0 / static_cast<double>(points.size());
  }
  Json result = start_result("cluster", arguments.common);
  result["run"] = arguments.run;
  result["rows"] = points.size();
  result["k"] = shares.size();
  result["pi"] = found.pi;
  result["shares"] = shares;
  const auto scores = score(points, clusters);
  if (scores) {
    result.update(Json{{"purity", scores->purity}, {"nmi", scores->nmi}, {"ari", scores->ari}});
  }
  if (!arguments.assignments.empty()) {
    write_assignments(arguments.assignments, clusters);
    result["assignments"] = arguments.assignments;
  }
  if (arguments.common.human_output() && arguments.common.quiet) {
    for (const double share : shares) std::cout << significant(share) << '\n';
  } else if (arguments.common.human_output()) {
    std::cout << points.size() << " points go to the " << shares.size() << " clusters of "
              << arguments.run << " in shares";
    for (std::size_t j = 0; j < shares.size(); ++j) {
      std::cout << (j == 0 ? " " : ", ") << significant(100.0 * shares[j], 3) << " %";
    }
    std::cout << ".\n";
    if (scores) {
      std::cout << "purity " << significant(scores->purity) << ", NMI " << significant(scores->nmi)
                << ", ARI " << significant(scores->ari) << '\n';
    }
  }
  write_result(arguments.common, result);
  return kDone;
}

}  // namespace nw::cli
