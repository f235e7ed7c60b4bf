#include "app/compare/all_rows.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "nw/base/error.hpp"
#include "nw/measure/member_shares.hpp"

namespace nw::app {
namespace {

using measure::MemberShares;
using nw::Interval;

Interval moved(const Interval& interval, double from, double to, double factor) {
  return {.low = std::max(to - factor * (from - interval.low), 0.0),
          .high = std::min(to + factor * (interval.high - from), 1.0)};
}

/// What one side has in a result.
struct SideShares {
  std::vector<double>& pi;
  std::vector<Interval>& interval;
  double measure::ComponentChange::*mass;
  Interval measure::ComponentChange::*mass_interval;
};

/// Memberships of the rows of every file, which different processes may have counted.
class FileShares {
 public:
  FileShares(const measure::CompareResult& result, const std::vector<double>& pi, int threads)
      : result_(result), pi_(pi), threads_(threads) {}

  void add(const table::RowBlock& block) {
    while (files_.size() <= block.file) files_.emplace_back(result_.fit, pi_, threads_);
    files_[block.file].add(block.rows);
  }

  /// Takes in what the others counted, and adds up in the order of the files, so that the sums are
  /// those of one process.
  void finish(std::size_t files, Team* team) {
    const std::size_t k = pi_.size();
    std::vector<double> counted(files * (k + 1), 0.0);
    for (std::size_t f = 0; f < std::min(files, files_.size()); ++f) {
      std::ranges::copy(files_[f].sum(),
                        counted.begin() + static_cast<std::ptrdiff_t>(f * (k + 1)));
      counted[f * (k + 1) + k] = static_cast<double>(files_[f].rows());
    }
    if (team != nullptr) team->sum(std::span(counted));
    mean_.assign(k, 0.0);
    for (std::size_t f = 0; f < files; ++f) {
      for (std::size_t j = 0; j < k; ++j) mean_[j] += counted[f * (k + 1) + j];
      rows_ += counted[f * (k + 1) + k];
    }
    for (double& share : mean_) share /= std::max(rows_, 1.0);
  }

  [[nodiscard]] double rows() const { return rows_; }
  [[nodiscard]] const std::vector<double>& mean() const { return mean_; }

 private:
  const measure::CompareResult& result_;
  const std::vector<double>& pi_;
  int threads_;
  std::vector<MemberShares> files_;
  std::vector<double> mean_;
  double rows_ = 0.0;
};

/// Moves the shares of a side; returns whether there were more rows than in the sample.
bool move_shares(const FileShares& all, const io::PointSet& sample, int threads,
                 const SideShares& side, measure::CompareResult& result) {
  MemberShares seen(result.fit, side.pi, threads);
  seen.add(sample.values);
  const auto sampled = static_cast<double>(seen.rows());
  if (all.rows() <= sampled) return false;
  const std::vector<double> before = seen.mean();
  std::vector<double> pi = side.pi;
  double total = 0.0;
  for (std::size_t j = 0; j < pi.size(); ++j) {
    pi[j] = std::max(pi[j] + all.mean()[j] - before[j], 0.0);
    total += pi[j];
  }
  const double factor = std::sqrt(sampled / all.rows());
  for (std::size_t j = 0; j < pi.size(); ++j) {
    pi[j] /= total;
    if (j < side.interval.size()) {
      side.interval[j] = moved(side.interval[j], side.pi[j], pi[j], factor);
    }
    if (j < result.components.size()) {
      result.components[j].*side.mass = pi[j];
      if (j < side.interval.size()) result.components[j].*side.mass_interval = side.interval[j];
    }
  }
  side.pi = std::move(pi);
  return true;
}

}  // namespace

void count_all_rows(const table::Inputs& inputs, measure::CompareResult& result) {
  const table::Description& about = inputs.description;
  if (!about.sampled_x && !about.sampled_y) return;
  if (!inputs.encoding || result.interrupted || result.pi_x.empty()) return;
  const bool weighted = !inputs.x.weights.empty() || !inputs.y.weights.empty();
  if (!result.classes.empty() || weighted || !table::can_visit_all_rows(inputs)) {
    result.notes.emplace_back("Shares, tests and effects rest on the rows of the sample.");
    return;
  }
  const int threads = inputs.load.threads;
  FileShares x(result, result.pi_x, threads), y(result, result.pi_y, threads);
  table::visit_all_rows(inputs,
                        [&](const table::RowBlock& block) { (block.of_y ? y : x).add(block); });
  const std::size_t files_x = table::expand_paths(inputs.files.x).size();
  const std::size_t files_y = inputs.split ? files_x : table::expand_paths(inputs.files.y).size();
  x.finish(files_x, inputs.files.team);
  y.finish(files_y, inputs.files.team);
  using Change = measure::ComponentChange;
  const bool more_x = move_shares(
      x, inputs.x, threads,
      {result.pi_x, result.pi_x_interval, &Change::mass_x, &Change::mass_x_interval}, result);
  const bool more_y = move_shares(
      y, inputs.y, threads,
      {result.pi_y, result.pi_y_interval, &Change::mass_y, &Change::mass_y_interval}, result);
  result.proportion_change = 0.0;
  for (std::size_t j = 0; j < result.pi_x.size(); ++j) {
    result.proportion_change += 0.5 * std::abs(result.pi_x[j] - result.pi_y[j]);
  }
  result.notes.push_back(concat("Shares are those of all rows of ",
                                more_x && more_y ? "X and Y"
                                : more_x         ? "X"
                                                 : "Y",
                                "; tests and effects rest on the rows of the sample."));
}

}  // namespace nw::app
