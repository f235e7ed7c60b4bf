// `nw bench`: our speed and memory beside those of a peer, measured in the same run.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

#include "cli/bench/growth.hpp"
#include "cli/bench/ot_bench.hpp"
#include "cli/bench/row_exchange.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/join_team.hpp"
#include "cli/option_kinds.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/text_table.hpp"

namespace nw::cli {
namespace {

struct OtBenchArguments {
  CommonOptions common;
  std::vector<std::size_t> sizes;  ///< empty: chosen by the kind of benchmark
  std::vector<std::size_t> dimensions = {2, 10, 64};
  std::vector<int> powers = {1, 2};
  bool weighted = false;
  bool degenerate = false;
  bool no_peer = false;
  std::string growth;              ///< page to write; empty: no growth table
  std::size_t peer_limit = 10000;  ///< largest n the peer is asked to solve
  int repeat = 1;
  std::string python = BenchSetup{}.python;
};

/// One problem to be timed, made only when its turn comes.
struct BenchCase {
  std::size_t n;
  int p;
  std::function<CloudPair()> clouds;
};

std::vector<std::size_t> sizes_of(const OtBenchArguments& arguments) {
  if (!arguments.sizes.empty()) return arguments.sizes;
  if (!arguments.growth.empty()) return {1000, 2000, 5000, 10000, 20000, 50000, 100000};
  if (arguments.degenerate) return {2000};
  return {2000, 5000};
}

std::vector<BenchCase> cases_of(const OtBenchArguments& arguments) {
  std::vector<BenchCase> cases;
  const Rng rng(arguments.common.seed);
  const bool growth = !arguments.growth.empty();
  const auto dimensions = growth ? std::vector<std::size_t>{2} : arguments.dimensions;
  for (const std::size_t n : sizes_of(arguments)) {
    if (arguments.degenerate) {
      const auto clouds = degenerate_clouds(n, rng.split(n));
      for (const CloudPair& pair : clouds) {
        for (const int p : arguments.powers) cases.push_back({n, p, [pair] { return pair; }});
      }
      continue;
    }
    for (const std::size_t d : dimensions) {
      for (const int p : arguments.powers) {
        const Rng own = rng.split(1000 * n + d);
        const auto make = arguments.weighted ? weighted_mixture_clouds : mixture_clouds;
        cases.push_back({n, p, [make, n, d, own] { return make(n, d, own); }});
      }
    }
  }
  return cases;
}

std::string machine() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("model name")) continue;
    model = line.substr(line.find(':') + 2);
    break;
  }
  return model;
}

TextTable table_heading() {
  return TextTable({"case", "n", "d", "cost", "nw s", "POT s", "ratio", "cost s", "nw MB", "POT MB",
                    "gap", "difference"});
}

void add_row(TextTable& table, const BenchRow& row) {
  const auto optional = [](const std::optional<double>& value, int digits) {
    return value ? significant(*value, digits) : std::string("-");
  };
  const auto peer = [&](double value) {
    return row.peer ? significant(value, 3) : std::string("-");
  };
  const SolveReport none;
  const SolveReport& other = row.peer ? *row.peer : none;
  const std::string size =
      row.n == row.m ? std::to_string(row.n) : std::to_string(row.n) + "/" + std::to_string(row.m);
  table.add({row.name, size, std::to_string(row.dimension), row.p == 1 ? "W1" : "W2^2",
             significant(row.ours.seconds, 3), peer(other.seconds), optional(row.ratio(), 3),
             peer(row.peer_cost_matrix_seconds), significant(row.ours.memory_mb, 3),
             peer(other.memory_mb), significant(row.gap, 2), optional(row.difference(), 2)});
}

Json to_json(const BenchRow& row) {
  const auto optional = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
  };
  Json json{{"case", row.name + "-" + std::to_string(row.n) + "-d" + std::to_string(row.dimension) +
                         (row.p == 1 ? "-w1" : "-w2")},
            {"kind", row.name},
            {"n", row.n},
            {"m", row.m},
            {"dim", row.dimension},
            {"p", row.p},
            {"weighted", row.weighted},
            {"ours_seconds", row.ours.seconds},
            {"peer_seconds", row.peer ? Json(row.peer->seconds) : Json(nullptr)},
            {"ratio", optional(row.ratio())},
            {"peer_cost_matrix_seconds", row.peer ? Json(row.peer_cost_matrix_seconds) : Json()},
            {"ours_mb", row.ours.memory_mb},
            {"peer_mb", row.peer ? Json(row.peer->memory_mb) : Json(nullptr)},
            {"relative_gap", row.gap},
            {"relative_difference", optional(row.difference())},
            {"primal", row.ours.value},
            {"peer_primal", row.peer ? Json(row.peer->value) : Json(nullptr)},
            {"pivots", row.pivots},
            {"converged", row.converged}};
  return json;
}

void validate(const OtBenchArguments& arguments) {
  for (const std::size_t n : arguments.sizes) require(n > 0, "--sizes must be positive, got ", n);
  for (const std::size_t d : arguments.dimensions)
    require(d > 0 && d <= 2048, "--dims must lie in [1, 2048], got ", d);
  for (const int p : arguments.powers) require(p == 1 || p == 2, "--p must be 1 or 2, got ", p);
}

