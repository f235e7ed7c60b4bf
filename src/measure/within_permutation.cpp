// Under "same components, free proportions" the members of a component are exchangeable between X
// and Y whatever the proportions are. Relabelling them within components therefore draws from the
// null distribution, exactly so when memberships are known, and without assuming any family.
//
// Three statistics per component: the Wasserstein distance between its members, the length of the
// difference of means, and that of the difference of covariances, the last two in coordinates
// whitened by all its members. Each is standardised over the relabellings and the observed
// labelling together; a component's score is the largest of its three, the overall score the sum of
// squares of the positive ones. The correction for the number of components compares with the
// largest score of each relabelling (Westfall and Young 1993, single step).
#include "measure/within_permutation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "nw/base/team.hpp"
#include "nw/ot/exact.hpp"

#include "measure/dense.hpp"
#include "measure/shared_em.hpp"

namespace nw::measure {
namespace {

constexpr std::size_t kStatistics = 3;
// Members of each side in the transport problems; means and covariances use all.
constexpr std::size_t kMembersForDistance = 150;

struct Stratum {
  RowMatrix points;  // all members, X first
  RowMatrix white;   // whitened by their common moments
  std::vector<double> weight;
  std::size_t in_x = 0;  // the first so many belong to X
  double scale = 0.0;

