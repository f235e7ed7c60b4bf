// The energy distance between the mix pi of classes and Y is 2 b'pi - pi'A pi - c with the mean
// distances A between classes, b from classes to Y and c within Y: convex in pi, so that pairs of
// shares can be moved one by one to its minimum. It needs no posteriors, which makes its minimum
// consistent whatever the classes look like.
#include "measure/class_mix.hpp"

#include <algorithm>
#include <cmath>

#include "nw/base/parallel.hpp"

#include "measure/energy_test.hpp"

namespace nw::measure {
namespace {

struct MeanDistances {
  RowMatrix between;     // [classes, classes]
  Eigen::VectorXd to_y;  // [classes]
};

// Classes without rows, of which nothing is known, get no share.
Eigen::VectorXd minimiser(const MeanDistances& mean, const Eigen::VectorXd& size) {
  const Eigen::Index k = mean.to_y.size();
  constexpr int kRounds = 500;
  Eigen::VectorXd share = (size.array() > 0.0).cast<double>();
  share /= share.sum();
  for (int round = 0; round < kRounds; ++round) {
    double moved = 0.0;
    for (Eigen::Index a = 0; a < k; ++a) {
      for (Eigen::Index b = 0; b < a; ++b) {
        if (size(a) == 0.0 || size(b) == 0.0) continue;
        // Half of the slope and of the curvature along share a up, share b down.
        const double slope =
            mean.to_y(a) - mean.to_y(b) - (mean.between.row(a) - mean.between.row(b)).dot(share);
        const double curvature = 2.0 * mean.between(a, b) - mean.between(a, a) - mean.between(b, b);
        const double best = curvature > 0.0 ? -slope / curvature : (slope < 0.0 ? 1.0 : -1.0);
        const double step = std::clamp(best, -share(a), share(b));
        share(a) += step;
        share(b) -= step;
        moved += std::abs(step);
      }
    }
    if (moved < 1e-7) break;
  }
  return share.cwiseMax(0.0) / share.cwiseMax(0.0).sum();
}

// One column per class with 1 / size at its rows.
Eigen::MatrixXf class_weights(const ClassedRows& rows, Eigen::VectorXd& size) {
  const auto n = static_cast<Eigen::Index>(rows.in_x());
  Eigen::MatrixXf weight = Eigen::MatrixXf::Zero(n, static_cast<Eigen::Index>(rows.classes));
  size = Eigen::VectorXd::Zero(weight.cols());
  for (const std::uint32_t c : rows.class_of) size(c) += 1.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto c = static_cast<Eigen::Index>(rows.class_of[static_cast<std::size_t>(i)]);
    weight(i, c) = static_cast<float>(1.0 / size(c));
  }
  return weight;
}

MeanDistances mean_distances(const Eigen::MatrixXf& distance, const Eigen::MatrixXf& weight) {
  const Eigen::Index n = weight.rows(), m = distance.rows() - n;
  MeanDistances mean;
  mean.between = (weight.transpose() * (distance.topLeftCorner(n, n) * weight)).cast<double>();
  const Eigen::VectorXf to_y = distance.topRightCorner(n, m).rowwise().mean();
  mean.to_y = (weight.transpose() * to_y).cast<double>();
  return mean;
}

}  // namespace

NearestMix nearest_mix(const ClassedRows& rows, int resamplings, int threads, const Rng& rng,
                       const StopCheck& stop) {
  const Eigen::MatrixXf distance = row_distances(rows.points);
  Eigen::VectorXd size;
  const Eigen::MatrixXf weight = class_weights(rows, size);
  MeanDistances mean = mean_distances(distance, weight);
  // Distances of rows to themselves say nothing about the class.
  const auto leave_out_own = [&](MeanDistances& of) {
    for (Eigen::Index c = 0; c < size.size(); ++c) {
      if (size(c) > 1.0) of.between(c, c) *= size(c) / (size(c) - 1.0);
    }
  };
  leave_out_own(mean);
  NearestMix found{.share = minimiser(mean, size), .deviation = {}};

  const Eigen::Index n = weight.rows(), m = distance.rows() - n, k = weight.cols();
  const Eigen::MatrixXf in_x = distance.topLeftCorner(n, n);
  std::vector<std::vector<std::uint32_t>> members(rows.classes);
  for (std::uint32_t i = 0; i < rows.in_x(); ++i) members[rows.class_of[i]].push_back(i);
  const std::vector<double> shares = to_vector(found.share);
  RowMatrix drawn_share(resamplings, k);
  constexpr std::size_t kBlock = 8;
  parallel_for(
      threads, static_cast<std::size_t>(resamplings), kBlock,
      [&](std::size_t begin, std::size_t end, int) {
        stop();
        const auto draws = static_cast<Eigen::Index>(end - begin);
        Eigen::MatrixXf drawn = Eigen::MatrixXf::Zero(n, draws * (k + 1));
        for (Eigen::Index b = 0; b < draws; ++b) {
          Rng own = rng.split(begin + static_cast<std::size_t>(b));
          const auto add = [&](std::size_t c, Eigen::Index column, double mass) {
            const std::uint32_t row = members[c][own.below(members[c].size())];
            drawn(row, b * (k + 1) + column) += static_cast<float>(mass);
          };
          for (std::size_t c = 0; c < members.size(); ++c) {
            for (std::size_t i = 0; i < members[c].size(); ++i) {
              add(c, static_cast<Eigen::Index>(c), 1.0 / static_cast<double>(members[c].size()));
            }
          }
          for (Eigen::Index i = 0; i < m; ++i) {
            add(own.categorical(shares), k, 1.0 / static_cast<double>(m));
          }
        }
        const Eigen::MatrixXf product = in_x * drawn;
        for (Eigen::Index b = 0; b < draws; ++b) {
          const RowMatrix all = (drawn.middleCols(b * (k + 1), k + 1).transpose() *
                                 product.middleCols(b * (k + 1), k + 1))
                                    .cast<double>();
          MeanDistances again{.between = all.topLeftCorner(k, k), .to_y = all.topRightCorner(k, 1)};
          leave_out_own(again);
          drawn_share.row(static_cast<Eigen::Index>(begin) + b) =
              minimiser(again, size).transpose();
        }
      });
  const Eigen::RowVectorXd centre = drawn_share.colwise().mean();
  found.deviation = ((drawn_share.rowwise() - centre).colwise().squaredNorm() / (resamplings - 1.0))
                        .cwiseSqrt()
                        .transpose();
  found.deviation = (size.array() > 0.0).select(found.deviation, 1.0);
  return found;
}

}  // namespace nw::measure
