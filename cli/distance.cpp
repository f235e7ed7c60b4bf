// `nw distance X Y`: the Wasserstein distance of two data sets, with its certificate.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>

#include "nw/app/transport/bounds_chart.hpp"
#include "nw/app/transport/coupling_file.hpp"
#include "nw/app/transport/transport_record.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/ot/wasserstein.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/distance_cost.hpp"
#include "cli/distance_pairs.hpp"
#include "cli/dual.hpp"
#include "cli/exit_code.hpp"
#include "cli/field_options.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/report_option.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {
namespace {

using ot::WassersteinMethod;
using ot::WassersteinResult;

/// `nw_dual` measures W_N instead of W: it is not a method of the solver.
enum class DistanceMethod { automatic, exact, sinkhorn, sliced, nw_dual };

struct DistanceArguments {
  CommonOptions common;
  InputArguments inputs;
  DistanceMethod method = DistanceMethod::automatic;
  ot::WassersteinOptions solver;
  std::int64_t k = 0;                 ///< nw-dual: components
  std::optional<std::int64_t> steps;  ///< nw-dual: generator steps
  std::string plan, potentials;       ///< files to write; empty: none
  std::string page;                   ///< the same for a page
  std::string pairs, matrix;          ///< a folder whose files are compared with each other
  double stop_after = 0.0;            ///< seconds for the exact solver; 0: no limit
  app::CostOptions cost;              ///< of options that only other costs have
  std::string precision;
};

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

/// Options that say something about one way to measure only.
constexpr const char* kOfSolver[] = {
    "--time-limit", "--max-pivots",     "--epsilon", "--tolerance",  "--debiased",
    "--directions", "--max-iterations", "--plan",    "--potentials", "--gap"};
constexpr const char* kOfDual[] = {"--k", "--steps"};

/// Options that a matrix of distances has no use for.
constexpr const char* kOfOnePair[] = {"X", "Y", "--weights", "--by", "--method", "--report"};

/// Options that ask for other costs, and what does not fit those.
constexpr const char* kOfCost[] = {"--cost", "--exponent", "--precision", "--price"};
constexpr const char* kNotOfCost[] = {"--p",         "--method",         "--epsilon",
                                      "--tolerance", "--debiased",       "--directions",
                                      "--report",    "--max-iterations", "--pairs"};

bool other_cost(const CLI::App& command) {
  return std::ranges::any_of(kOfCost, [&](const char* name) { return command.count(name) > 0; });
}

/// Throws InvalidArgument for an option that the chosen method would ignore.
void check_fit(const CLI::App& command, const DistanceArguments& arguments) {
  require(command.count("--matrix") == 0 || !arguments.pairs.empty(), "--matrix needs --pairs");
  if (other_cost(command)) {
    for (const char* name : kNotOfCost) {
      require(command.count(name) == 0, name, " does not fit --cost",
              std::string_view(name) == "--p" ? "; its power is --exponent" : "");
    }
  }
  if (!arguments.pairs.empty()) {
    for (const char* name : kOfOnePair) {
      require(command.count(name) == 0, name, " does not fit --pairs");
    }
    for (const char* name : kOfSolver) {
      require(command.count(name) == 0, name, " does not fit --pairs");
    }
    return;
  }
  require(command.count("X") > 0, "X is missing: give two data sets, or a folder with --pairs");
  if (arguments.method == DistanceMethod::nw_dual) {
    for (const char* name : kOfSolver) {
      require(command.count(name) == 0, name, " does not fit --method nw-dual");
    }
    require(arguments.solver.p == 1, "--method nw-dual is there for --p 1 only");
    require(arguments.k > 0, "--method nw-dual needs --k N, the number of components");
  } else {
    for (const char* name : kOfDual) {
      require(command.count(name) == 0, name, " needs --method nw-dual");
    }
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
  const Stopwatch clock;
  Progress progress("distance", arguments.common.show_progress());
  ot::WassersteinOptions options = arguments.solver;
  options.exact.observer = [&](const ot::ExactProgress& now) {
    std::string text =
        concat("level ", now.level + 1, " of ", now.levels, ", ", now.pivots, " pivots");
    if (std::isfinite(now.gap)) text += concat(", gap ", significant(100.0 * now.gap, 2), " %");
    progress.update({}, text);
    const bool in_time = arguments.stop_after <= 0.0 || clock.seconds() <= arguments.stop_after;
    return in_time && !InterruptScope::requested();
  };
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

int run_other_cost(const DistanceArguments& arguments) {
  CostArguments cost{.common = arguments.common,
                     .inputs = arguments.inputs,
                     .cost = arguments.cost,
                     .precision = arguments.precision,
                     .plan = arguments.plan,
                     .potentials = arguments.potentials,
                     .stop_after = arguments.stop_after};
  cost.cost.exact = arguments.solver.exact;
  return run_cost(cost);
}

int run_distance(DistanceArguments& arguments) {
  if (!arguments.pairs.empty()) {
    return run_pairs({.common = arguments.common,
                      .inputs = arguments.inputs,
                      .folder = arguments.pairs,
                      .p = arguments.solver.p,
                      .matrix = arguments.matrix});
  }
  if (arguments.method == DistanceMethod::nw_dual) {
    return run_dual({.common = arguments.common,
                     .inputs = arguments.inputs,
                     .command = "distance",
                     .k = arguments.k,
                     .steps = arguments.steps,
                     .report = arguments.page});
  }
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

void add_solver_options(CLI::App& command, DistanceArguments& arguments) {
  add_choice<DistanceMethod>(command, "--method", arguments.method,
                             {{"auto", DistanceMethod::automatic},
                              {"exact", DistanceMethod::exact},
                              {"sinkhorn", DistanceMethod::sinkhorn},
                              {"sliced", DistanceMethod::sliced},
                              {"nw-dual", DistanceMethod::nw_dual}},
                             "auto takes exact wherever it is within reach; nw-dual is the "
                             "Normalized Wasserstein measure by Algorithm 1");
  add_field_options(command, arguments.solver);
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

}  // namespace

void add_distance(CLI::App& app, Context& context) {
  CLI::App* command =
      app.add_subcommand("distance", "Certified Wasserstein distance between two data sets");
  const auto arguments = std::make_shared<DistanceArguments>();
  add_input_arguments(*command, arguments->inputs, Sides::two);
  command->get_option("X")->required(false);  // --pairs has none
  arguments->inputs.raw_units = true;
  add_solver_options(*command, *arguments);
  command->add_option("--k", arguments->k, "nw-dual: number of components")->type_name("N");
  command->add_option("--steps", arguments->steps, "nw-dual: generator steps")->type_name("N");
  command
      ->add_option("--pairs", arguments->pairs,
                   "Distances between every two files of a folder instead of X and Y")
      ->type_name("FOLDER");
  command->add_option("--matrix", arguments->matrix, "pairs: write the matrix of distances")
      ->type_name("FILE.csv|.npy");
  command->add_option("--plan", arguments->plan, "Write the optimal plan: source, target, mass")
      ->type_name("FILE.csv|.npz");
  command->add_option("--potentials", arguments->potentials, "Write the dual potentials f and g")
      ->type_name("FILE.csv|.npz");
  add_cost_options(*command, *arguments);
  add_report_option(*command, arguments->page);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw distance before.csv after.csv\n"
      "  nw distance x.npy y.npy --p 2 --json -\n"
      "  nw distance before.csv after.csv --columns age,income --weight-column count\n"
      "  nw distance x.npz y.npz --array features --method sliced --directions 1000\n"
      "  nw distance x.csv y.csv --plan plan.csv --potentials potentials.npz\n"
      "  nw distance x.npy y.npy --gap 1e-3 --time-limit 60 --method exact\n"
      "  nw distance x.npy y.npy --cost cityblock --exponent 1.5\n"
      "  nw distance x.csv y.csv --cost euclidean --price 2\n"
      "  nw distance --pairs samples/ --p 2 --matrix distances.csv\n"
      "  nw distance before.csv after.csv --method nw-dual --k 4\n"
      "Exit code 4: the answer is not certified (a limit, or Ctrl-C); bounds hold all the same.");
  command->callback([arguments, command, &context] {
    context.action = [arguments, command] {
      check_fit(*command, *arguments);
      if (command->count("--time-limit") > 0) arguments->stop_after = arguments->solver.time_limit;
      return other_cost(*command) ? run_other_cost(*arguments) : run_distance(*arguments);
    };
  });
}

}  // namespace nw::cli
