#include "measure/pooled_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace nw::measure {
namespace {

// Range from the 10 % to the 90 % point of a standard normal.
constexpr double kNormalRange = 2.5631031310892007;
constexpr double kLinearWidths = 3.0;
// Values that differ by less are equal: what a change of units does to them by rounding.
constexpr double kGrain = 0x1p-30;

std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
  h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
  return h ^ (h >> 31);
}

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

std::vector<double> column_values(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                                  std::size_t c) {
  std::vector<double> values;
  values.reserve(x.points.rows() + y.points.rows());
  for (const auto* side : {&x, &y}) {
    for (std::size_t i = 0; i < side->points.rows(); ++i) values.push_back(side->points(i, c));
  }
  return values;
}

// What tells columns apart whatever the order of rows: the mean of each sample, by a sum in
// ascending order.
struct ColumnKey {
  double mean_x, mean_y, cube;
  auto operator<=>(const ColumnKey&) const = default;
};

ColumnKey key_of(const ot::WeightedPoints& x, const ot::WeightedPoints& y, std::size_t c,
                 const ColumnScale& scale) {
  double sums[3] = {0.0, 0.0, 0.0};
  std::vector<double> cubes;
  for (int s = 0; s < 2; ++s) {
    const auto& points = s == 0 ? x.points : y.points;
    std::vector<double> u(points.rows());
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = scale.apply(points(i, c));
    std::ranges::sort(u);
    sums[s] = std::accumulate(u.begin(), u.end(), 0.0) / static_cast<double>(u.size());
    for (const double v : u) sums[2] += v * v * v / static_cast<double>(u.size());
  }
  const auto round = [](double v) { return std::round(v / kGrain) * kGrain; };
  return {round(sums[0]), round(sums[1]), round(sums[2])};
}

std::uint64_t hash_row(std::span<const double> row) {
  std::uint64_t h = 0x9e3779b97f4a7c15u;
  for (const double v : row) {
    h = mix(h + std::bit_cast<std::uint64_t>(v + 0.0) + 0x9e3779b97f4a7c15u);
  }
  return h;
}

struct Candidate {
  std::size_t row;
  std::uint64_t hash;
};

// The rows of one sample in the order of a hash of their content; the first so many are a random
// subsample that no order of rows changes. Equal rows have equal hashes and are interchangeable,
// but a hash alone would keep or drop them together: their number within the value is mixed in.
std::vector<Candidate> order_by_content(const RowMatrix& scaled, std::span<const double> weights) {
  const auto rows = static_cast<std::size_t>(scaled.rows());
  std::vector<Candidate> order(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    order[i] = {i, hash_row({scaled.row(static_cast<Eigen::Index>(i)).data(),
                             static_cast<std::size_t>(scaled.cols())})};
  }
  const auto by_hash = [](const Candidate& a, const Candidate& b) { return a.hash < b.hash; };
  std::stable_sort(order.begin(), order.end(), by_hash);
  std::uint64_t copies = 0, previous = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    copies = i > 0 && order[i].hash == previous ? copies + 1 : 0;
    previous = order[i].hash;
    order[i].hash = mix(order[i].hash + copies * 0xd1b54a32d192ed03u);
  }
  std::stable_sort(order.begin(), order.end(), by_hash);
  if (!weights.empty()) {
    const double most = *std::ranges::max_element(weights);
    std::erase_if(order, [&](const Candidate& c) {
      const double chance = static_cast<double>(mix(c.hash) >> 11) * 0x1p-53;
      return chance * most >= weights[c.row];
    });
  }
  return order;
}

