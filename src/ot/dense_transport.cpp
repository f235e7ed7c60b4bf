// Successive shortest paths on a dense matrix (Ford and Fulkerson's transportation method with
// Dijkstra's search, as Jonker and Volgenant, "A shortest augmenting path algorithm for dense and
// sparse linear assignment problems", 1987, use it; here masses are any integers).
//
// Potentials are feasible and flows lie on tight arcs from the start, so every path found keeps the
// flow optimal for what has been sent. A search costs O(m) for each source it visits, in loops that
// the compiler vectorises. Time about O(n^2) to O(n^3), memory O(n m). With arbitrary masses the
// number of paths has no good bound; a limit hands such problems back.
#include "ot/dense_transport.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ot/accurate_sum.hpp"
#include "ot/integer_masses.hpp"

#if defined(__x86_64__) && !defined(__clang__)
#define NW_CLONES [[gnu::target_clones("default", "avx2", "avx512f")]]
#else
#define NW_CLONES
#endif

namespace nw::ot {
namespace {

/// Larger than any distance; sums of two stay finite.
constexpr double kClosed = 1e307;
constexpr double kUnreached = 1e306;
/// Paths per point after which another solver is asked.
constexpr std::size_t kPathsPerPoint = 8;

NW_CLONES double minimum_of(const double* distance, const double* closed, std::size_t count) {
  double smallest = kClosed;
#pragma omp simd reduction(min : smallest)
  for (std::size_t k = 0; k < count; ++k) {
    const double key = distance[k] + closed[k];
    smallest = key < smallest ? key : smallest;
  }
  return smallest;
}

/// Improves the distances of the targets by way of one row; returns the smallest of the open ones.
NW_CLONES double relax(const double* cost, const double* v, double base, std::int64_t row,
                       std::size_t count, double* __restrict distance,
                       std::int64_t* __restrict previous, const double* closed) {
  double smallest = kClosed;
#pragma omp simd reduction(min : smallest)
  for (std::size_t k = 0; k < count; ++k) {
    const double through = base + (cost[k] - v[k]);
    const bool better = through < distance[k];
    const double now = better ? through : distance[k];
    previous[k] = better ? row : previous[k];
    distance[k] = now;
    const double key = now + closed[k];
    smallest = key < smallest ? key : smallest;
  }
  return smallest;
}

NW_CLONES double smallest_difference(const double* cost, const double* v, std::size_t count) {
  double smallest = std::numeric_limits<double>::max();
#pragma omp simd reduction(min : smallest)
  for (std::size_t k = 0; k < count; ++k) {
    const double value = cost[k] - v[k];
    smallest = value < smallest ? value : smallest;
  }
  return smallest;
}

/// values[k] = cost[k] - v[k]; returns the smallest.
NW_CLONES double differences(const double* cost, const double* v, std::size_t count,
                             double* __restrict values) {
  double smallest = kClosed;
#pragma omp simd reduction(min : smallest)
  for (std::size_t k = 0; k < count; ++k) {
    const double value = cost[k] - v[k];
    values[k] = value;
    smallest = value < smallest ? value : smallest;
  }
  return smallest;
}

NW_CLONES double largest_magnitude(const double* values, std::size_t count) {
  double largest = 0.0;
#pragma omp simd reduction(max : largest)
  for (std::size_t k = 0; k < count; ++k) {
    const double magnitude = __builtin_fabs(values[k]);
    largest = magnitude > largest ? magnitude : largest;
  }
  return largest;
}

/// Where distance + closed is `value`, which occurs.
NW_CLONES std::size_t find_sum(const double* distance, const double* closed, double value) {
  constexpr std::size_t kStrip = 16;
  for (std::size_t first = 0;; first += kStrip) {
    std::int64_t found = 0;
#pragma omp simd reduction(| : found)
    for (std::size_t k = 0; k < kStrip; ++k) {
      found |= std::int64_t{distance[first + k] + closed[first + k] == value} << k;
    }
    if (found != 0)
      return first + static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(found)));
  }
}

NW_CLONES void lower_to(const double* values, std::size_t count, double* __restrict least) {
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) least[k] = values[k] < least[k] ? values[k] : least[k];
}

