// EM from many components, then again and again those two become one whose union by moments loses
// the least likelihood (an upper bound of it; Runnalls 2007, "Kullback-Leibler approach to Gaussian
// mixture reduction", eq. 21), and a few rounds of EM. Mixtures that are grown or begin at k-means
// put two components into a large cluster and one on two small ones; joined ones seldom do.
#include "cluster/mixture_ladder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "nw/cluster/gaussian_mixture.hpp"
#include "nw/cluster/kmeans.hpp"

#include "base/decompositions.hpp"
#include "measure/shared_em.hpp"

namespace nw::cluster {
namespace {

using measure::as_eigen;
using measure::RowMatrix;

constexpr std::size_t kOneByOne = 25;  // larger mixtures lose several components at a time
constexpr int kFirstRounds = 20, kRounds = 4;
constexpr double kSmallGain = 1e-4;

double log_determinant(RowMatrix sigma, double ridge) {
  sigma.diagonal().array() += ridge;
  if (sigma.rows() == 2) {
    return std::log(std::max(sigma(0, 0) * sigma(1, 1) - sigma(0, 1) * sigma(1, 0), 1e-300));
  }
  return 2.0 * cholesky_factor(sigma).lower.diagonal().array().log().sum();
}

/// Components by their moments, for joining.
struct Moments {
  double share = 0.0, log_volume = 0.0;
  Eigen::VectorXd mean;
  RowMatrix sigma;
};

class Joining {
 public:
  Joining(const measure::SharedModel& model, measure::Shape shape, double ridge)
      : shape_(shape), ridge_(ridge) {
    for (std::size_t j = 0; j < model.mixture.size(); ++j) {
      const auto& component = model.mixture.components[j];
      const Matrix sigma = covariance(component);
      parts_.push_back({.share = std::max(model.pi[0][j], 1e-12),
                        .log_volume = 0.0,
                        .mean = as_eigen(std::span(component.centre)),
                        .sigma = as_eigen(sigma.view())});
      parts_.back().log_volume = log_determinant(parts_.back().sigma, ridge_);
    }
    const std::size_t k = parts_.size();
    loss_.assign(k, std::vector<double>(k, 0.0));
    for (std::size_t j = 1; j < k; ++j) {
      for (std::size_t i = 0; i < j; ++i) loss_[j][i] = loss(i, j);
    }
  }

  void join_nearest() {
    std::size_t first = 0, second = 1;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 1; j < parts_.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        if (loss_[j][i] < least) {
          least = loss_[j][i];
          first = i;
          second = j;
        }
      }
    }
    parts_[first] = together(parts_[first], parts_[second]);
    const std::size_t last = parts_.size() - 1;
    if (second != last) {
      parts_[second] = std::move(parts_[last]);
      for (std::size_t i = 0; i < last; ++i) {
        if (i != second) loss_[std::max(i, second)][std::min(i, second)] = loss_[last][i];
      }
    }
    parts_.pop_back();
    loss_.pop_back();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (i != first) loss_[std::max(i, first)][std::min(i, first)] = loss(i, first);
    }
  }

  [[nodiscard]] measure::SharedModel model() const {
    measure::SharedModel result;
    result.pi.resize(1);
    for (const auto& part : parts_) {
      result.mixture.components.push_back(measure::gaussian_component(
          measure::to_vector(part.mean), measure::to_matrix(part.sigma)));
      result.pi[0].push_back(part.share);
    }
    return result;
  }

 private:
  [[nodiscard]] Moments together(const Moments& a, const Moments& b) const {
    Moments both{.share = a.share + b.share, .log_volume = 0.0, .mean = {}, .sigma = {}};
    const double s = a.share / both.share, t = b.share / both.share;
    const Eigen::VectorXd delta = a.mean - b.mean;
    both.mean = s * a.mean + t * b.mean;
    RowMatrix sigma = s * a.sigma + t * b.sigma + s * t * delta * delta.transpose();
    sigma = 0.5 * (sigma + sigma.transpose()).eval();
    both.sigma = measure::shaped_covariance(std::move(sigma), shape_);
    both.log_volume = log_determinant(both.sigma, ridge_);
    return both;
  }

  [[nodiscard]] double loss(std::size_t i, std::size_t j) const {
    const auto &a = parts_[i], &b = parts_[j];
    const auto both = together(a, b);
    return 0.5 * (both.share * both.log_volume - a.share * a.log_volume - b.share * b.log_volume);
  }

  measure::Shape shape_;
  double ridge_;
  std::vector<Moments> parts_;
  std::vector<std::vector<double>> loss_;  // [j][i] for i < j
};

measure::SharedModel first_model(const LadderTask& task, const Rng& rng) {
  const auto found =
      kmeans({.points = task.rows}, {.components = task.most, .restarts = 1, .threads = 1}, rng);
  measure::SharedModel model{
      .mixture = gaussians_of_clusters(task.rows, found.assignment, task.most),
      .pi = {std::vector<double>(task.most, 0.0)}};
  for (const auto c : found.assignment) {
    model.pi[0][c] += 1.0 / static_cast<double>(task.rows.rows());
  }
  for (auto& component : model.mixture.components) {
    const Matrix sigma = covariance(component);
    component = measure::gaussian_component(
        component.centre,
        measure::to_matrix(measure::shaped_covariance(as_eigen(sigma.view()), task.shape)));
  }
  return model;
}

}  // namespace

double numbers_of_component(measure::Shape shape, std::size_t columns) {
  const auto d = static_cast<double>(columns);
  const double spread = shape == measure::Shape::full       ? 0.5 * d * (d + 1.0)
                        : shape == measure::Shape::diagonal ? d
                                                            : 1.0;
  return 1.0 + d + spread;
}

std::vector<Rung> mixture_ladder(const LadderTask& task, const Rng& rng) {
  const std::size_t n = task.rows.rows(), d = task.rows.cols();
  const std::vector<measure::Sample> sample{
      {.points = Matrix({task.rows.values().begin(), task.rows.values().end()}, n, d),
       .weights = std::vector<double>(n, 1.0 / static_cast<double>(n))}};
  // Densities leave out this constant.
  const double constant = -0.5 * static_cast<double>(d) * std::log(2.0 * std::numbers::pi);
  measure::EmOptions em{.shape = task.shape,
                        .max_iterations = kFirstRounds,
                        .tolerance = kSmallGain,
                        .shrink = false,
                        .ridge = task.ridge};
  std::vector<Rung> ladder;
  auto model = first_model(task, rng);
  while (true) {
    auto found = measure::run_em(sample, std::move(model), em);
    em.max_iterations = kRounds;
    const std::size_t k = found.model.mixture.size();
    ladder.push_back({.mixture = found.model.mixture,
                      .pi = found.model.pi[0],
                      .log_likelihood = found.log_likelihood + constant});
    if (k == 1) return ladder;
    Joining joining(found.model, task.shape, task.ridge);
    for (std::size_t t = 0; t < std::max<std::size_t>(1, k / kOneByOne); ++t) {
      joining.join_nearest();
    }
    model = joining.model();
  }
}

}  // namespace nw::cluster
