// Lloyd 1982 from starts by greedy k-means++ (Arthur and Vassilvitskii 2007). Distances come from
// |x|^2 - 2 x c + |c|^2 by blocks of rows, one matrix product each; sums are added up block by
// block, so that the numbers do not depend on the threads. A cluster that loses all its points
// takes the one that lies farthest from its centre.
#include "nw/cluster/kmeans.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

#include "cluster/best_start.hpp"
#include "cluster/checked_weights.hpp"
#include "cluster/largest_first.hpp"
#include "measure/dense.hpp"
#include "measure/seeding.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

constexpr std::size_t kBlock = 512;

struct Data {
  MatrixView points;
  Eigen::VectorXd weights;
  int threads;
};

/// What one pass over the points tells about some centres.
struct Pass {
  std::vector<std::uint32_t> nearest;  // [n]
  std::vector<double> distance;        // [n], squared
  RowMatrix sum;                       // [k, d] weighted
  Eigen::VectorXd mass;                // [k]
};

Pass assign(const Data& data, const RowMatrix& centres) {
  const std::size_t rows = data.points.rows(), cols = data.points.cols();
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  const Eigen::RowVectorXd centre_norm = centres.rowwise().squaredNorm();
  Pass pass{.nearest = std::vector<std::uint32_t>(rows),
            .distance = std::vector<double>(rows),
            .sum = RowMatrix::Zero(centres.rows(), centres.cols()),
            .mass = Eigen::VectorXd::Zero(centres.rows())};
  std::vector<RowMatrix> sums(blocks);
  std::vector<Eigen::VectorXd> masses(blocks);
  parallel_for(data.threads, blocks, 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t begin = b * kBlock, count = std::min(kBlock, rows - begin);
      const auto x = as_eigen(
          MatrixView(data.points.values().subspan(begin * cols, count * cols), count, cols));
      RowMatrix score = -2.0 * (x * centres.transpose());
      score.rowwise() += centre_norm;
      sums[b] = RowMatrix::Zero(centres.rows(), centres.cols());
      masses[b] = Eigen::VectorXd::Zero(centres.rows());
      for (std::size_t i = 0; i < count; ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        Eigen::Index j = 0;
        const double least = score.row(row).minCoeff(&j);
        const double weight = data.weights(static_cast<Eigen::Index>(begin + i));
        pass.nearest[begin + i] = static_cast<std::uint32_t>(j);
        pass.distance[begin + i] = std::max(least + x.row(row).squaredNorm(), 0.0);
        sums[b].row(j) += weight * x.row(row);
        masses[b](j) += weight;
      }
    }
  });
  for (std::size_t b = 0; b < blocks; ++b) {
    pass.sum += sums[b];
    pass.mass += masses[b];
  }
  return pass;
}

/// Means of the clusters; those without mass take the points that are served worst.
RowMatrix next_centres(const Data& data, const RowMatrix& centres, const Pass& pass) {
  RowMatrix next = centres;
  std::vector<std::size_t> worst;
  for (Eigen::Index j = 0; j < centres.rows(); ++j) {
    if (pass.mass(j) > 0.0) {
      next.row(j) = pass.sum.row(j) / pass.mass(j);
      continue;
    }
    if (worst.empty()) {
      worst.resize(pass.distance.size());
      std::iota(worst.begin(), worst.end(), std::size_t{0});
      std::stable_sort(worst.begin(), worst.end(), [&](std::size_t a, std::size_t b) {
        return pass.distance[a] < pass.distance[b];
      });
    }
    next.row(j) = as_eigen(data.points).row(static_cast<Eigen::Index>(worst.back()));
    worst.pop_back();
  }
  return next;
}

struct Start {
  RowMatrix centres;
  Pass pass;
  double inertia = 0.0;
  int iterations = 0;
  bool converged = false;
};

Start lloyd(const Data& data, RowMatrix centres, const KMeansOptions& options, double least_move) {
  Start start;
  Pass pass = assign(data, centres);
  for (; start.iterations < options.max_iterations && !start.converged; ++start.iterations) {
    RowMatrix next = next_centres(data, centres, pass);
    const double move = (next - centres).squaredNorm();
    centres = std::move(next);
    Pass after = assign(data, centres);
    start.converged = move <= least_move || after.nearest == pass.nearest;
    pass = std::move(after);
  }
  start.inertia = Eigen::Map<const Eigen::VectorXd>(pass.distance.data(),
                                                    static_cast<Eigen::Index>(pass.distance.size()))
                      .dot(data.weights);
  start.centres = std::move(centres);
  start.pass = std::move(pass);
  return start;
}

double mean_variance(const Data& data) {
  const auto x = as_eigen(data.points);
  const double total = data.weights.sum();
  const Eigen::RowVectorXd mean = data.weights.transpose() * x / total;
  double sum = 0.0;
  for (Eigen::Index i = 0; i < x.rows(); ++i) {
    sum += data.weights(i) * (x.row(i) - mean).squaredNorm();
  }
  return sum / total / static_cast<double>(x.cols());
}

KMeansResult describe(Start best) {
  const auto& sums = best.pass.mass;
  const std::vector<double> mass(sums.data(), sums.data() + sums.size());
  auto ordered = largest_first(mass, sums.sum(), best.centres, best.pass.nearest);
  return {.centres = std::move(ordered.centres),
          .assignment = std::move(best.pass.nearest),
          .share = std::move(ordered.share),
          .inertia = best.inertia,
          .iterations = best.iterations,
          .converged = best.converged};
}

}  // namespace

void KMeansOptions::validate() const {
  require(components > 0, "KMeansOptions.components must be positive, got ", components);
  require(restarts > 0, "KMeansOptions.restarts must be positive, got ", restarts);
  require(max_iterations > 0, "KMeansOptions.max_iterations must be positive, got ",
          max_iterations);
  require(tolerance >= 0.0, "KMeansOptions.tolerance must not be negative, got ", tolerance);
}

KMeansResult kmeans(const ot::WeightedPoints& given, const KMeansOptions& options, const Rng& rng) {
  options.validate();
  const Data data{.points = given.points,
                  .weights = checked_weights(given, options.components, "kmeans"),
                  .threads = resolve_threads(options.threads)};
  const double least_move = options.tolerance * mean_variance(data);
  auto best = best_start(
      options.restarts, options.observer, rng,
      [&](Rng stream) {
        return lloyd(data, measure::spread_centres(given, options.components, stream), options,
                     least_move);
      },
      &Start::inertia);
  KMeansResult result = describe(std::move(best.start));
  result.interrupted = best.interrupted;
  return result;
}

}  // namespace nw::cluster
