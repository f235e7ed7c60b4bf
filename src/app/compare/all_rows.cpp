#include "app/compare/all_rows.hpp"

#include <algorithm>
#include <cmath>

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

void count_side(const std::string& argument, const io::LoadOptions& load,
                const table::Inputs& inputs, const io::PointSet& sample, const SideShares& side,
                measure::CompareResult& result) {
  MemberShares seen(result.fit, side.pi, load.threads), all(result.fit, side.pi, load.threads);
  seen.add(sample.values);
  table::visit_like(*inputs.encoding, argument, load, [&](MatrixView rows) { all.add(rows); });
  if (all.rows() <= seen.rows()) return;
  const std::vector<double> before = seen.mean(), now = all.mean();
  std::vector<double> pi = side.pi;
  double total = 0.0;
  for (std::size_t j = 0; j < pi.size(); ++j) {
    pi[j] = std::max(pi[j] + now[j] - before[j], 0.0);
    total += pi[j];
  }
  const double factor =
      std::sqrt(static_cast<double>(seen.rows()) / static_cast<double>(all.rows()));
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
}

}  // namespace

void count_all_rows(const table::InputFiles& files, const io::LoadOptions& load,
                    const table::Inputs& inputs, measure::CompareResult& result) {
  const table::Description& about = inputs.description;
  const bool classes = !result.classes.empty();
  if (!inputs.encoding || result.interrupted || result.pi_x.empty() || classes) return;
  if (!inputs.x.weights.empty() || !inputs.y.weights.empty()) return;
  using Change = measure::ComponentChange;
  if (about.rows_read_x > inputs.x.size() && table::can_be_read_again(files.x)) {
    count_side(files.x, load, inputs, inputs.x,
               {result.pi_x, result.pi_x_interval, &Change::mass_x, &Change::mass_x_interval},
               result);
  }
  if (about.rows_read_y > inputs.y.size() && table::can_be_read_again(files.y)) {
    count_side(files.y, load, inputs, inputs.y,
               {result.pi_y, result.pi_y_interval, &Change::mass_y, &Change::mass_y_interval},
               result);
  }
  result.proportion_change = 0.0;
  for (std::size_t j = 0; j < result.pi_x.size(); ++j) {
    result.proportion_change += 0.5 * std::abs(result.pi_x[j] - result.pi_y[j]);
  }
}

}  // namespace nw::app