NW_CLONES void fill_costs(const double* x, std::size_t dim, const double* y, std::size_t count,
                          bool root, double* __restrict cost) {
#pragma omp simd
  for (std::size_t j = 0; j < count; ++j) cost[j] = 0.0;
  for (std::size_t k = 0; k < dim; ++k) {
    const double coordinate = x[k];
    const double* const other = y + k * count;
#pragma omp simd
    for (std::size_t j = 0; j < count; ++j) {
      const double difference = coordinate - other[j];
      cost[j] += difference * difference;
    }
  }
  if (!root) return;
#pragma omp simd
  for (std::size_t j = 0; j < count; ++j) cost[j] = __builtin_sqrt(cost[j]);
}

}  // namespace

bool DenseTransport::solve(const PointProblem& problem, double tolerance, TransportResult& result) {
  const MatrixView x = problem.source.points, y = problem.target.points;
  n_ = x.rows(), m_ = y.rows();
  costs_.resize(n_ * m_);
  points_.resize(y.cols() * m_);
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t k = 0; k < y.cols(); ++k) points_[k * m_ + j] = y(j, k);
  }
  for (std::size_t i = 0; i < n_; ++i) {
    fill_costs(x.row(i).data(), x.cols(), points_.data(), m_, problem.cost == GroundCost::euclidean,
               costs_.data() + i * m_);
  }
  return solve_costs(problem.source.weights, problem.target.weights, tolerance, result);
}

bool DenseTransport::solve(const MatrixProblem& problem, double tolerance,
                           TransportResult& result) {
  n_ = problem.cost.rows(), m_ = problem.cost.cols();
  costs_.assign(problem.cost.values().begin(), problem.cost.values().end());
  return solve_costs(problem.source_weights, problem.target_weights, tolerance, result);
}

bool DenseTransport::solve_costs(std::span<const double> source_weights,
                                 std::span<const double> target_weights, double tolerance,
                                 TransportResult& result) {
  const double scale = largest_magnitude(costs_.data(), costs_.size());
  if (scale > 1e300) return false;  // sums of distances would leave the range of a double
  IntegerMasses masses = integer_masses(source_weights, n_, target_weights, m_);
  supply_ = std::move(masses.source);
  demand_ = std::move(masses.target);
  if (!send_all()) return false;
  result.pivots = static_cast<std::int64_t>(paths_);
  answer(static_cast<double>(masses.total), result);
  // Where costs tie, flow may run in a ring; a solver with a tree leaves none.
  return result.gap() <= tolerance * scale && result.plan.size() < n_ + m_;
}

bool DenseTransport::send_all() {
  start();
  paths_ = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    while (left_[i] > 0) {
      if (++paths_ > kPathsPerPoint * (n_ + m_)) return false;
      augment(i);
    }
  }
  return true;
}

void DenseTransport::start() {
  left_ = supply_;
  room_ = demand_;
  u_.assign(n_, 0.0);
  v_.assign(costs_.begin(), costs_.begin() + static_cast<std::ptrdiff_t>(m_));
  flow_.assign(n_ * m_, 0);
  suppliers_.resize(std::max(suppliers_.size(), m_));
  for (std::size_t j = 0; j < m_; ++j) suppliers_[j].clear();
  // With room for the last strip of find_sum.
  closed_.assign(m_ + 16, 0.0);
  distance_.assign(m_ + 16, kUnreached);
  final_.resize(m_);
  previous_.resize(m_);
  row_distance_.resize(n_);
  row_from_.resize(n_);
  seen_.assign(n_, 0);
  // Columns first, then rows: the largest potentials, and flow on the arcs they make tight.
  for (std::size_t i = 1; i < n_; ++i) lower_to(costs_.data() + i * m_, m_, v_.data());
  for (std::size_t i = 0; i < n_; ++i) {
    const double* const row = costs_.data() + i * m_;
    u_[i] = differences(row, v_.data(), m_, distance_.data());
    const std::size_t j = find_sum(distance_.data(), closed_.data(), u_[i]);
    const std::int64_t sent = std::min(left_[i], room_[j]);
    if (sent == 0) continue;
    add_flow(i, j, sent);
    left_[i] -= sent;
    room_[j] -= sent;
  }
}

