#include "cluster/neighbour_graph.hpp"

#include <algorithm>
#include <cmath>

namespace nw::cluster {

double affinity(double squared, double scale, double other) {
  return squared == 0.0 ? 1.0 : std::exp(-squared / (scale * other));
}

std::vector<double> scales_of(const NearestRows& near, std::size_t place) {
  const std::size_t n = near.row.size() / near.count;
  std::vector<double> scale(n);
  double mean = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    scale[i] = std::sqrt(near.distance[i * near.count + place]);
    mean += scale[i] / static_cast<double>(n);
  }
  constexpr double kSmall = 1e-3;
  for (double& s : scale) s = std::max(s, mean > 0.0 ? kSmall * mean : 1.0);
  return scale;
}

NearestRows nearest_of(const NearestRows& near, std::size_t count) {
  if (count == near.count) return near;
  const std::size_t n = near.row.size() / near.count;
  NearestRows some{.count = count, .row = {}, .distance = {}};
  some.row.reserve(n * count);
  some.distance.reserve(n * count);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < count; ++c) {
      some.row.push_back(near.row[i * near.count + c]);
      some.distance.push_back(near.distance[i * near.count + c]);
    }
  }
  return some;
}

SparseSymmetric neighbour_graph(const NearestRows& near, const std::vector<double>& scale) {
  const std::size_t n = scale.size();
  std::vector<std::vector<std::pair<std::uint32_t, double>>> rows(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < near.count; ++c) {
      const std::uint32_t j = near.row[i * near.count + c];
      const double weight = affinity(near.distance[i * near.count + c], scale[i], scale[j]);
      rows[i].emplace_back(j, weight);
      rows[j].emplace_back(static_cast<std::uint32_t>(i), weight);
    }
  }
  SparseSymmetric graph{.begin = {0}, .column = {}, .value = {}};
  for (auto& row : rows) {
    std::sort(row.begin(), row.end());
    // Rounding may tell the two directions of an edge apart by the last digit; one of them stays.
    const auto last = std::unique(row.begin(), row.end(),
                                  [](const auto& a, const auto& b) { return a.first == b.first; });
    for (auto entry = row.begin(); entry != last; ++entry) {
      graph.column.push_back(entry->first);
      graph.value.push_back(entry->second);
    }
    graph.begin.push_back(graph.column.size());
  }
  return graph;
}

Eigen::VectorXd degrees(const SparseSymmetric& graph) {
  Eigen::VectorXd degree = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(graph.rows()));
  for (std::size_t i = 0; i < graph.rows(); ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      degree[static_cast<Eigen::Index>(i)] += graph.value[e];
    }
  }
  return degree.cwiseMax(1e-12);
}

SparseSymmetric walk_of(SparseSymmetric graph, const Eigen::VectorXd& degree) {
  for (std::size_t i = 0; i < graph.rows(); ++i) {
    for (std::size_t e = graph.begin[i]; e < graph.begin[i + 1]; ++e) {
      graph.value[e] /= std::sqrt(degree[static_cast<Eigen::Index>(i)] * degree[graph.column[e]]);
    }
  }
  return graph;
}

}  // namespace nw::cluster
