#include "cli/distance/one_pair.hpp"

#include <iostream>

#include "nw/app/transport/bounds_chart.hpp"
#include "nw/app/transport/coupling_file.hpp"
#include "nw/app/transport/transport_record.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"

#include "cli/distance/watch_exact.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/report_option.hpp"

namespace nw::cli {
namespace {

using ot::WassersteinMethod;
using ot::WassersteinResult;

WassersteinMethod solver_method(DistanceMethod method) {
  switch (method) {
    case DistanceMethod::exact:
      return WassersteinMethod::exact;
    case DistanceMethod::sinkhorn:
      return WassersteinMethod::sinkhorn;
    case DistanceMethod::sliced:
      return WassersteinMethod::sliced;
    default:
      return WassersteinMethod::automatic;
  }
}

void check_arguments(DistanceArguments& arguments) {
  arguments.solver.method = solver_method(arguments.method);
  const bool needs_exact = !arguments.plan.empty() || !arguments.potentials.empty();
  auto& method = arguments.solver.method;
  if (needs_exact && method == WassersteinMethod::automatic) method = WassersteinMethod::exact;
  require(!needs_exact || method == WassersteinMethod::exact,
          "--plan and --potentials need --method exact, got ", to_string(method));
  for (const auto& file :
       {arguments.common.json, arguments.plan, arguments.potentials, arguments.page})
    require_writable(file);
  arguments.solver.threads = arguments.common.threads;
  arguments.solver.seed = arguments.common.seed;
  arguments.solver.validate();
}

WassersteinResult solve(const Inputs& inputs, const DistanceArguments& arguments) {
  const InterruptScope interrupt;
  Progress progress("distance", arguments.common.show_progress());
  ot::WassersteinOptions options = arguments.solver;
  options.exact.observer = watch_exact(progress, arguments.stop_after);
  options.sinkhorn.observer = [&](const ot::SinkhornProgress& now) {
    progress.update({}, concat("iteration ", now.iterations, ", marginal error ",
                               significant(now.marginal_error, 2)));
    return !InterruptScope::requested();
  };
  return wasserstein(weighted(inputs.x), weighted(inputs.y), options);
}

void print(const DistanceArguments& arguments, const WassersteinResult& result) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    std::cout << app::exact_text(result.distance) << '\n';
    return;
  }
  std::cout << app::distance_headline(result, arguments.solver.p) << '\n'
            << to_string(result.method) << ": " << result.reason << '\n'
            << app::distance_certificate(result, arguments.solver.p) << '\n'
            << significant(result.seconds, 3) << " s, " << significant(peak_rss_mb(), 3) << " MB\n";
}

}  // namespace

int run_one_pair(DistanceArguments& arguments) {
  check_arguments(arguments);
  const Stopwatch load_clock;
  const Inputs inputs = load_any_inputs(arguments.inputs, arguments.common);
  const double load_seconds = load_clock.seconds();
  const WassersteinResult result = solve(inputs, arguments);
  print(arguments, result);
  print_description(arguments.inputs, arguments.common, inputs);
  auto record =
      app::distance_record({.inputs = inputs, .x = arguments.inputs.x, .y = arguments.inputs.y},
                           arguments.solver, result, load_seconds);
  record.peak_rss_mb = peak_rss_mb();
  for (const std::string& warning : record.warnings) print_warning(arguments.common, warning);
  write_result(arguments.common, record);
  if (!arguments.page.empty()) {
    app::draw_plan(inputs, result, record);
    app::draw_bounds(result, arguments.solver.p, record);
    write_page(arguments.page, record);
  }
  if (!arguments.plan.empty()) app::write_plan(arguments.plan, result.transport);
  if (!arguments.potentials.empty()) app::write_potentials(arguments.potentials, result.transport);
  return result.converged ? kDone : kNotConverged;
}

}  // namespace nw::cli
