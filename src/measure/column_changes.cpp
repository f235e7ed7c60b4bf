// Members of a component are exchangeable between X and Y when the component did not change, so
// every coordinate of them is: rank sum and Kolmogorov-Smirnov tests per coordinate, Bonferroni
// over the coordinates of a column (the levels of a category), Holm over all columns of all
// components.
#include "measure/column_changes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/matrix_rows.hpp"
#include "nw/base/parallel.hpp"

#include "measure/neighbour_support.hpp"
#include "measure/rank_tests.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kFewestMembers = 5;

struct Values {
  double mean = 0.0, deviation = 0.0;
};

Values moments_of(const std::vector<double>& values) {
  Values result;
  const double count = static_cast<double>(values.size());
  for (const double v : values) result.mean += v / count;
  double square = 0.0;
  for (const double v : values) square += (v - result.mean) * (v - result.mean) / count;
  result.deviation = std::sqrt(square);
  return result;
}

ColumnMove compare_coordinate(const std::vector<double>& x, const std::vector<double>& y,
                              std::size_t coordinate) {
  const Values a = moments_of(x), b = moments_of(y);
  const double unit = std::sqrt(0.5 * (a.deviation * a.deviation + b.deviation * b.deviation));
  ColumnMove move;
  move.coordinate = coordinate;
  move.from = a.mean;
  move.to = b.mean;
  move.deviations = unit > 0.0 ? (b.mean - a.mean) / unit : 0.0;
  move.spread_change =
      a.deviation > 0.0 && b.deviation > 0.0 ? std::log(b.deviation / a.deviation) : 0.0;
  move.p = two_sample_p(x, y);
  return move;
}

// The coordinate of a column that differs most, with a p-value for the whole column.
ColumnMove compare_column(const MemberRows& rows, const std::vector<std::size_t> (&chosen)[2],
                          const std::vector<std::size_t>& coordinates) {
  ColumnMove worst;
  worst.p = 2.0;
  for (const std::size_t c : coordinates) {
    std::vector<double> values[2];
    for (int s = 0; s < 2; ++s) {
      for (const std::size_t i : chosen[s]) values[s].push_back(rows.points[s](i, c));
    }
    const ColumnMove move = compare_coordinate(values[0], values[1], c);
    const bool further =
        move.p == worst.p && std::abs(move.deviations) > std::abs(worst.deviations);
    if (move.p < worst.p || further) worst = move;
  }
  worst.p = std::min(1.0, worst.p * static_cast<double>(coordinates.size()));
  return worst;
}

}  // namespace

MemberRows assign_members(const WorkingData& work, const PooledRows& pool, const SharedModel& model,
                          double ridge, int threads, Rng rng) {
  const ComponentDensity density(model.mixture, ridge);
  MemberRows rows;
  std::vector<Sample> samples(2);
  std::vector<std::vector<std::uint32_t>> member(2);
  for (std::size_t s = 0; s < 2; ++s) {
    const std::span<const std::size_t> chosen =
        std::span(pool.row).subspan(s == 0 ? 0 : pool.in_x, s == 0 ? pool.in_x : pool.in_y);
    rows.points[s] = rows_at(work.given[s].points, chosen);
    samples[s].points = Matrix(chosen.size(), work.dim());
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      std::ranges::copy(reduce(work.reduction, rows.points[s].row(i)),
                        samples[s].points.row(i).begin());
    }
    samples[s].weights.assign(chosen.size(), 1.0 / static_cast<double>(chosen.size()));
    const Posterior p =
        posterior(density.log_density(samples[s].points), model.pi[s], samples[s].weights);
    for (Eigen::Index i = 0; i < p.probability.rows(); ++i) {
      Eigen::Index best = 0;
      p.probability.row(i).maxCoeff(&best);
      rows.likeliest[s].push_back(static_cast<std::uint32_t>(best));
      member[s].push_back(static_cast<std::uint32_t>(rng.categorical(
          {p.probability.row(i).data(), static_cast<std::size_t>(p.probability.cols())})));
    }
  }
  drop_unsupported(samples, model.mixture.size(), threads, member);
  for (std::size_t s = 0; s < 2; ++s) rows.member[s] = std::move(member[s]);
  return rows;
}

