// `nw distance X Y`: the Wasserstein distance of two data sets, with its certificate.
#include <memory>

#include "cli/commands.hpp"
#include "cli/distance/arguments.hpp"
#include "cli/distance/cost.hpp"
#include "cli/distance/one_pair.hpp"
#include "cli/distance/pairs.hpp"
#include "cli/dual.hpp"
#include "cli/field_options.hpp"
#include "cli/option_kinds.hpp"
#include "cli/report_option.hpp"

namespace nw::cli {
namespace {

int run_distance(const CLI::App& command, DistanceArguments& arguments) {
  check_fit(command, arguments);
  if (command.count("--time-limit") > 0) arguments.stop_after = arguments.solver.time_limit;
  if (asks_for_other_cost(command)) return run_cost(arguments);
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
  return run_one_pair(arguments);
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
    context.action = [arguments, command] { return run_distance(*command, *arguments); };
  });
}

}  // namespace nw::cli
