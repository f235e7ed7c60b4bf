#include "nw/app/transport/pair_distances.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "nw/app/compare/weighted.hpp"
#include "nw/base/error.hpp"
#include "nw/base/stopwatch.hpp"
#include "nw/io/write.hpp"
#include "nw/ot/many.hpp"
#include "nw/record/start_record.hpp"

namespace nw::app {

void PairOptions::validate() const {
  require(p == 1 || p == 2, "PairOptions: p must be 1 or 2, got ", p);
}

PairDistances pair_distances(std::span<const io::PointSet> sets, const PairOptions& options) {
  options.validate();
  const Stopwatch clock;
  std::vector<ot::PointProblem> problems;
  const auto cost = options.p == 1 ? ot::GroundCost::euclidean : ot::GroundCost::squared_euclidean;
  for (std::size_t a = 0; a < sets.size(); ++a) {
    for (std::size_t b = a + 1; b < sets.size(); ++b) {
      problems.push_back({weighted(sets[a]), weighted(sets[b]), cost});
    }
  }
  ot::ExactOptions exact;
  exact.threads = options.threads;
  if (options.observer) {
    exact.observer = [&](const ot::ExactProgress& now) {
      return options.observer(static_cast<std::size_t>(now.pivots), problems.size());
    };
  }
  const auto results = ot::solve_many(problems, exact);
  PairDistances found;
  found.distances = Matrix(sets.size(), sets.size());
  std::size_t pair = 0;
  for (std::size_t a = 0; a < sets.size(); ++a) {
    found.distances(a, a) = 0.0;
    for (std::size_t b = a + 1; b < sets.size(); ++b, ++pair) {
      const ot::TransportResult& result = results[pair];
      found.certified = found.certified && result.optimal();
      found.largest_gap = std::max(found.largest_gap, result.gap());
      const double value = options.p == 1 ? result.cost : std::sqrt(std::max(result.cost, 0.0));
      found.distances(a, b) = found.distances(b, a) =
          result.optimal() ? value : std::numeric_limits<double>::quiet_NaN();
    }
  }
  found.seconds = clock.seconds();
  return found;
}

record::RunRecord pair_record(const PairDistances& found, const std::vector<std::string>& names,
                              const std::string& folder, int p) {
  auto record = record::start_record(record::RunKind::distance, "distance", 0);
  record.sentence = concat("W", p, " between ", names.size(), " data sets");
  record.converged = found.certified;
  record.seconds = found.seconds;
  record.settings = {{"p", std::int64_t{p}}, {"pairs", folder}};
  record.pairs = record::PairSummary{
      .p = static_cast<std::uint64_t>(p), .names = names, .largest_gap = found.largest_gap};
  for (std::size_t a = 0; a < names.size(); ++a) {
    const auto row = found.distances.row(a);
    record.pairs->distances.emplace_back(row.begin(), row.end());
  }
  return record;
}

void write_distances(const std::string& path, const PairDistances& found,
                     const std::vector<std::string>& names) {
  if (path.ends_with(".npy")) {
    io::write_npy(path, found.distances.view());
  } else {
    io::write_csv(path, found.distances, {.column_names = names});
  }
}

std::vector<std::string> sample_files(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> files;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (entry->is_regular_file() && !name.starts_with('.')) files.push_back(entry->path().string());
  }
  if (error) throw IoError(concat(folder, ": ", error.message()));
  if (files.size() < 2) throw IoError(concat(folder, ": pairs need two files or more"));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace nw::app
