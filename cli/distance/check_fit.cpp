// Which options of `nw distance` go together.
#include <algorithm>
#include <string_view>

#include "nw/base/error.hpp"

#include "cli/distance/arguments.hpp"

namespace nw::cli {
namespace {

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

}  // namespace

bool asks_for_other_cost(const CLI::App& command) {
  return std::ranges::any_of(kOfCost, [&](const char* name) { return command.count(name) > 0; });
}

void check_fit(const CLI::App& command, const DistanceArguments& arguments) {
  require(command.count("--matrix") == 0 || !arguments.pairs.empty(), "--matrix needs --pairs");
  if (asks_for_other_cost(command)) {
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

}  // namespace nw::cli
