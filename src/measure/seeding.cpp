#include "measure/seeding.hpp"

#include <algorithm>
#include <cmath>

#include "measure/seed_rows.hpp"

namespace nw::measure {
namespace {

constexpr int kLloydRounds = 8;

struct Pool {
  RowMatrix points;
  Eigen::VectorXd weights;  // samples weigh the same
};

Pool pool(const std::vector<Sample>& samples) {
  Eigen::Index rows = 0;
  for (const auto& s : samples) rows += static_cast<Eigen::Index>(s.rows());
  Pool result{.points = RowMatrix(rows, static_cast<Eigen::Index>(samples[0].points.cols())),
              .weights = Eigen::VectorXd(rows)};
  Eigen::Index at = 0;
  for (const auto& s : samples) {
    const auto count = static_cast<Eigen::Index>(s.rows());
    result.points.middleRows(at, count) = as_eigen(s.points.view());
    result.weights.segment(at, count) = as_eigen(std::span(s.weights));
    at += count;
  }
  return result;
}

Eigen::VectorXd squared_distances(const Eigen::Ref<const RowMatrix>& points,
                                  const Eigen::RowVectorXd& centre) {
  return (points.rowwise() - centre).rowwise().squaredNorm();
}

std::vector<Eigen::Index> assign(const Pool& data, const RowMatrix& centres) {
  std::vector<Eigen::Index> label(static_cast<std::size_t>(data.points.rows()), 0);
  Eigen::VectorXd nearest = squared_distances(data.points, centres.row(0));
  for (Eigen::Index j = 1; j < centres.rows(); ++j) {
    const Eigen::VectorXd distance = squared_distances(data.points, centres.row(j));
    for (Eigen::Index i = 0; i < distance.size(); ++i) {
      if (distance(i) < nearest(i)) {
        nearest(i) = distance(i);
        label[static_cast<std::size_t>(i)] = j;
      }
    }
  }
  return label;
}

}  // namespace

RowMatrix spread_centres(const ot::WeightedPoints& data, std::size_t k, Rng& rng) {
  const auto points = as_eigen(data.points);
  const SeedRows seeds = seed_rows(data, k, greedy_candidates(k), rng);
  RowMatrix centres(static_cast<Eigen::Index>(k), points.cols());
  for (std::size_t j = 0; j < k; ++j) {
    centres.row(static_cast<Eigen::Index>(j)) =
        points.row(static_cast<Eigen::Index>(seeds.rows[j]));
  }
  return centres;
}

SharedModel cluster_start(const std::vector<Sample>& samples, std::size_t components, Shape shape,
                          Rng& rng) {
  const Pool data = pool(samples);
  const auto k = static_cast<Eigen::Index>(components);
  RowMatrix centres = spread_centres(
      {.points = as_view(data.points),
       .weights = {data.weights.data(), static_cast<std::size_t>(data.weights.size())}},
      components, rng);
  std::vector<Eigen::Index> label = assign(data, centres);
  for (int round = 0; round < kLloydRounds; ++round) {
    RowMatrix sum = RowMatrix::Zero(k, centres.cols());
    Eigen::VectorXd mass = Eigen::VectorXd::Zero(k);
    for (Eigen::Index i = 0; i < data.points.rows(); ++i) {
      const Eigen::Index j = label[static_cast<std::size_t>(i)];
      sum.row(j) += data.weights(i) * data.points.row(i);
      mass(j) += data.weights(i);
    }
    for (Eigen::Index j = 0; j < k; ++j) {
      if (mass(j) > 0.0) centres.row(j) = sum.row(j) / mass(j);
    }
    auto next = assign(data, centres);
    if (next == label) break;
    label = std::move(next);
  }

  std::vector<std::vector<std::uint32_t>> member;
  std::size_t row = 0;
  for (const auto& sample : samples) {
    member.emplace_back();
    for (std::size_t i = 0; i < sample.rows(); ++i) {
      member.back().push_back(static_cast<std::uint32_t>(label[row++]));
    }
  }
  return model_of_members(samples, member, centres, shape);
}

SharedModel model_of_members(const std::vector<Sample>& samples,
                             const std::vector<std::vector<std::uint32_t>>& member,
                             const RowMatrix& centres, Shape shape) {
  const auto components = static_cast<std::size_t>(centres.rows());
  SharedModel model;
  model.pi.assign(samples.size(), std::vector<double>(components, 0.0));
  std::vector<RowMatrix> sigma(components, RowMatrix::Zero(centres.cols(), centres.cols()));
  std::vector<double> mass(components, 0.0), members(components, 0.0);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (std::size_t i = 0; i < samples[s].rows(); ++i) {
      const std::size_t j = member[s][i];
      const double weight = samples[s].weights[i];
      const Eigen::RowVectorXd delta = as_eigen(samples[s].points.row(i)).transpose() -
                                       centres.row(static_cast<Eigen::Index>(j));
      sigma[j].noalias() += weight * delta.transpose() * delta;
      mass[j] += weight;
      members[j] += 1.0;
      model.pi[s][j] += weight;
    }
  }
  for (std::size_t j = 0; j < components; ++j) {
    if (mass[j] > 0.0) sigma[j] /= mass[j];
    const Eigen::VectorXd centre = centres.row(static_cast<Eigen::Index>(j));
    model.mixture.components.push_back(gaussian_component(
        to_vector(centre), to_matrix(constrained_covariance(sigma[j], shape, members[j]))));
  }
  // A start with a proportion of zero could never leave it in EM.
  for (auto& pi : model.pi) {
    for (auto& p : pi) p = 0.98 * p + 0.02 / static_cast<double>(components);
  }
  return model;
}

SharedModel split_component(const SharedModel& model, std::size_t j) {
  SharedModel result = model;
  auto& first = result.mixture.components[j];
  const RowMatrix sigma = as_eigen(covariance(first).view());
  const SymmetricEigen eigen = symmetric_eigen(sigma);
  const Eigen::Index last = sigma.rows() - 1;
  const Eigen::VectorXd axis = eigen.vectors.col(last);
  const double variance = std::max(eigen.values(last), 0.0);
  constexpr double kOffset = 0.8;
  // The halves together keep the variance along the axis.
  const RowMatrix half = sigma - kOffset * kOffset * variance * RowMatrix(axis * axis.transpose());
  const Eigen::VectorXd step = kOffset * std::sqrt(variance) * axis;
  const Eigen::VectorXd centre = as_eigen(std::span(first.centre));
  first = gaussian_component(to_vector(centre - step), to_matrix(half));
  result.mixture.components.push_back(
      gaussian_component(to_vector(centre + step), to_matrix(half)));
  for (auto& pi : result.pi) {
    pi[j] *= 0.5;
    pi.push_back(pi[j]);
  }
  return result;
}

SharedModel append_idle_component(const SharedModel& model, std::size_t j) {
  SharedModel result = model;
  result.mixture.components.push_back(model.mixture.components[j]);
  for (auto& pi : result.pi) pi.push_back(0.0);
  return result;
}

}  // namespace nw::measure
