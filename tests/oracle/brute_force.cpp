#include "oracle/brute_force.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace nw::oracle {

Matrix cost_matrix(const ot::PointProblem& problem) {
  const MatrixView x = problem.source.points, y = problem.target.points;
  Matrix cost(x.rows(), y.rows());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < y.rows(); ++j) {
      long double sum = 0.0L;
      for (std::size_t k = 0; k < x.cols(); ++k) {
        const long double difference = static_cast<long double>(x(i, k)) - y(j, k);
        sum += difference * difference;
      }
      if (problem.cost == ot::GroundCost::euclidean) sum = std::sqrt(sum);
      cost(i, j) = static_cast<double>(sum);
    }
  }
  return cost;
}

std::vector<double> masses(std::span<const double> weights, std::size_t count) {
  if (weights.empty()) return std::vector<double>(count, 1.0 / static_cast<double>(count));
  const long double total = std::accumulate(weights.begin(), weights.end(), 0.0L);
  std::vector<double> result(count);
  for (std::size_t i = 0; i < count; ++i) {
    result[i] = static_cast<double>(weights[i] / total);
  }
  return result;
}

double best_assignment(MatrixView cost) {
  std::vector<std::size_t> permutation(cost.rows());
  std::iota(permutation.begin(), permutation.end(), std::size_t{0});
  double best = std::numeric_limits<double>::infinity();
  do {
    double sum = 0.0;
    for (std::size_t i = 0; i < permutation.size(); ++i) sum += cost(i, permutation[i]);
    best = std::min(best, sum);
  } while (std::next_permutation(permutation.begin(), permutation.end()));
  return best / static_cast<double>(cost.rows());
}

double min_cost_flow(MatrixView cost, std::span<const double> source,
                     std::span<const double> target) {
  const std::size_t n = cost.rows(), m = cost.cols();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kDust = 1e-15;  // of a total mass of one
  std::vector<double> supply(source.begin(), source.end()), demand(target.begin(), target.end());
  Matrix flow(n, m);
  double scale = 0.0;
  for (const double c : cost.values()) scale = std::max(scale, std::abs(c));
  const double slack = 1e-14 * scale;  // so that rounding makes no negative cycles

  for (;;) {
    // Shortest distances from all sources with supply to all nodes: sources, then targets.
    std::vector<double> distance(n + m, kInfinity);
    std::vector<std::size_t> parent(n + m, n + m);
    for (std::size_t i = 0; i < n; ++i) {
      if (supply[i] > kDust) distance[i] = 0.0;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < m; ++j) {
          if (distance[i] + cost(i, j) < distance[n + j] - slack) {
            distance[n + j] = distance[i] + cost(i, j);
            parent[n + j] = i;
            changed = true;
          }
          if (flow(i, j) > 0.0 && distance[n + j] - cost(i, j) < distance[i] - slack) {
            distance[i] = distance[n + j] - cost(i, j);
            parent[i] = n + j;
            changed = true;
          }
        }
      }
    }
    std::size_t end = n + m;
    for (std::size_t j = 0; j < m; ++j) {
      if (demand[j] > kDust && (end == n + m || distance[n + j] < distance[end])) end = n + j;
    }
    if (end == n + m || distance[end] == kInfinity) break;
    double amount = demand[end - n];
    std::size_t start = end;
    for (; parent[start] != n + m; start = parent[start]) {
      if (start < n) amount = std::min(amount, flow(start, parent[start] - n));
    }
    amount = std::min(amount, supply[start]);
    for (std::size_t v = end; parent[v] != n + m; v = parent[v]) {
      if (v < n) {
        double& back = flow(v, parent[v] - n);
        back = back - amount < kDust ? 0.0 : back - amount;
      } else {
        flow(parent[v], v - n) += amount;
      }
    }
    supply[start] -= amount;
    demand[end - n] -= amount;
  }
  double total = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) total += flow(i, j) * cost(i, j);
  }
  return total;
}

}  // namespace nw::oracle