std::vector<std::vector<std::size_t>> coordinates_of_columns(
    const std::vector<std::uint32_t>& column_of, std::size_t dim) {
  std::vector<std::vector<std::size_t>> columns;
  for (std::size_t c = 0; c < dim; ++c) {
    const std::size_t column = column_of.empty() ? c : column_of[c];
    if (column >= columns.size()) columns.resize(column + 1);
    columns[column].push_back(c);
  }
  return columns;
}

void find_moved_columns(const MemberRows& rows,
                        const std::vector<std::vector<std::size_t>>& columns, double alpha,
                        int threads, CompareResult& result) {
  const std::size_t k = result.components.size(), count = columns.size();
  std::vector<ColumnMove> moves(k * count);
  std::vector<std::uint8_t> tested(k, 0);
  for (std::size_t j = 0; j < k; ++j) {
    std::vector<std::size_t> chosen[2];
    for (int s = 0; s < 2; ++s) {
      for (std::size_t i = 0; i < rows.member[s].size(); ++i) {
        if (rows.member[s][i] == j) chosen[s].push_back(i);
      }
    }
    tested[j] = std::min(chosen[0].size(), chosen[1].size()) >= kFewestMembers;
    if (!tested[j]) continue;
    parallel_for(threads, count, 1, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t c = begin; c < end; ++c) {
        moves[j * count + c] = compare_column(rows, chosen, columns[c]);
        moves[j * count + c].column = c;
      }
    });
  }
  std::vector<double> p;
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t c = 0; c < count && tested[j] != 0; ++c) p.push_back(moves[j * count + c].p);
  }
  const std::vector<double> corrected = holm(p);
  std::size_t at = 0;
  for (std::size_t j = 0; j < k; ++j) {
    for (std::size_t c = 0; c < count && tested[j] != 0; ++c, ++at) {
      if (corrected[at] >= alpha) continue;
      moves[j * count + c].p = corrected[at];
      result.components[j].columns_moved.push_back(moves[j * count + c]);
      result.effect.any_member_moved = true;
    }
    std::ranges::stable_sort(result.components[j].columns_moved, {}, &ColumnMove::p);
  }
}

void describe_columns(const MemberProfile& profile, const MemberRows& rows,
                      const std::vector<std::vector<std::size_t>>& columns, CompareResult& result) {
  std::vector<double> p;
  for (const auto& coordinates : columns) {
    ColumnChange column;
    double width = 0.0, smallest = 1.0;
    for (const std::size_t c : coordinates) width += profile.deviation[c] * profile.deviation[c];
    width = std::sqrt(width);
    for (const std::size_t c : coordinates) {
      if (!(profile.deviation[c] > 0.0)) continue;
      const ColumnParts parts = column_parts(profile, c);
      const double scale = profile.deviation[c] / width;
      column.change_between += scale * parts.between;
      column.change_within += scale * parts.within;
      std::vector<double> values[2];
      for (int s = 0; s < 2; ++s) {
        for (std::size_t i = 0; i < rows.points[s].rows(); ++i) {
          values[s].push_back(rows.points[s](i, c));
        }
      }
      smallest = std::min(smallest, two_sample_p(values[0], values[1]));
    }
    column.change = column.change_between + column.change_within;
    p.push_back(std::min(1.0, smallest * static_cast<double>(coordinates.size())));
    result.columns.push_back(column);
  }
  const std::vector<double> corrected = holm(p);
  for (std::size_t c = 0; c < corrected.size(); ++c) result.columns[c].p = corrected[c];
}

void name_members(const MemberRows& rows, CompareResult& result) {
  for (std::size_t i = 0; i < result.scores_x.size(); ++i) {
    result.scores_x[i].member = rows.likeliest[0][i];
  }
  for (std::size_t i = 0; i < result.scores_y.size(); ++i) {
    result.scores_y[i].member = rows.likeliest[1][i];
  }
}

}  // namespace nw::measure
