// The coordinate that tells a cluster from the rest has two values, whatever their shares; one that
// runs along a cluster has many. For y of mean 0 and variance 1, Pearson's inequality
//   E[y^3]^2 + 1 <= E[y^4]
// is an equality for two values alone, so the ratio of both sides (the bimodality coefficient of
// Sarle, SAS manual of MODECLUS, without its correction) tells them apart: 1 for two values of any
// shares, 2/3 for a cosine of a uniform variable (the leading eigenvector of a walk along a line),
// 5/9 for a uniform and 1/3 for a Gaussian one.
//
// Projection pursuit (Friedman and Tukey 1974) on that ratio: steepest ascent along great circles
// from every axis and from the middle of every two, all on the third and fourth moments, so that
// the work of a step does not depend on the number of rows but on q^4.
#include "cluster/two_valued_directions.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

namespace nw::cluster {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using measure::RowMatrix;

constexpr int kMaxSteps = 500;
constexpr double kFlat = 1e-9, kFirstStep = 0.1, kLongestArc = 0.5;
constexpr double kGrow = 1.5, kShrink = 0.4;
// A direction less than 30 degrees from the span of better ones tells the same clusters apart.
constexpr double kLeastSine = 0.5;

struct Moments {
  MatrixXd third;   // [q, q^2] E y_a y_b y_c
  MatrixXd fourth;  // [q^2, q^2]
};

Moments moments_of(const RowMatrix& rows, const VectorXd& weights) {
  const Index q = rows.cols();
  RowMatrix products(rows.rows(), q * q);
  for (Index a = 0; a < q; ++a) {
    for (Index b = 0; b < q; ++b) {
      products.col(a * q + b) = rows.col(a).cwiseProduct(rows.col(b));
    }
  }
  const VectorXd share = weights / weights.sum();
  const RowMatrix weighted = share.asDiagonal() * products;
  return {.third = rows.transpose() * weighted, .fourth = products.transpose() * weighted};
}

/// The bimodality of a unit direction and its gradient on the sphere.
struct Slope {
  double bimodality = 0.0;
  VectorXd gradient;
};

Slope slope_at(const VectorXd& w, const Moments& moments) {
  const Index q = w.size();
  const MatrixXd square = w * w.transpose();
  const Eigen::Map<const VectorXd> pairs(square.data(), q * q);
  const VectorXd cubic = moments.third * pairs;
  const VectorXd contracted = moments.fourth * pairs;
  const VectorXd quartic = Eigen::Map<const MatrixXd>(contracted.data(), q, q) * w;
  const double m3 = cubic.dot(w), m4 = quartic.dot(w), bound = m3 * m3 + 1.0;
  Slope slope{.bimodality = bound / m4,
              .gradient = (6.0 * m3 * m4 * cubic - 4.0 * bound * quartic) / (m4 * m4)};
  slope.gradient -= slope.gradient.dot(w) * w;
  return slope;
}

struct Peak {
  VectorXd direction;
  double bimodality = 0.0;
};

Peak climb(VectorXd w, const Moments& moments) {
  Slope here = slope_at(w, moments);
  double step = kFirstStep;
  for (int i = 0; i < kMaxSteps; ++i) {
    const double steepness = here.gradient.norm();
    if (steepness < kFlat) break;
    const double arc = std::min(step * steepness, kLongestArc);
    const VectorXd there =
        (std::cos(arc) * w + std::sin(arc) / steepness * here.gradient).normalized();
    Slope next = slope_at(there, moments);
    const bool higher = next.bimodality >= here.bimodality;
    step *= higher ? kGrow : kShrink;
    if (!higher) continue;
    w = there;
    here = std::move(next);
  }
  return {.direction = std::move(w), .bimodality = here.bimodality};
}

/// Every axis, and the two bisectors of every pair.
std::vector<VectorXd> starts_of(Index q) {
  std::vector<VectorXd> starts;
  for (Index a = 0; a < q; ++a) {
    starts.push_back(VectorXd::Unit(q, a));
    for (Index b = 0; b < a; ++b) {
      for (const double sign : {1.0, -1.0}) {
        starts.push_back((VectorXd::Unit(q, a) + sign * VectorXd::Unit(q, b)) /
                         std::numbers::sqrt2);
      }
    }
  }
  return starts;
}

/// Orthonormal axes made of vectors one by one.
class Basis {
 public:
  Basis(Index rows, std::size_t count) : axes_(rows, static_cast<Index>(count)) {}

  [[nodiscard]] bool full() const { return size_ == axes_.cols(); }
  /// What the axes so far leave of a vector.
  [[nodiscard]] VectorXd beyond(const VectorXd& v) const {
    const auto known = axes_.leftCols(size_);
    return v - known * (known.transpose() * v);
  }
  void add(const VectorXd& v) { axes_.col(size_++) = beyond(beyond(v)).normalized(); }
  [[nodiscard]] RowMatrix axes() const { return axes_; }

 private:
  MatrixXd axes_;
  Index size_ = 0;
};

}  // namespace

TwoValuedDirections two_valued_directions(const RowMatrix& rows, const VectorXd& weights,
                                          std::size_t count, int threads) {
  const Index q = rows.cols();
  require(count > 0 && static_cast<Index>(count) <= q, "two_valued_directions: ", count, " of ", q,
          " coordinates");
  require(weights.size() == rows.rows(), "two_valued_directions: ", weights.size(), " weights for ",
          rows.rows(), " rows");
  if (static_cast<Index>(count) == q) {
    TwoValuedDirections own{.axes = RowMatrix::Identity(q, q), .bimodality = {}};
    for (Index a = 0; a < q; ++a) {
      const Moments alone = moments_of(rows.col(a), weights);
      own.bimodality.push_back(slope_at(VectorXd::Ones(1), alone).bimodality);
    }
    return own;
  }
  const Moments moments = moments_of(rows, weights);
  auto starts = starts_of(q);
  std::vector<Peak> peaks(starts.size());
  parallel_for(threads, starts.size(), 1, [&](std::size_t first, std::size_t last, int) {
    for (std::size_t s = first; s < last; ++s) peaks[s] = climb(std::move(starts[s]), moments);
  });
  std::ranges::stable_sort(peaks, std::greater<>(), &Peak::bimodality);
  Basis basis(q, count);
  TwoValuedDirections found;
  for (const auto& [direction, bimodality] : peaks) {
    if (basis.full()) break;
    if (basis.beyond(direction).norm() < kLeastSine) continue;
    basis.add(direction);
    found.bimodality.push_back(bimodality);
  }
  // Peaks too few: the axes that lie farthest from them.
  while (!basis.full()) {
    Index farthest = 0;
    double most = -1.0;
    for (Index a = 0; a < q; ++a) {
      const double rest = basis.beyond(VectorXd::Unit(q, a)).norm();
      if (rest > most) {
        most = rest;
        farthest = a;
      }
    }
    found.bimodality.push_back(slope_at(VectorXd::Unit(q, farthest), moments).bimodality);
    basis.add(VectorXd::Unit(q, farthest));
  }
  found.axes = basis.axes();
  return found;
}

}  // namespace nw::cluster
