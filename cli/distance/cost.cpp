#include "cli/distance/cost.hpp"

#include <iostream>

#include "nw/app/transport/coupling_file.hpp"
#include "nw/base/stopwatch.hpp"

#include "cli/distance/watch_exact.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"

namespace nw::cli {
namespace {

app::TransportCost solve(const Inputs& inputs, const DistanceArguments& arguments) {
  const InterruptScope interrupt;
  Progress progress("distance", arguments.common.show_progress());
  app::CostOptions options = arguments.cost;
  options.exact = arguments.solver.exact;
  options.exact.threads = arguments.common.threads;
  options.exact.observer = watch_exact(progress, arguments.stop_after);
  return app::transport_cost(weighted(inputs.x), weighted(inputs.y), options);
}

void print(const DistanceArguments& arguments, const app::TransportCost& result) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    std::cout << app::exact_text(result.value) << '\n';
    return;
  }
  std::cout << app::cost_headline(result, arguments.cost) << '\n'
            << app::cost_certificate(result) << '\n';
}

}  // namespace

int run_cost(DistanceArguments& arguments) {
  for (const auto& file : {arguments.common.json, arguments.plan, arguments.potentials}) {
    require_writable(file);
  }
  const Stopwatch load_clock;
  const Inputs inputs = load_any_inputs(arguments.inputs, arguments.common);
  if (!arguments.precision.empty()) {
    arguments.cost.precision = app::read_precision(arguments.precision, inputs.x.values.cols());
  }
  const double load_seconds = load_clock.seconds();
  const app::TransportCost result = solve(inputs, arguments);
  print(arguments, result);
  print_cost(arguments.common, result.seconds);
  print_description(arguments.inputs, arguments.common, inputs);
  auto record =
      app::cost_record({.inputs = inputs, .x = arguments.inputs.x, .y = arguments.inputs.y},
                       arguments.cost, result, load_seconds);
  record.peak_rss_mb = peak_rss_mb();
  write_result(arguments.common, record);
  const ot::TransportResult& transport = result.found.transport;
  if (!arguments.plan.empty()) app::write_plan(arguments.plan, transport);
  if (!arguments.potentials.empty()) app::write_potentials(arguments.potentials, transport);
  return result.converged ? kDone : kNotConverged;
}

void add_cost_options(CLI::App& command, DistanceArguments& arguments) {
  using ot::Metric;
  add_choice<Metric>(command, "--cost", arguments.cost.metric,
                     {{"euclidean", Metric::euclidean},
                      {"cityblock", Metric::cityblock},
                      {"chebyshev", Metric::chebyshev},
                      {"cosine", Metric::cosine}},
                     "Least cost under this distance, exactly, instead of W1 or W2");
  command
      .add_option("--exponent", arguments.cost.exponent, "cost: power of the distance, from 1 to 2")
      ->type_name("X")
      ->capture_default_str();
  command
      .add_option("--precision", arguments.precision,
                  "cost: matrix of a Mahalanobis distance, such as the inverse of a covariance")
      ->type_name("FILE");
  command
      .add_option("--price", arguments.cost.price,
                  "cost: mass may be left, at this price a unit at either end")
      ->type_name("X");
}

}  // namespace nw::cli
