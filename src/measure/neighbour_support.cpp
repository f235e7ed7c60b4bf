#include "measure/neighbour_support.hpp"

#include <algorithm>
#include <span>

#include "nw/base/parallel.hpp"

namespace nw::measure {
namespace {

// Neighbours asked at most; a component of few members asks half as many as it has, since a row
// cannot have more neighbours of its own kind than there are.
constexpr std::size_t kMostNeighbours = 20;
constexpr std::size_t kFewestNeighbours = 3;
constexpr int kMostVotes = 30;
constexpr double kAgreement = 0.75;

struct Row {
  std::span<const double> point;
  std::uint32_t kind;
  std::uint32_t sample, place;
};

// Nearest rows of each row, none for rows of the smallest components. Ties go to the lower row, so
// that the choice is the same everywhere.
std::vector<std::vector<std::uint32_t>> find_neighbours(const std::vector<Row>& rows,
                                                        const std::vector<std::size_t>& members,
                                                        int threads) {
  struct Candidate {
    double distance;
    std::uint32_t row;
    auto operator<=>(const Candidate&) const = default;
  };
  std::vector<std::vector<std::uint32_t>> neighbours(rows.size());
  parallel_for(threads, rows.size(), 16, [&](std::size_t begin, std::size_t end, int) {
    std::vector<Candidate> others(rows.size());
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t ask = std::min(kMostNeighbours, members[rows[i].kind] / 2);
      if (ask < kFewestNeighbours) continue;
      for (std::size_t j = 0; j < rows.size(); ++j) {
        double square = 0.0;
        for (std::size_t c = 0; c < rows[i].point.size(); ++c) {
          const double difference = rows[i].point[c] - rows[j].point[c];
          square += difference * difference;
        }
        others[j] = {square, static_cast<std::uint32_t>(j)};
      }
      std::swap(others[i], others.back());
      const auto nearest = others.begin() + static_cast<std::ptrdiff_t>(ask);
      std::nth_element(others.begin(), nearest, others.end() - 1);
      for (auto it = others.begin(); it != nearest; ++it) neighbours[i].push_back(it->row);
    }
  });
  return neighbours;
}

// The kind most neighbours have; its own where that is among the most frequent.
std::uint32_t winner(const std::vector<std::uint32_t>& neighbours,
                     const std::vector<std::uint32_t>& kind, std::uint32_t own,
                     std::vector<std::size_t>& count) {
  std::ranges::fill(count, std::size_t{0});
  for (const std::uint32_t j : neighbours) ++count[kind[j]];
  const auto most = std::ranges::max_element(count);
  return count[own] == *most ? own : static_cast<std::uint32_t>(most - count.begin());
}

}  // namespace

void drop_unsupported(const std::vector<Sample>& samples, std::size_t components, int threads,
                      std::vector<std::vector<std::uint32_t>>& member) {
  std::vector<Row> rows;
  std::vector<std::uint32_t> kind;
  std::vector<std::size_t> members(components, 0);
  for (std::uint32_t s = 0; s < samples.size(); ++s) {
    for (std::uint32_t i = 0; i < samples[s].rows(); ++i) {
      if (samples[s].weights[i] <= 0.0) continue;
      rows.push_back({samples[s].points.row(i), member[s][i], s, i});
      kind.push_back(member[s][i]);
      ++members[member[s][i]];
    }
  }
  const auto neighbours = find_neighbours(rows, members, threads);

  std::vector<std::size_t> count(components);
  for (int vote = 0; vote < kMostVotes; ++vote) {
    std::vector<std::uint32_t> elected = kind;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!neighbours[i].empty()) elected[i] = winner(neighbours[i], kind, kind[i], count);
    }
    if (elected == kind) break;
    kind = std::move(elected);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (neighbours[i].empty()) continue;
    const auto alike =
        std::ranges::count_if(neighbours[i], [&](auto j) { return kind[j] == kind[i]; });
    const bool agreed =
        static_cast<double>(alike) >= kAgreement * static_cast<double>(neighbours[i].size());
    if (kind[i] != rows[i].kind || !agreed) member[rows[i].sample][rows[i].place] = kNobody;
  }
}

}  // namespace nw::measure
