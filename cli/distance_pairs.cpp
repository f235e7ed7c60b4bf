#include "cli/distance_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <vector>

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"
#include "nw/ot/many.hpp"
#include "nw/record/start_record.hpp"

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"
#include "cli/text_table.hpp"

namespace nw::cli {
namespace {

/// Samples up to which the matrix is shown.
constexpr std::size_t kShown = 12;

std::vector<std::string> files_of(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (entry->is_regular_file() && !name.starts_with('.')) files.push_back(entry->path().string());
  }
  if (error) throw IoError(concat(folder, ": ", error.message()));
  if (files.size() < 2) throw IoError(concat(folder, ": --pairs needs two files or more"));
  std::sort(files.begin(), files.end());
  return files;
}

struct Samples {
  std::vector<std::string> names;
  std::vector<Inputs> sets;
};

Samples load_samples(const PairsArguments& arguments) {
  Samples samples;
  for (const std::string& file : files_of(arguments.folder)) {
    InputArguments one = arguments.inputs;
    one.x = file;
    one.y.clear();
    one.two = false;
    samples.names.push_back(std::filesystem::path(file).filename().string());
    samples.sets.push_back(load_any_inputs(one, arguments.common));
    io::require_same_dimension(samples.sets.front().x, samples.sets.back().x);
  }
  return samples;
}

std::vector<ot::TransportResult> solve_pairs(const PairsArguments& arguments,
                                             const Samples& samples) {
  std::vector<ot::PointProblem> problems;
  const auto cost =
      arguments.p == 1 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean;
  for (std::size_t a = 0; a < samples.sets.size(); ++a) {
    for (std::size_t b = a + 1; b < samples.sets.size(); ++b) {
      problems.push_back({weighted(samples.sets[a].x), weighted(samples.sets[b].x), cost});
    }
  }
  const InterruptScope interrupt;
  Progress progress("distance", arguments.common.show_progress());
  ot::ExactOptions options;
  options.threads = arguments.common.threads;
  options.observer = [&](const ot::ExactProgress& now) {
    progress.update({}, concat(now.pivots, " of ", problems.size(), " pairs"));
    return !InterruptScope::requested();
  };
  return ot::solve_many(problems, options);
}

void print(const PairsArguments& arguments, const Samples& samples, const Matrix& distances) {
  if (!arguments.common.human_output()) return;
  const std::size_t count = distances.rows();
  if (count > kShown && !arguments.common.quiet) {
    std::cout << "W" << arguments.p << " between " << count
              << " data sets; --matrix FILE or --json FILE keeps the " << count << " x " << count
              << " distances\n";
    return;
  }
  for (std::size_t a = 0; a < count; ++a) {
    std::cout << samples.names[a];
    for (std::size_t b = 0; b < count; ++b) std::cout << ' ' << significant(distances(a, b), 6);
    std::cout << '\n';
  }
}

}  // namespace

int run_pairs(const PairsArguments& arguments) {
  for (const auto& file : {arguments.common.json, arguments.matrix}) require_writable(file);
  const Samples samples = load_samples(arguments);
  const std::size_t count = samples.sets.size();
  const Stopwatch clock;
  const auto results = solve_pairs(arguments, samples);
  Matrix distances(count, count);
  double largest_gap = 0.0;
  bool all = true;
  std::size_t pair = 0;
  for (std::size_t a = 0; a < count; ++a) {
    distances(a, a) = 0.0;
    for (std::size_t b = a + 1; b < count; ++b, ++pair) {
      const ot::TransportResult& result = results[pair];
      all = all && result.optimal();
      largest_gap = std::max(largest_gap, result.gap());
      const double value = arguments.p == 1 ? result.cost : std::sqrt(std::max(result.cost, 0.0));
      distances(a, b) = distances(b, a) = result.optimal() ? value : std::nan("");
    }
  }
  print(arguments, samples, distances);
  print_cost(arguments.common, clock.seconds());
  if (arguments.matrix.ends_with(".npy")) {
    io::write_npy(arguments.matrix, distances.view());
  } else if (!arguments.matrix.empty()) {
    io::write_csv(arguments.matrix, distances, {.column_names = samples.names});
  }
  auto record = record::start_record(record::RunKind::distance, "distance", arguments.common.seed);
  record.sentence = concat("W", arguments.p, " between ", count, " data sets");
  record.converged = all;
  record.seconds = clock.seconds();
  record.peak_rss_mb = peak_rss_mb();
  record.settings = {{"p", std::int64_t{arguments.p}}, {"pairs", arguments.folder}};
  Json rows = Json::array();
  for (std::size_t a = 0; a < count; ++a) {
    const auto row = distances.row(a);
    rows.push_back(std::vector<double>(row.begin(), row.end()));
  }
  record.extra = Json{
      {"p", arguments.p},
      {"names", samples.names},
      {"distances", rows},
      {"largest_gap",
       largest_gap}}.dump();
  write_result(arguments.common, record);
  return all ? kDone : kNotConverged;
}

}  // namespace nw::cli
