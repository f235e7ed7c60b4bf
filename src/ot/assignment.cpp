// Transport between equal masses is a matching (Birkhoff): see assignment_kernels.inl for how it is
// found. The potentials that it leaves are completed row by row, so that they are feasible as
// computed and prove the cost.
#include "ot/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "ot/accurate_sum.hpp"
#include "ot/all_within.hpp"

namespace nw::ot {
namespace {

/// Far below kFarCost, so that sums of two of them are, too.
constexpr double kLargestCost = 1e300;
constexpr std::size_t kAlignment = 64;

bool all_same(std::span<const double> weights) {
  return std::ranges::all_of(weights, [&](double weight) { return weight == weights[0]; });
}

}  // namespace

bool Assignment::fits(const PointProblem& problem) {
  return problem.source.points.rows() == problem.target.points.rows() &&
         problem.source.points.rows() <= kLargestAssignment && all_same(problem.source.weights) &&
         all_same(problem.target.weights);
}

bool Assignment::fits(const MatrixProblem& problem) {
  return problem.cost.rows() == problem.cost.cols() && problem.cost.rows() <= kLargestAssignment &&
         all_same(problem.source_weights) && all_same(problem.target_weights);
}

void Assignment::reserve(std::size_t size, std::size_t dimension) {
  const std::size_t stride = (size + kAssignmentLanes - 1) / kAssignmentLanes * kAssignmentLanes;
  const std::size_t numbers = (size + 1 + dimension) * stride + size;
  if (memory_.size() < numbers + kAlignment / sizeof(double)) {
    memory_.resize(numbers + kAlignment / sizeof(double));
  }
  void* begin = memory_.data();
  std::size_t room = memory_.size() * sizeof(double);
  begin = std::align(kAlignment, numbers * sizeof(double), begin, room);
  if (row_of_.size() < stride) row_of_.resize(stride), column_of_.resize(stride);
  task_.size = size;
  task_.stride = stride;
  task_.cost = static_cast<double*>(begin);
  task_.potential = task_.cost + size * stride;
  lanes_ = task_.potential + stride;
  task_.row_potential = lanes_ + dimension * stride;
  task_.row_of = row_of_.data();
  task_.column_of = column_of_.data();
  task_.paths = 0;
}

bool Assignment::solve(const PointProblem& problem, double tolerance, TransportResult& result) {
  const MatrixView x = problem.source.points, y = problem.target.points;
  if (!all_within(x.values(), kModerateCoordinate) ||
      !all_within(y.values(), kModerateCoordinate)) {
    return false;
  }
  reserve(x.rows(), x.cols());
  const double* const coordinates = y.values().data();
  for (std::size_t k = 0; k < y.cols(); ++k) {
    double* const lane = lanes_ + k * task_.stride;
    for (std::size_t j = 0; j < task_.size; ++j) lane[j] = coordinates[j * y.cols() + k];
    std::fill(lane + task_.size, lane + task_.stride, 0.0);
  }
  kernels_->fill(x.values().data(), lanes_, x.cols(), problem.cost == GroundCost::euclidean, task_);
  return match(tolerance, result);
}

bool Assignment::solve(const MatrixProblem& problem, double tolerance, TransportResult& result) {
  if (!all_within(problem.cost.values(), kLargestCost)) return false;
  reserve(problem.cost.rows(), 0);
  std::fill_n(task_.potential, task_.size, kFarCost);
  std::fill(task_.potential + task_.size, task_.potential + task_.stride, 0.0);
  for (std::size_t i = 0; i < task_.size; ++i) {
    double* const row = task_.cost + i * task_.stride;
    std::ranges::copy(problem.cost.row(i), row);
    std::fill(row + task_.size, row + task_.stride, kFarCost);
    for (std::size_t j = 0; j < task_.size; ++j) {
      task_.potential[j] = std::min(task_.potential[j], row[j]);
    }
  }
  return match(tolerance, result);
}

double Assignment::largest_cost() const {
  double largest = 0.0;
  for (std::size_t i = 0; i < task_.size; ++i) {
    for (std::size_t j = 0; j < task_.size; ++j) {
      largest = std::max(largest, std::fabs(task_.cost[i * task_.stride + j]));
    }
  }
  return largest;
}

bool Assignment::match(double tolerance, TransportResult& result) {
  kernels_->match(task_);
  kernels_->complete(task_);
  const std::size_t n = task_.size;
  const double mass = 1.0 / static_cast<double>(n);
  AccurateSum primal, of_rows, of_columns;
  result.plan.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto j = static_cast<std::size_t>(task_.column_of[i]);
    result.plan[i] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), mass};
    primal.add(task_.cost[i * task_.stride + j]);
    of_rows.add(task_.row_potential[i]);
    of_columns.add(task_.potential[i]);
  }
  AccurateSum dual = of_rows;
  dual.add(of_columns);
  result.termination = Termination::optimal;
  result.pivots = task_.paths;
  result.cost = primal.value() / static_cast<double>(n);
  result.dual_objective = dual.value() / static_cast<double>(n);
  result.source_potential.assign(task_.row_potential, task_.row_potential + n);
  result.target_potential.assign(task_.potential, task_.potential + n);
  // The cost is no more than the largest of the costs, and nearly always decides.
  return result.gap() <= tolerance * std::fabs(result.cost) ||
         result.gap() <= tolerance * largest_cost();
}

}  // namespace nw::ot