void DenseTransport::add_flow(std::size_t source, std::size_t target, std::int64_t amount) {
  std::int64_t& flow = flow_[target * n_ + source];
  auto& suppliers = suppliers_[target];
  const auto id = static_cast<std::int32_t>(source);
  if (flow == 0) suppliers.push_back(id);
  flow += amount;
  if (flow != 0) return;
  *std::find(suppliers.begin(), suppliers.end(), id) = suppliers.back();
  suppliers.pop_back();
}

void DenseTransport::augment(std::size_t source) {
  std::fill_n(distance_.begin(), m_, kUnreached);
  done_.clear();
  rows_.assign(1, static_cast<std::int32_t>(source));
  seen_[source] = 1;
  row_distance_[source] = 0.0;
  double smallest =
      relax(costs_.data() + source * m_, v_.data(), -u_[source], static_cast<std::int64_t>(source),
            m_, distance_.data(), previous_.data(), closed_.data());
  std::size_t target = 0;
  double length = 0.0;
  for (;;) {
    target = find_sum(distance_.data(), closed_.data(), smallest);
    length = smallest;
    if (room_[target] > 0) break;
    // No later way leads here for less, and all that flows here may come from elsewhere.
    final_[target] = length;
    distance_[target] = -kUnreached;
    closed_[target] = kClosed;
    done_.push_back(static_cast<std::int32_t>(target));
    bool looked = false;
    for (const std::int32_t id : suppliers_[target]) {
      const auto row = static_cast<std::size_t>(id);
      if (seen_[row] != 0) continue;
      seen_[row] = 1;
      rows_.push_back(id);
      row_distance_[row] = length;
      row_from_[row] = static_cast<std::int32_t>(target);
      smallest = relax(costs_.data() + row * m_, v_.data(), length - u_[row], id, m_,
                       distance_.data(), previous_.data(), closed_.data());
      looked = true;
    }
    if (!looked) smallest = minimum_of(distance_.data(), closed_.data(), m_);
  }

  std::int64_t amount = std::min(left_[source], room_[target]);
  for (std::size_t j = target;;) {
    const auto row = static_cast<std::size_t>(previous_[j]);
    if (row == source) break;
    j = static_cast<std::size_t>(row_from_[row]);
    amount = std::min(amount, flow_[j * n_ + row]);
  }
  for (std::size_t j = target;;) {
    const auto row = static_cast<std::size_t>(previous_[j]);
    add_flow(row, j, amount);
    if (row == source) break;
    j = static_cast<std::size_t>(row_from_[row]);
    add_flow(row, j, -amount);
  }
  left_[source] -= amount;
  room_[target] -= amount;

  for (const std::int32_t id : rows_) {
    const auto row = static_cast<std::size_t>(id);
    u_[row] += length - row_distance_[row];
    seen_[row] = 0;
  }
  for (const std::int32_t id : done_) {
    const auto j = static_cast<std::size_t>(id);
    v_[j] -= length - final_[j];
    closed_[j] = 0.0;
  }
}

void DenseTransport::answer(double total, TransportResult& result) {
  result.termination = Termination::optimal;
  AccurateSum primal, dual;
  std::vector<std::uint32_t> begin(n_ + 1, 0);
  for (std::size_t j = 0; j < m_; ++j) {
    for (const std::int32_t i : suppliers_[j]) ++begin[static_cast<std::size_t>(i) + 1];
  }
  for (std::size_t i = 0; i < n_; ++i) begin[i + 1] += begin[i];
  result.plan.resize(begin[n_]);
  for (std::size_t j = 0; j < m_; ++j) {
    for (const std::int32_t id : suppliers_[j]) {
      const auto i = static_cast<std::size_t>(id);
      const double mass = static_cast<double>(flow_[j * n_ + i]) / total;
      result.plan[begin[i]++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                                 mass};
      primal.add_product(mass, costs_[i * m_ + j]);
    }
  }
  // The search leaves rounding errors in the potentials; these are feasible as computed.
  for (std::size_t i = 0; i < n_; ++i) {
    u_[i] = smallest_difference(costs_.data() + i * m_, v_.data(), m_);
    dual.add_product(static_cast<double>(supply_[i]) / total, u_[i]);
  }
  for (std::size_t j = 0; j < m_; ++j) {
    dual.add_product(static_cast<double>(demand_[j]) / total, v_[j]);
  }
  result.cost = primal.value();
  result.dual_objective = dual.value();
  result.source_potential = u_;
  result.target_potential = v_;
}

}  // namespace nw::ot
