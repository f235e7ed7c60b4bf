// One table or figure of the paper, run again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "nw/record/run_record.hpp"

namespace nw::cli {

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

struct Experiment {
  const char* id;
  const char* title;
  ExperimentResult (*run)(const ExperimentSettings&);
  std::vector<const char*> methods = {};  ///< ways to compute it; empty: there is one only
  bool has_settings = false;              ///< whether recipes can be changed by NAME=VALUE
};

ExperimentResult run_comparison(const ExperimentSettings& settings);
ExperimentResult run_choose_k_figure(const ExperimentSettings& settings);
ExperimentResult run_choose_k_gan(const ExperimentSettings& settings);
ExperimentResult run_mog(const ExperimentSettings& settings);
ExperimentResult run_denoising(const ExperimentSettings& settings);
ExperimentResult run_mnistm_imbalanced(const ExperimentSettings& settings);
ExperimentResult run_mnistm_balanced(const ExperimentSettings& settings);
ExperimentResult run_pacs(const ExperimentSettings& settings);
ExperimentResult run_visda(const ExperimentSettings& settings);
ExperimentResult run_visda_balanced(const ExperimentSettings& settings);
ExperimentResult run_mnist_clustering(const ExperimentSettings& settings);
ExperimentResult run_imbalance_sweep(const ExperimentSettings& settings);
ExperimentResult run_cifar10(const ExperimentSettings& settings);
ExperimentResult run_cifar_celeba(const ExperimentSettings& settings);
ExperimentResult run_cifar_celeba_clustering(const ExperimentSettings& settings);
ExperimentResult run_title_figure(const ExperimentSettings& settings);

}  // namespace nw::cli
