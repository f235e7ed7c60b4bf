#include "measure/possible_moves.hpp"

#include <algorithm>
#include <cmath>

namespace nw::measure {
namespace {

constexpr double kMostDeviations = 6.0;
constexpr double kMostShareRatio = 2.0;
constexpr double kCounts = 0.1;   // of the pair's share: smaller components are dust
constexpr double kTelling = 0.5;  // deviations in a column that are worth naming
constexpr std::size_t kMostColumns = 3;

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

double largest_share(const ComponentChange& component) {
  return std::max(component.mass_x, component.mass_y);
}

/// Whether `other` is nearer to `from` than any third component that counts.
bool nearest(const std::vector<ComponentChange>& components, std::size_t from, std::size_t other) {
  const double reach = squared_distance(components[from].centre, components[other].centre);
  const double counts =
      kCounts * std::min(largest_share(components[from]), largest_share(components[other]));
  for (std::size_t j = 0; j < components.size(); ++j) {
    if (j == from || j == other || largest_share(components[j]) < counts) continue;
    if (squared_distance(components[from].centre, components[j].centre) <= reach) return false;
  }
  return true;
}

/// Mean of the covariances of two components: their spread, whichever of them is looked at.
Matrix pooled_covariance(const Component& a, const Component& b) {
  Matrix pooled = covariance(a);
  const Matrix other = covariance(b);
  for (std::size_t i = 0; i < pooled.rows(); ++i) {
    for (std::size_t j = 0; j < pooled.cols(); ++j) {
      pooled(i, j) = 0.5 * (pooled(i, j) + other(i, j));
    }
  }
  return pooled;
}

/// |b - a| in deviations along b - a; infinite where there is no spread.
double separation(const std::vector<double>& a, const std::vector<double>& b,
                  const Matrix& spread) {
  double variance = 0.0;  // of the direction, times its squared length
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < a.size(); ++j) {
      variance += (b[i] - a[i]) * spread(i, j) * (b[j] - a[j]);
    }
  }
  return squared_distance(a, b) / std::sqrt(std::max(variance, 0.0));
}

/// The columns in which two centres lie apart, the most telling first.
std::vector<ColumnGap> column_gaps(const std::vector<double>& a, const std::vector<double>& b,
                                   const Matrix& spread,
                                   const std::vector<std::uint32_t>& column_of) {
  std::vector<ColumnGap> gaps;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double deviation = std::sqrt(std::max(spread(c, c), 0.0));
    if (!(deviation > 0.0)) continue;
    const ColumnGap gap{.column = column_of.empty() ? c : column_of[c],
                        .coordinate = c,
                        .from = a[c],
                        .to = b[c],
                        .deviations = (b[c] - a[c]) / deviation};
    if (std::abs(gap.deviations) < kTelling) continue;
    const auto same = std::ranges::find(gaps, gap.column, &ColumnGap::column);
    if (same == gaps.end()) {
      gaps.push_back(gap);
    } else if (std::abs(gap.deviations) > std::abs(same->deviations)) {
      *same = gap;
    }
  }
  std::ranges::stable_sort(gaps, std::ranges::greater{},
                           [](const ColumnGap& gap) { return std::abs(gap.deviations); });
  if (gaps.size() > kMostColumns) gaps.resize(kMostColumns);
  return gaps;
}

}  // namespace

std::vector<PossibleMove> find_possible_moves(const std::vector<ComponentChange>& components,
                                              const Mixture& mixture,
                                              const std::vector<std::uint32_t>& column_of) {
  std::vector<PossibleMove> moves;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (components[i].status != MemberStatus::missing_from_y) continue;
    for (std::size_t j = 0; j < components.size(); ++j) {
      if (components[j].status != MemberStatus::new_in_y) continue;
      const double ratio = components[j].mass_y / components[i].mass_x;
      if (!(ratio <= kMostShareRatio && ratio >= 1.0 / kMostShareRatio)) continue;
      if (!nearest(components, i, j) || !nearest(components, j, i)) continue;
      const auto &from = components[i].centre, &to = components[j].centre;
      const Matrix spread = pooled_covariance(mixture.components[i], mixture.components[j]);
      const double deviations = separation(from, to, spread);
      if (!(deviations <= kMostDeviations)) continue;
      moves.push_back({.gone = i,
                       .appeared = j,
                       .deviations = deviations,
                       .columns = column_gaps(from, to, spread, column_of)});
    }
  }
  return moves;
}

}  // namespace nw::measure
