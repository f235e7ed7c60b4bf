#include "measure/energy_test.hpp"

#include <algorithm>
#include <cmath>

namespace nw::measure {

Eigen::MatrixXf row_distances(const RowMatrix& points) {
  const Eigen::VectorXd square = points.rowwise().squaredNorm();
  Eigen::MatrixXd gram = points * points.transpose();
  gram = (-2.0 * gram).colwise() + square;
  gram.rowwise() += square.transpose();
  Eigen::MatrixXf distance = gram.cwiseMax(0.0).cwiseSqrt().cast<float>();
  distance.diagonal().setZero();
  return distance;
}

EnergyTest energy_test(const Eigen::MatrixXf& distance, std::span<const std::size_t> rows,
                       std::span<const std::uint8_t> label, int permutations, const Rng& rng,
                       const StopCheck& stop) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  const auto second = static_cast<Eigen::Index>(
      std::count_if(rows.begin(), rows.end(), [&](std::size_t i) { return label[i] == 1; }));
  EnergyTest test;
  if (second == 0 || second == count) return test;
  const auto first = count - second;
  Eigen::MatrixXf d(count, count);
  for (Eigen::Index a = 0; a < count; ++a) {
    for (Eigen::Index b = 0; b < count; ++b) {
      d(b, a) = distance(static_cast<Eigen::Index>(rows[static_cast<std::size_t>(b)]),
                         static_cast<Eigen::Index>(rows[static_cast<std::size_t>(a)]));
    }
  }
  const Eigen::VectorXf row_sum = d.colwise().sum().transpose();
  const double all = row_sum.cast<double>().sum();
  // Statistic by statistic for blocks of labellings: one matrix product each.
  constexpr Eigen::Index kBlock = 64;
  std::vector<double> values;
  std::vector<std::uint32_t> order(rows.size());
  for (Eigen::Index from = 0; from <= permutations; from += kBlock) {
    stop();
    const Eigen::Index width = std::min<Eigen::Index>(kBlock, permutations + 1 - from);
    Eigen::MatrixXf member = Eigen::MatrixXf::Zero(count, width);
    for (Eigen::Index b = 0; b < width; ++b) {
      if (from + b == 0) {
        for (Eigen::Index i = 0; i < count; ++i) {
          member(i, b) = label[rows[static_cast<std::size_t>(i)]] == 0 ? 1.0f : 0.0f;
        }
        continue;
      }
      Rng own = rng.split(static_cast<std::uint64_t>(from + b));
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
      for (Eigen::Index i = 0; i < first; ++i) {
        const auto at = static_cast<std::size_t>(i);
        std::swap(order[at], order[at + own.below(order.size() - at)]);
        member(order[at], b) = 1.0f;
      }
    }
    const Eigen::MatrixXf product = d * member;
    for (Eigen::Index b = 0; b < width; ++b) {
      const double within = product.col(b).dot(member.col(b));
      const double between = row_sum.dot(member.col(b)) - within;
      const double other = all - within - 2.0 * between;
      const double n = static_cast<double>(first), m = static_cast<double>(second);
      values.push_back(2.0 * between / (n * m) - within / (n * n) - other / (m * m));
    }
  }
  test.distance = values[0];
  double above = 1.0, square = 0.0;
  const double number = static_cast<double>(permutations);
  // Sums of floats: equal labellings may differ in the last digits.
  const double tie = 1e-6 * all / static_cast<double>(count * count);
  for (std::size_t b = 1; b < values.size(); ++b) {
    above += values[b] >= values[0] - tie;
    test.null_mean += values[b] / number;
    square += values[b] * values[b] / number;
  }
  test.null_deviation = std::sqrt(std::max(square - test.null_mean * test.null_mean, 0.0));
  test.p = above / (number + 1.0);
  return test;
}

}  // namespace nw::measure
