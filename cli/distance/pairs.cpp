#include "cli/distance/pairs.hpp"

#include <filesystem>
#include <iostream>
#include <vector>

#include "nw/app/transport/pair_distances.hpp"
#include "nw/base/error.hpp"
#include "nw/base/number_text.hpp"
#include "nw/base/stopwatch.hpp"

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/progress.hpp"

namespace nw::cli {
namespace {

/// Samples up to which the matrix is shown.
constexpr std::size_t kShown = 12;

struct Samples {
  std::vector<std::string> names;
  std::vector<io::PointSet> sets;
};

Samples load_samples(const PairsArguments& arguments) {
  Samples samples;
  for (const std::string& file : app::sample_files(arguments.folder)) {
    InputArguments one = arguments.inputs;
    one.x = file;
    one.y.clear();
    one.two = false;
    samples.names.push_back(std::filesystem::path(file).filename().string());
    samples.sets.push_back(load_any_inputs(one, arguments.common).x);
    io::require_same_dimension(samples.sets.front(), samples.sets.back());
  }
  return samples;
}

app::PairDistances solve_pairs(const PairsArguments& arguments, const Samples& samples) {
  const InterruptScope interrupt;
  Progress progress("distance", arguments.common.show_progress());
  return app::pair_distances(samples.sets, {.p = arguments.p,
                                            .threads = arguments.common.threads,
                                            .observer = [&](std::size_t done, std::size_t all) {
                                              progress.update({},
                                                              concat(done, " of ", all, " pairs"));
                                              return !InterruptScope::requested();
                                            }});
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
  const app::PairDistances found = solve_pairs(arguments, samples);
  print(arguments, samples, found.distances);
  print_cost(arguments.common, found.seconds);
  if (!arguments.matrix.empty()) app::write_distances(arguments.matrix, found, samples.names);
  auto record = app::pair_record(found, samples.names, arguments.folder, arguments.p);
  record.seeds = {arguments.common.seed};
  record.peak_rss_mb = peak_rss_mb();
  write_result(arguments.common, record);
  return found.certified ? kDone : kNotConverged;
}

}  // namespace nw::cli
