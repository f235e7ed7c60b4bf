// `nw certify X Y --plan FILE`: how far anyone's transport plan is from the optimum.
#include "nw/ot/certify.hpp"

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "nw/app/transport/coupling_file.hpp"
#include "nw/app/transport/transport_record.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {
namespace {

struct CertifyArguments {
  CommonOptions common;
  InputArguments inputs;
  std::string plan;
  int p = 1;
  double gap = 0.0, time_limit = 0.0;
};

ot::PlanCertificate certify_plan(const CertifyArguments& arguments, const Inputs& inputs,
                                 const std::vector<ot::Flow>& plan) {
  const InterruptScope interrupt;
  const Stopwatch clock;
  Progress progress("certify", arguments.common.show_progress());
  ot::ExactOptions options;
  options.threads = arguments.common.threads;
  options.gap = arguments.gap;
  options.observer = [&](const ot::ExactProgress& now) {
    progress.update(
        {}, concat("level ", now.level + 1, " of ", now.levels, ", ", now.pivots, " pivots"));
    const bool in_time = arguments.time_limit <= 0.0 || clock.seconds() <= arguments.time_limit;
    return in_time && !InterruptScope::requested();
  };
  const ot::PointProblem problem{
      weighted(inputs.x), weighted(inputs.y),
      arguments.p == 1 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean};
  return ot::certify(problem, plan, options);
}

void print(const CertifyArguments& arguments, const ot::PlanCertificate& found,
           std::size_t entries) {
  if (!arguments.common.human_output()) return;
  if (arguments.common.quiet) {
    std::cout << significant(found.gap(), 6) << '\n';
    return;
  }
  const char* power = arguments.p == 1 ? "W1" : "W2^2";
  std::cout << app::certificate_sentence(found) << '\n'
            << "plan: " << entries << " entries of mass " << significant(found.mass, 9) << ", cost "
            << significant(found.cost, 12) << '\n'
            << "marginals: off by " << significant(found.source_error, 3) << " in X and "
            << significant(found.target_error, 3) << " in Y, at most "
            << significant(found.largest_error, 3) << " at a point";
  if (found.negative > 0.0) std::cout << "; negative mass " << significant(found.negative, 3);
  std::cout << '\n'
            << power << " lies between " << significant(found.lower_bound, 12) << " and "
            << significant(found.upper_bound, 12) << '\n';
}

int run_certify(const CertifyArguments& arguments) {
  require_writable(arguments.common.json);
  require(arguments.gap >= 0.0 && arguments.gap < 1.0, "--gap must lie in [0, 1), got ",
          arguments.gap);
  const Inputs inputs = load_any_inputs(arguments.inputs, arguments.common);
  const auto plan = app::read_plan(arguments.plan, inputs.x.size(), inputs.y.size());
  const Stopwatch clock;
  const ot::PlanCertificate found = certify_plan(arguments, inputs, plan);
  print(arguments, found, plan.size());
  print_cost(arguments.common, clock.seconds());
  auto record = app::certificate_record(
      {.inputs = inputs, .x = arguments.inputs.x, .y = arguments.inputs.y},
      {.file = arguments.plan, .entries = plan.size(), .p = arguments.p}, found);
  record.seeds = {arguments.common.seed};
  record.seconds = clock.seconds();
  record.peak_rss_mb = peak_rss_mb();
  write_result(arguments.common, record);
  return record.converged ? kDone : kNotConverged;
}

}  // namespace

void add_certify(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("certify", "Check how far any transport plan is from the optimum");
  const auto arguments = std::make_shared<CertifyArguments>();
  add_input_arguments(*command, arguments->inputs, Sides::two);
  arguments->inputs.raw_units = true;
  command
      ->add_option("--plan", arguments->plan,
                   "Plan: columns source, target, mass with rows from 0, or a matrix of masses")
      ->type_name("FILE.csv|.npz|.npy")
      ->required();
  add_choice<int>(*command, "--p", arguments->p, {{"1", 1}, {"2", 2}},
                  "Cost of moving: the distance, or its square");
  command
      ->add_option("--gap", arguments->gap, "Stop when the bounds are this near, relative to W^p")
      ->type_name("X")
      ->capture_default_str();
  command->add_option("--time-limit", arguments->time_limit, "Seconds for the bounds; 0: no limit")
      ->type_name("X")
      ->capture_default_str();
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw certify x.npy y.npy --plan sinkhorn.npy --p 2\n"
      "  nw certify before.csv after.csv --plan plan.csv --json -\n"
      "Exit code 4: the bounds are not final (time limit, or Ctrl-C).");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_certify(*arguments); }; });
}

}  // namespace nw::cli