void add_principal_components(PooledRows& pool) {
  const Eigen::Index columns = pool.scaled.cols();
  const double rows = static_cast<double>(pool.rows());
  pool.principal.resize(pool.scaled.rows(), 0);
  pool.variance.resize(0);
  if (columns == 0) return;
  const Eigen::RowVectorXd mean = pool.scaled.colwise().mean();
  const RowMatrix centred = pool.scaled.rowwise() - mean;
  const SymmetricEigen eigen = symmetric_eigen(RowMatrix(centred.transpose() * centred / rows));
  const double largest = eigen.values(columns - 1);
  Eigen::Index kept = 0;
  while (kept < columns && kept < pool.scaled.rows() &&
         eigen.values(columns - 1 - kept) > 1e-6 * largest) {
    ++kept;
  }
  pool.principal.resize(pool.scaled.rows(), kept);
  pool.variance.resize(kept);
  for (Eigen::Index k = 0; k < kept; ++k) {
    pool.variance(k) = eigen.values(columns - 1 - k);
    Eigen::VectorXd axis = centred * eigen.vectors.col(columns - 1 - k);
    // An eigenvector has no sign of its own; the third moment gives it one.
    const double sign = axis.array().cube().sum() < 0.0 ? -1.0 : 1.0;
    pool.principal.col(k) = sign / std::sqrt(pool.variance(k)) * axis;
  }
}

}  // namespace

double ColumnScale::apply(double value) const {
  const double u = (value - centre) / width;
  const double beyond = std::abs(u) - kLinearWidths;
  const double bent = beyond > 0.0 ? std::copysign(kLinearWidths + std::log1p(beyond), u) : u;
  return std::round(bent / kGrain) * kGrain;
}

ColumnScale column_scale(std::vector<double> values) {
  std::ranges::sort(values);
  ColumnScale scale{.centre = quantile(values, 0.5),
                    .width = (quantile(values, 0.9) - quantile(values, 0.1)) / kNormalRange};
  if (scale.width > 0.0 || values.front() == values.back()) return scale;
  double mean = 0.0, square = 0.0;
  for (const double v : values) mean += (v - scale.centre) / static_cast<double>(values.size());
  for (const double v : values) {
    square +=
        (v - scale.centre - mean) * (v - scale.centre - mean) / static_cast<double>(values.size());
  }
  scale.width = std::sqrt(square);
  return scale;
}

PooledRows pool_rows(const ot::WeightedPoints& x, const ot::WeightedPoints& y,
                     std::size_t max_rows) {
  PooledRows pool;
  std::vector<ColumnKey> key;
  for (std::size_t c = 0; c < x.points.cols(); ++c) {
    pool.scale.push_back(column_scale(column_values(x, y, c)));
    key.push_back({});
    if (!pool.scale[c].varies()) continue;
    key[c] = key_of(x, y, c, pool.scale[c]);
    pool.column.push_back(c);
  }
  std::stable_sort(pool.column.begin(), pool.column.end(),
                   [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });

  const auto columns = static_cast<Eigen::Index>(pool.column.size());
  RowMatrix sides[2];
  std::vector<Candidate> chosen[2];
  for (int s = 0; s < 2; ++s) {
    const auto& side = s == 0 ? x : y;
    sides[s].resize(static_cast<Eigen::Index>(side.points.rows()), columns);
    for (std::size_t i = 0; i < side.points.rows(); ++i) {
      for (std::size_t k = 0; k < pool.column.size(); ++k) {
        sides[s](static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
            pool.scale[pool.column[k]].apply(side.points(i, pool.column[k]));
      }
    }
    chosen[s] = order_by_content(sides[s], side.weights);
    if (chosen[s].size() > max_rows) chosen[s].resize(max_rows);
    for (const auto& c : chosen[s]) pool.fingerprint = mix(pool.fingerprint + c.hash);
  }
  pool.in_x = chosen[0].size();
  pool.in_y = chosen[1].size();
  pool.scaled.resize(static_cast<Eigen::Index>(pool.rows()), columns);
  Eigen::Index at = 0;
  for (int s = 0; s < 2; ++s) {
    for (const auto& c : chosen[s]) {
      pool.scaled.row(at++) = sides[s].row(static_cast<Eigen::Index>(c.row));
      pool.row.push_back(c.row);
    }
  }
  add_principal_components(pool);
  return pool;
}

RowMatrix leading_components(const PooledRows& pool, double keep_variance, std::size_t most) {
  const double total = pool.variance.sum();
  Eigen::Index kept = 0;
  double sum = 0.0;
  while (kept < pool.variance.size() && kept < static_cast<Eigen::Index>(most) &&
         sum < keep_variance * total) {
    sum += pool.variance(kept++);
  }
  return pool.principal.leftCols(kept) * pool.variance.head(kept).cwiseSqrt().asDiagonal();
}

}  // namespace nw::measure
