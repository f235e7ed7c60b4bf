#include "measure/neighbour_support.hpp"

#include <algorithm>

#include "nw/base/parallel.hpp"

namespace nw::measure {
namespace {

// Neighbours asked at most; a component of few members asks half as many as it has, since a row
// cannot have more neighbours of its own kind than there are.
constexpr std::size_t kMostNeighbours = 30;
constexpr std::size_t kFewestNeighbours = 3;

struct Neighbour {
  double distance;
  std::uint32_t row;
};

}  // namespace

void drop_unsupported(const std::vector<Sample>& samples, std::size_t components, int threads,
                      std::vector<std::vector<std::uint32_t>>& member) {
  std::vector<std::span<const double>> point;
  std::vector<std::uint32_t> kind;
  std::vector<std::size_t> members(components, 0);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (std::size_t i = 0; i < samples[s].rows(); ++i) {
      if (samples[s].weights[i] <= 0.0) continue;
      point.push_back(samples[s].points.row(i));
      kind.push_back(member[s][i]);
      ++members[member[s][i]];
    }
  }
  std::vector<char> keep(point.size(), 1);
  parallel_for(threads, point.size(), 16, [&](std::size_t begin, std::size_t end, int) {
    std::vector<Neighbour> others(point.size());
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t ask = std::min(kMostNeighbours, members[kind[i]] / 2);
      if (ask < kFewestNeighbours) continue;
      for (std::size_t j = 0; j < point.size(); ++j) {
        double square = 0.0;
        for (std::size_t c = 0; c < point[i].size(); ++c) {
          const double difference = point[i][c] - point[j][c];
          square += difference * difference;
        }
        others[j] = {square, static_cast<std::uint32_t>(j)};
      }
      std::swap(others[i], others.back());
      const auto nearest = others.begin() + static_cast<std::ptrdiff_t>(ask);
      // Ties are broken by row, so that the choice is the same on every machine.
      std::nth_element(others.begin(), nearest, others.end() - 1, [](auto& a, auto& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
      });
      const auto alike = static_cast<std::size_t>(std::count_if(
          others.begin(), nearest, [&](const Neighbour& n) { return kind[n.row] == kind[i]; }));
      keep[i] = 2 * alike > ask;
    }
  });
  std::size_t at = 0;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (std::size_t i = 0; i < samples[s].rows(); ++i) {
      if (samples[s].weights[i] <= 0.0) continue;
      if (keep[at++] == 0) member[s][i] = kNobody;
    }
  }
}

}  // namespace nw::measure
