// What the command line of `nw compare` says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "nw/app/compare/compare.hpp"

#include "cli/common_options.hpp"
#include "cli/compare/scores.hpp"
#include "cli/two_inputs.hpp"

namespace nw::cli {

struct CompareArguments {
  CommonOptions common;
  InputArguments inputs;
  app::ComparisonOptions options;
  std::string k = "auto";
  std::string report;                 ///< page to write; empty: none
  std::string rows;                   ///< table of rows to write; empty: none
  std::string markdown;               ///< where the story goes as Markdown; empty: nowhere
  std::string svg, png;               ///< where the main picture goes; empty: nowhere
  ScoreArguments scores;              ///< a model's outputs instead of data
  bool dual = false;                  ///< Algorithm 1 instead of the primal fit
  std::optional<std::int64_t> steps;  ///< of the training behind `dual`
};

void add_compare_options(CLI::App& command, CompareArguments& arguments);

}  // namespace nw::cli
