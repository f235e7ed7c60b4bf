#include "nw/ot/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "nw/ot/sparse.hpp"

#include "ot/all_within.hpp"

namespace nw::ot {
namespace {

// Flow stores row numbers in 32 bits.
constexpr std::size_t kMaxPoints = std::numeric_limits<std::uint32_t>::max();

void check_count(const char* which, std::size_t count) {
  require(count > 0, "the ", which, " cloud has no points");
  require(count < kMaxPoints, "the ", which, " cloud has ", count, " points; at most ",
          kMaxPoints - 1, " are supported");
}

void check_weights(const char* which, std::span<const double> weights, std::size_t count) {
  if (weights.empty()) return;
  require(weights.size() == count, "the ", which, " cloud has ", count, " points but ",
          weights.size(), " weights");
  bool some_mass = false;
  for (std::size_t i = 0; i < count; ++i) {
    require(std::isfinite(weights[i]), which, " weight ", i, " is ", weights[i],
            "; weights must be finite");
    require(weights[i] >= 0.0, which, " weight ", i, " is ", weights[i],
            "; weights must not be negative");
    some_mass = some_mass || weights[i] > 0.0;
  }
  require(some_mass, "all ", count, " weights of the ", which, " cloud are zero");
}

// Smallest and largest value of every column, over both clouds.
struct ColumnRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

void scan_points(const char* which, MatrixView points, std::vector<ColumnRange>& ranges) {
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (std::size_t j = 0; j < points.cols(); ++j) {
      const double value = points(i, j);
      if (!std::isfinite(value)) {
        throw InvalidArgument(concat("the ", which, " cloud has ", value, " in row ", i,
                                     ", column ", j, "; coordinates must be finite"));
      }
      ranges[j].low = std::min(ranges[j].low, value);
      ranges[j].high = std::max(ranges[j].high, value);
    }
  }
}

// The largest cost two points may have must be a number, or the answer would be infinite.
void check_costs_are_finite(const std::vector<ColumnRange>& ranges, GroundCost cost) {
  double norm = 0.0;
  std::size_t widest = 0;
  for (std::size_t j = 0; j < ranges.size(); ++j) {
    norm = std::hypot(norm, ranges[j].high - ranges[j].low);
    if (ranges[j].high - ranges[j].low > ranges[widest].high - ranges[widest].low) widest = j;
  }
  const double largest = cost == GroundCost::squared_euclidean ? norm * norm : norm;
  if (std::isfinite(largest)) return;
  throw InvalidArgument(concat(to_string(cost), " costs overflow: column ", widest, " spans ",
                               ranges[widest].low, " to ", ranges[widest].high,
                               "; divide the coordinates by a common factor"));
}

}  // namespace

void PointProblem::validate() const {
  const MatrixView x = source.points, y = target.points;
  check_count("source", x.rows());
  check_count("target", y.rows());
  require(x.cols() == y.cols(), "source points have ", x.cols(), " coordinates, target points ",
          y.cols());
  require(x.cols() > 0, "points must have at least one coordinate");
  // Ranges of columns matter only where numbers are huge, or none at all.
  if (!all_within(x.values(), kModerateCoordinate) ||
      !all_within(y.values(), kModerateCoordinate)) {
    std::vector<ColumnRange> ranges(x.cols());
    scan_points("source", x, ranges);
    scan_points("target", y, ranges);
    check_costs_are_finite(ranges, cost);
  }
  check_weights("source", source.weights, x.rows());
  check_weights("target", target.weights, y.rows());
}

void MatrixProblem::validate() const {
  check_count("source", cost.rows());
  check_count("target", cost.cols());
  for (std::size_t i = 0; i < cost.rows(); ++i) {
    for (std::size_t j = 0; j < cost.cols(); ++j) {
      if (std::isfinite(cost(i, j))) continue;
      throw InvalidArgument(concat("the cost matrix has ", cost(i, j), " in row ", i, ", column ",
                                   j, "; costs must be finite"));
    }
  }
  check_weights("source", source_weights, cost.rows());
  check_weights("target", target_weights, cost.cols());
}

void SparseProblem::validate() const {
  const std::size_t entries = cost.column.size();
  const auto index = [](std::int64_t value) { return static_cast<std::size_t>(value); };
  check_count("source", cost.rows);
  check_count("target", cost.columns);
  require(cost.row_begin.size() == cost.rows + 1, "SparseCosts.row_begin has ",
          cost.row_begin.size(), " entries for ", cost.rows, " rows; one more than rows is needed");
  require(cost.cost.size() == entries, "SparseCosts has ", entries, " columns and ",
          cost.cost.size(), " costs");
  require(entries < std::numeric_limits<std::uint32_t>::max(), "SparseCosts has too many entries");
  require(cost.row_begin[0] == 0 && index(cost.row_begin[cost.rows]) == entries,
          "SparseCosts.row_begin must lead from 0 to the number of entries");
  for (std::size_t i = 0; i < cost.rows; ++i) {
    require(cost.row_begin[i] <= cost.row_begin[i + 1], "SparseCosts.row_begin falls at row ", i);
    for (std::size_t k = index(cost.row_begin[i]); k < index(cost.row_begin[i + 1]); ++k) {
      const std::int64_t j = cost.column[k];
      require(j >= 0 && index(j) < cost.columns, "SparseCosts has column ", j, " in row ", i,
              " of ", cost.columns, " columns");
      require(k == index(cost.row_begin[i]) || cost.column[k - 1] < j,
              "SparseCosts must list the columns of row ", i, " in increasing order");
      require(std::isfinite(cost.cost[k]), "the cost of row ", i, ", column ", j, " is not finite");
    }
  }
  check_weights("source", source_weights, cost.rows);
  check_weights("target", target_weights, cost.columns);
}

const char* to_string(GroundCost cost) {
  switch (cost) {
    case GroundCost::euclidean:
      return "euclidean";
    case GroundCost::squared_euclidean:
      return "squared euclidean";
  }
  return "unknown";
}

const char* to_string(Termination termination) {
  switch (termination) {
    case Termination::optimal:
      return "optimal";
    case Termination::gap_reached:
      return "gap reached";
    case Termination::pivot_limit:
      return "pivot limit";
    case Termination::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace nw::ot
