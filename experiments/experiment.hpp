// One table or figure of the paper, run again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/record/run_record.hpp"

namespace nw::app {}

namespace nw::experiments {

using namespace app;  // experiments are runs of the applications

/// One number of the table, over the seeds.
struct ResultRow {
  std::string method, metric;
  std::vector<double> values{};   ///< one per seed
  std::optional<double> paper{};  ///< the paper's number, where it gives one
};

/// How an experiment is run.
struct ExperimentSettings {
  std::vector<std::uint64_t> seeds{};
  bool quick = false;           ///< a small version that keeps the shape of the result
  bool full = false;            ///< at the paper's length, where the default is shorter
  std::string only = {};        ///< a single method of the table; empty: all
  std::string method = {};      ///< one of the ways to compute it; empty: the first
  std::string data = {};        ///< folder of the data sets; empty: where `nw data` keeps them
  std::string device = "auto";  ///< where networks learn
  std::string runs = {};        ///< folder that keeps every run; what is finished stays
  std::vector<std::string> changes = {};  ///< NAME=VALUE for the recipes, where the table has any
  std::optional<double> seconds = {};     ///< training time of each run, where that is the measure
  int threads = 0;
  /// Called with the share of the work done; false asks to stop.
  std::function<bool(double fraction, const std::string& what)> progress{};
};

struct ExperimentResult {
  std::vector<ResultRow> rows{};
  std::vector<std::string> notes{};  ///< what the paper leaves open and how we filled it
  std::vector<std::pair<std::string, std::string>> config{};
  std::optional<record::RunRecord> page{};      ///< the first seed's run, to look at
  std::vector<record::RunRecord> more_pages{};  ///< of further methods
  bool interrupted = false;
};

using ExperimentRun = ExperimentResult (*)(const ExperimentSettings&);

/// A way to compute an experiment. Where there is one only, it has no name.
struct ExperimentMethod {
  const char* name;
  ExperimentRun run;
};

struct Experiment {
  const char* id;
  const char* title;
  std::vector<ExperimentMethod> methods;  ///< the default first
  bool has_settings = false;              ///< whether recipes can be changed by NAME=VALUE
};

/// A table or figure is a file that defines one function of the type ExperimentRun, and a line in
/// one of these two lists: what needs no LibTorch, and what trains networks.
[[nodiscard]] std::vector<Experiment> measuring_experiments();
[[nodiscard]] std::vector<Experiment> learning_experiments();

/// Both lists as one. Experiments of one id are one experiment with the methods of both.
[[nodiscard]] std::vector<Experiment> all_experiments();

}  // namespace nw::experiments