  [[nodiscard]] std::size_t size() const { return weight.size(); }
  [[nodiscard]] bool testable() const { return in_x >= 2 && size() - in_x >= 2; }
};

Stratum gather_stratum(const std::vector<Sample>& samples,
                       const std::vector<std::vector<std::uint32_t>>& member, std::size_t j,
                       Rng& rng) {
  Stratum stratum;
  std::vector<std::vector<std::size_t>> rows(2);
  for (std::size_t s = 0; s < 2; ++s) {
    for (std::size_t i = 0; i < member[s].size(); ++i) {
      if (member[s][i] == j && samples[s].weights[i] > 0.0) rows[s].push_back(i);
    }
  }
  // In random order, because the transport problems take the first members of each side.
  for (auto& side : rows) rng.shuffle(std::span(side));
  stratum.in_x = rows[0].size();
  const auto dim = static_cast<Eigen::Index>(samples[0].points.cols());
  stratum.points.resize(static_cast<Eigen::Index>(rows[0].size() + rows[1].size()), dim);
  Eigen::Index at = 0;
  for (std::size_t s = 0; s < 2; ++s) {
    for (const std::size_t i : rows[s]) {
      stratum.points.row(at++) = as_eigen(samples[s].points.row(i)).transpose();
      stratum.weight.push_back(samples[s].weights[i] * static_cast<double>(samples[s].rows()));
    }
  }
  if (!stratum.testable()) return stratum;

  const Eigen::VectorXd mean = stratum.points.colwise().mean();
  const RowMatrix centred = stratum.points.rowwise() - mean.transpose();
  RowMatrix sigma = centred.transpose() * centred / static_cast<double>(stratum.size());
  stratum.scale = std::sqrt(sigma.trace() / static_cast<double>(dim));
  sigma = constrained_covariance(sigma, Shape::full, static_cast<double>(stratum.size()));
  sigma.diagonal().array() += density_ridge(stratum.scale * stratum.scale);
  stratum.white = whitened_rows(cholesky_factor(sigma).lower, centred);

  return stratum;
}

double distance_between(const Stratum& stratum, std::span<const std::uint32_t> x,
                        std::span<const std::uint32_t> y, ot::GroundCost cost) {
  const auto dim = static_cast<std::size_t>(stratum.points.cols());
  const auto side = [&](std::span<const std::uint32_t> rows) {
    rows = rows.first(std::min(rows.size(), kMembersForDistance));
    Sample result{.points = Matrix(rows.size(), dim), .weights = {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t c = 0; c < dim; ++c) {
        result.points(i, c) = stratum.points(rows[i], static_cast<Eigen::Index>(c));
      }
      result.weights.push_back(stratum.weight[rows[i]]);
    }
    return result;
  };
  const Sample a = side(x), b = side(y);
  ot::ExactOptions options;
  options.threads = 1;
  const double value =
      ot::solve_exact(ot::PointProblem{.source = a.view(), .target = b.view(), .cost = cost},
                      options)
          .cost;
  return cost == ot::GroundCost::squared_euclidean ? std::sqrt(std::max(value, 0.0)) : value;
}

struct Moments {
  double mass = 0.0;
  Eigen::VectorXd mean;
  RowMatrix second;
};

Moments moments(const Stratum& stratum, std::span<const std::uint32_t> rows) {
  const auto dim = stratum.white.cols();
  Moments m{.mass = 0.0, .mean = Eigen::VectorXd::Zero(dim), .second = RowMatrix::Zero(dim, dim)};
  for (const std::uint32_t i : rows) {
    const auto u = stratum.white.row(i);
    m.mass += stratum.weight[i];
    m.mean += stratum.weight[i] * u.transpose();
    m.second.noalias() += stratum.weight[i] * u.transpose() * u;
  }
  m.mean /= m.mass;
  m.second = m.second / m.mass - RowMatrix(m.mean * m.mean.transpose());
  return m;
}

std::array<double, kStatistics> statistics(const Stratum& stratum,
                                           const std::vector<std::uint32_t>& order,
                                           ot::GroundCost cost) {
  const auto rows_x = std::span(order).first(stratum.in_x);
  const auto rows_y = std::span(order).subspan(stratum.in_x);
  const Moments x = moments(stratum, rows_x), y = moments(stratum, rows_y);
  return {distance_between(stratum, rows_x, rows_y, cost), (x.mean - y.mean).norm(),
          (x.second - y.second).norm()};
}

// Scores of one component over all labellings; entry 0 is the observed one.
std::vector<double> scores(const std::vector<std::array<double, kStatistics>>& values) {
  std::vector<double> best(values.size(), -1e300);
  const double count = static_cast<double>(values.size());
  for (std::size_t t = 0; t < kStatistics; ++t) {
    double mean = 0.0, square = 0.0;
    for (const auto& v : values) mean += v[t] / count;
    for (const auto& v : values) square += (v[t] - mean) * (v[t] - mean) / count;
    const double deviation = std::sqrt(square);
    for (std::size_t b = 0; b < values.size(); ++b) {
      const double z = deviation > 1e-12 * std::abs(mean) ? (values[b][t] - mean) / deviation : 0.0;
      best[b] = std::max(best[b], z);
    }
  }
  return best;
}

// (1 + #{b >= 1: value_b >= value_0}) / (1 + B), with ties counted against rejection.
double permutation_p(const std::vector<double>& values, double observed) {
  double count = 1.0;
  for (std::size_t b = 1; b < values.size(); ++b) count += values[b] >= observed - 1e-12;
  return count / static_cast<double>(values.size());
}

WithinComponent describe(const Stratum& stratum) {
  WithinComponent c;
  c.members_x = stratum.in_x;
  c.members_y = stratum.size() - stratum.in_x;
  c.tested = stratum.testable();
  c.shift.assign(static_cast<std::size_t>(stratum.points.cols()), 0.0);
  if (!c.tested) return c;
  c.scale = stratum.scale;
  Eigen::VectorXd mean[2];
  double spread[2];
  for (int s = 0; s < 2; ++s) {
    const std::size_t begin = s == 0 ? 0 : stratum.in_x,
                      end = s == 0 ? stratum.in_x : stratum.size();
    mean[s] = Eigen::VectorXd::Zero(stratum.points.cols());
    double mass = 0.0, square = 0.0;
    for (std::size_t i = begin; i < end; ++i) {
      mass += stratum.weight[i];
      mean[s] += stratum.weight[i] * stratum.points.row(static_cast<Eigen::Index>(i)).transpose();
    }
    mean[s] /= mass;
    for (std::size_t i = begin; i < end; ++i) {
      square +=
          stratum.weight[i] / mass *
          (stratum.points.row(static_cast<Eigen::Index>(i)).transpose() - mean[s]).squaredNorm();
    }
    spread[s] = std::sqrt(square);
  }
  c.shift = to_vector(mean[1] - mean[0]);
  c.shift_size = stratum.scale > 0.0 ? (mean[1] - mean[0]).norm() / stratum.scale : 0.0;
  c.spread_change = spread[0] > 0.0 && spread[1] > 0.0 ? std::log(spread[1] / spread[0]) : 0.0;
  return c;
}

}  // namespace

WithinResult test_within_components(const std::vector<Sample>& samples,
                                    const std::vector<std::vector<std::uint32_t>>& member,
                                    std::size_t components, const WithinOptions& options,
                                    Rng& rng) {
  const Rng streams(rng.bits());
  const auto labellings = static_cast<std::size_t>(options.resamplings) + 1;
  WithinResult result;
  std::vector<Stratum> strata;
  for (std::size_t j = 0; j < components; ++j) {
    Rng own = streams.split(j);
    strata.push_back(gather_stratum(samples, member, j, own));
    result.components.push_back(describe(strata.back()));
  }
  std::vector<std::vector<double>> score(components);
  for (std::size_t j = 0; j < components; ++j) {
    const Stratum& stratum = strata[j];
    if (!stratum.testable()) continue;
    std::vector<std::array<double, kStatistics>> values(labellings);
    // Block by block, so that whoever waits is heard within a moment.
    constexpr std::size_t kBlock = 256;
    for (std::size_t from = 0; from < labellings; from += kBlock) {
      const double done =
          (static_cast<double>(j) + static_cast<double>(from) / static_cast<double>(labellings)) /
          static_cast<double>(components);
      options.stop.stage("components", done);
      const std::size_t count = std::min(kBlock, labellings - from);
      const std::span<double> flat(values[from].data(), count * kStatistics);
      const SharedWork work{
          .team = options.team, .threads = options.threads, .count = count, .grain = 4};
      spread_over(work, flat, [&](std::size_t i) {
        options.stop();
        const std::size_t b = from + i;
        std::vector<std::uint32_t> order(stratum.size());
        std::iota(order.begin(), order.end(), 0u);
        if (b > 0) {
          Rng own = streams.split(components + j * labellings + b);
          own.shuffle(std::span(order));
        }
        values[b] = statistics(stratum, order, options.cost);
      });
    }
    auto& component = result.components[j];
    component.distance = values[0][0];
    for (std::size_t b = 1; b < labellings; ++b) {
      component.null_distance += values[b][0] / static_cast<double>(options.resamplings);
    }
    score[j] = scores(values);
    component.p_raw = permutation_p(score[j], score[j][0]);
  }
  std::vector<double> overall(labellings, 0.0), largest(labellings, -1e300);
  for (const auto& s : score) {
    for (std::size_t b = 0; b < s.size(); ++b) {
      overall[b] += std::max(s[b], 0.0) * std::max(s[b], 0.0);
      largest[b] = std::max(largest[b], s[b]);
    }
  }
  for (std::size_t j = 0; j < components; ++j) {
    if (!score[j].empty()) result.components[j].p = permutation_p(largest, score[j][0]);
  }
  result.p = permutation_p(overall, overall[0]);
  return result;
}

}  // namespace nw::measure