int run_ot_bench(const OtBenchArguments& arguments) {
  validate(arguments);
  Team* const team = join_team();
  if (leads(team)) {
    require_writable(arguments.common.json);
    require_writable(arguments.growth);
  }
  BenchSetup setup{.threads = resolve_threads(arguments.common.threads),
                   .repeat = arguments.repeat,
                   .peer = !arguments.no_peer,
                   .python = arguments.python};
  if (setup.peer) {
    if (const auto reason = why_no_peer(setup)) {
      std::cerr << "nw: measuring without the peer: " << *reason << '\n';
      setup.peer = false;
    }
  }
  const bool peer = setup.peer;
  const auto cases = cases_of(arguments);
  std::vector<BenchRow> rows;
  TextTable table = table_heading();
  const bool show = arguments.common.human_output() && leads(team);
  // Rows that appear one by one are progress enough.
  Progress progress("bench", arguments.common.show_progress() && leads(team) && !show);
  if (show) std::cout << table.heading_line() << std::flush;
  // In a job each process measures its share of the cases; each case needs a machine of its own.
  const std::size_t processes = team == nullptr ? 1 : static_cast<std::size_t>(team->size());
  for (std::size_t begin = 0; begin < cases.size(); begin += processes) {
    const std::size_t own = begin + (team == nullptr ? 0 : static_cast<std::size_t>(team->rank()));
    std::optional<BenchRow> mine;
    if (own < cases.size()) {
      const BenchCase& one = cases[own];
      setup.peer = peer && one.n <= arguments.peer_limit;
      progress.update(static_cast<double>(begin) / static_cast<double>(cases.size()),
                      concat("n ", one.n, ", p ", one.p));
      mine = measure(one.clouds(), one.p, setup);
    }
    for (BenchRow& row : rows_of_all(team, mine)) {
      rows.push_back(std::move(row));
      add_row(table, rows.back());
      if (show) std::cout << table.row_line(rows.size() - 1) << std::flush;
    }
  }
  if (show) {
    std::cout << "\nseconds of the solve alone, best of " << setup.repeat
              << "; POT's cost matrix is timed apart (cost s); MB above the points;\n"
              << "gap relative to the value; difference between our value and POT's, relative; "
              << setup.threads << " threads\n";
  }
  const bool converged =
      std::ranges::all_of(rows, [](const BenchRow& row) { return row.converged; });
  const int code = converged ? kDone : kNotConverged;
  if (!leads(team)) return code;
  if (!arguments.growth.empty())
    write_growth(arguments.growth, rows, concat(setup.threads, " threads of ", machine()));

  Json result = start_result("bench", arguments.common);
  result["suite"] = "ot";
  result["threads"] = setup.threads;
  result["machine"] = machine();
  for (const BenchRow& row : rows) result["rows"].push_back(to_json(row));
  write_result(arguments.common, result);
  return code;
}

void add_ot(CLI::App& bench, Context& context) {
  CLI::App* command = bench.add_subcommand("ot", "Exact transport: nw against POT's emd2");
  const auto arguments = std::make_shared<OtBenchArguments>();
  add_list(*command, "--sizes", arguments->sizes, "Points in each cloud; default 2000,5000")
      ->type_name("N,...");
  add_list(*command, "--dims", arguments->dimensions, "Dimensions")->type_name("D,...");
  add_list(*command, "--p", arguments->powers, "1 for W1, 2 for W2 squared")->type_name("1|2,...");
  command->add_flag("--weighted", arguments->weighted, "Random weights instead of equal ones");
  auto* degenerate = command->add_flag("--degenerate", arguments->degenerate,
                                       "Clouds with ties, duplicates, extreme scales and shapes");
  command
      ->add_option("--growth", arguments->growth,
                   "Time against n in the plane; writes table and plot into this Markdown page")
      ->type_name("FILE.md")
      ->excludes(degenerate);
  command->add_option("--repeat", arguments->repeat, "Solves of each problem; the best one counts")
      ->type_name("N")
      ->check(CLI::Range(1, 1000).description(""))
      ->capture_default_str();
  command->add_flag("--no-peer", arguments->no_peer, "Measure nw alone");
  command
      ->add_option("--peer-limit", arguments->peer_limit,
                   "Largest n for POT, whose memory grows with n squared (10000: 4 GB)")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--python", arguments->python, "The Python that has POT")
      ->type_name("PATH")
      ->capture_default_str();
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw bench ot                                  d = 2, 10, 64 and both p at 2k and 5k\n"
      "  nw bench ot --sizes 10000 --dims 2 --repeat 3\n"
      "  nw bench ot --degenerate --json rows.json\n"
      "  nw bench ot --growth docs/benchmarks.md      table and log-log plot up to 100k");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_ot_bench(*arguments); }; });
}

/// The process that solves one problem for the benchmark; no part of the interface.
void add_ot_worker(CLI::App& bench, Context& context) {
  struct WorkerArguments {
    std::string folder;
    int p = 1, repeat = 1, threads = 0;
  };
  CLI::App* command = bench.add_subcommand("ot-worker")->group("");
  const auto arguments = std::make_shared<WorkerArguments>();
  command->add_option("folder", arguments->folder)->required();
  command->add_option("--p", arguments->p);
  command->add_option("--repeat", arguments->repeat);
  command->add_option("--threads", arguments->threads);
  command->callback([arguments, &context] {
    context.action = [arguments] {
      return run_ot_worker(arguments->folder, arguments->p, arguments->repeat, arguments->threads);
    };
  });
}

}  // namespace

void add_bench(CLI::App& app, Context& context) {
  CLI::App* bench = app.add_subcommand("bench", "Time nw against its peers on the same data");
  bench->require_subcommand(1);
  bench->footer("Example:\n  nw bench ot --sizes 2000,5000,10000");
  add_ot(*bench, context);
  add_ot_worker(*bench, context);
}

}  // namespace nw::cli
