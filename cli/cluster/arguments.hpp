// What the command line of `nw cluster` says, and what both of its halves print.
#pragma once

#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

#include "nw/app/clustering/cluster.hpp"

#include "cli/common_options.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

struct ClusterArguments {
  CommonOptions common;
  InputArguments inputs;
  app::ClusteringOptions options;
  std::string k = "auto";   ///< or a number
  std::string assignments;  ///< file for the cluster of each point; empty: none
  std::string tree;         ///< file for the hierarchy of the points; empty: none
  std::string report;
  std::string run;  ///< run directory of the method nw; empty: none
  bool resume = false, overwrite = false;
  std::int64_t checkpoint_every = 0;  ///< 0: twenty times in a run
  std::string device = "auto";
  std::string assign;  ///< new data for the clusters of `run`; empty: none
  CLI::App* command = nullptr;
};

/// Throws IoError naming the first file of results that could not be written later.
void require_writable_results(const ClusterArguments& arguments);

/// The options with what other arguments decide. Throws InvalidArgument for options of another
/// method, which must be known, and for a k that is none.
[[nodiscard]] app::ClusteringOptions checked_options(const ClusterArguments& arguments,
                                                     app::ClusterMethod method);

/// Completes the record, prints what was found and writes the files that were asked for. Returns an
/// ExitCode.
[[nodiscard]] int report_clusters(const ClusterArguments& arguments, const Inputs& inputs,
                                  const app::ClusteringOptions& options,
                                  app::Clustering& clustering);

/// --method nw, or the choice of a method that may be nw; and --assign. Part of nw-torch; nw hands
/// over to it. Both return an ExitCode.
[[nodiscard]] int run_learning_cluster(const ClusterArguments& arguments);
[[nodiscard]] int run_assign(const ClusterArguments& arguments);

}  // namespace nw::cli
