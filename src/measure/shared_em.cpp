// EM for a mixture whose components are shared by the samples while each sample has proportions of
// its own: the likelihood's counterpart of [NW:def], used to start it and to assign memberships.
//
// Covariances of components with few members are shrunk towards their own spherical part by
// max(0, (d + 1) / members - 0.05): nothing at twenty members per coordinate and more.
#include "measure/shared_em.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "nw/base/parallel.hpp"

namespace nw::measure {
namespace {

struct Accumulator {
  double mass = 0.0, members = 0.0;
  Eigen::VectorXd first;
  RowMatrix second;
};

/// The rows of a sample that a component has a share of.
struct Members {
  std::vector<Eigen::Index> row;
  std::vector<double> weight;  // posterior times weight
};

/// Of every component; one pass over the posteriors, which lie row by row.
std::vector<Members> members_of(const Posterior& posterior, const Sample& sample) {
  const auto& p = posterior.probability;
  std::vector<Members> members(static_cast<std::size_t>(p.cols()));
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    for (Eigen::Index j = 0; j < p.cols(); ++j) {
      if (p(i, j) == 0.0) continue;
      auto& component = members[static_cast<std::size_t>(j)];
      component.row.push_back(i);
      component.weight.push_back(p(i, j) * sample.weights[static_cast<std::size_t>(i)]);
    }
  }
  return members;
}

// Moments of component j under the posteriors of all samples. Samples weigh the same, whatever
// their numbers of rows, as they do in the measure. Only rows that have a share of the component
// are looked at: of a hundred clusters that lie apart each row has one or two.
Accumulator moments_of(const std::vector<Sample>& samples,
                       const std::vector<std::vector<Members>>& members, std::size_t j,
                       const Eigen::VectorXd& origin) {
  Accumulator sum;
  sum.first = Eigen::VectorXd::Zero(origin.size());
  sum.second = RowMatrix::Zero(origin.size(), origin.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto points = as_eigen(samples[s].points.view());
    const auto& mine = members[s][j];
    const Eigen::VectorXd w = as_eigen(std::span(mine.weight));
    RowMatrix centred(w.size(), origin.size());
    for (Eigen::Index i = 0; i < w.size(); ++i) {
      centred.row(i) = points.row(mine.row[static_cast<std::size_t>(i)]) - origin.transpose();
    }
    sum.mass += w.sum();
    sum.members += w.sum() * static_cast<double>(samples[s].rows());
    sum.first.noalias() += centred.transpose() * w;
    sum.second.noalias() += centred.transpose() * w.asDiagonal() * centred;
  }
  return sum;
}

void update_component(Component& component, const Accumulator& sum, const EmOptions& options) {
  if (sum.members < 1e-6) return;  // nobody left: keep it where it is
  const Eigen::VectorXd origin = as_eigen(std::span(component.centre));
  const Eigen::VectorXd delta = sum.first / sum.mass;
  RowMatrix sigma = sum.second / sum.mass - delta * delta.transpose();
  sigma = 0.5 * (sigma + sigma.transpose()).eval();
  // Cancellation may leave tiny negative eigenvalues for members that nearly coincide.
  sigma.diagonal().array() += 1e-14 * sum.second.trace() / sum.mass;
  component = gaussian_component(
      to_vector(origin + delta),
      to_matrix(options.shrink ? constrained_covariance(sigma, options.shape, sum.members)
                               : shaped_covariance(sigma, options.shape)));
}

}  // namespace

RowMatrix shaped_covariance(RowMatrix sigma, Shape shape) {
  const auto dim = sigma.rows();
  if (shape == Shape::spherical) {
    return sigma.trace() / static_cast<double>(dim) * RowMatrix::Identity(dim, dim);
  }
  if (shape == Shape::diagonal) return RowMatrix(sigma.diagonal().asDiagonal());
  return sigma;
}

RowMatrix constrained_covariance(RowMatrix sigma, Shape shape, double members) {
  if (shape != Shape::full) return shaped_covariance(std::move(sigma), shape);
  const auto dim = sigma.rows();
  const double shrink =
      std::clamp(static_cast<double>(dim + 1) / std::max(members, 1e-9) - 0.05, 0.0, 1.0);
  const double mean = sigma.trace() / static_cast<double>(dim);
  sigma *= 1.0 - shrink;
  sigma.diagonal().array() += shrink * mean;
  return sigma;
}

double density_ridge(double variance) {
  return variance > 0.0 ? 1e-6 * variance : 1e-12;
}

ComponentDensity::ComponentDensity(const Mixture& mixture, double ridge) {
  for (const auto& c : mixture.components) {
    const auto factor = as_eigen(c.factor.view());
    RowMatrix sigma = factor * factor.transpose();
    sigma.diagonal().array() += ridge;
    const RowMatrix lower = cholesky_factor(sigma).lower;
    centre_.emplace_back(as_eigen(std::span(c.centre)));
    whitening_.emplace_back(lower.triangularView<Eigen::Lower>().solve(
        RowMatrix::Identity(sigma.rows(), sigma.rows())));
    log_scale_.push_back(-lower.diagonal().array().log().sum());
  }
}

RowMatrix ComponentDensity::log_density(MatrixView points) const {
  const auto rows = as_eigen(points);
  RowMatrix result(rows.rows(), static_cast<Eigen::Index>(centre_.size()));
  if (points.cols() <= kShortRow) {
    log_density_of_short_rows(points, result);
    return result;
  }
  RowMatrix centred, white;
  for (std::size_t j = 0; j < centre_.size(); ++j) {
    centred = rows.rowwise() - centre_[j].transpose();
    white.noalias() = centred * whitening_[j].transpose();
    result.col(static_cast<Eigen::Index>(j)) =
        (-0.5 * white.rowwise().squaredNorm()).array() + log_scale_[j];
  }
  return result;
}

void ComponentDensity::log_density_of_short_rows(MatrixView points, RowMatrix& result) const {
  const std::size_t d = points.cols(), k = centre_.size(), stride = d + d * (d + 1) / 2;
  std::vector<double> numbers;  // of every component: centre, then the triangle row by row
  for (std::size_t j = 0; j < k; ++j) {
    numbers.insert(numbers.end(), centre_[j].begin(), centre_[j].end());
    for (Eigen::Index r = 0; r < static_cast<Eigen::Index>(d); ++r) {
      for (Eigen::Index c = 0; c <= r; ++c) numbers.push_back(whitening_[j](r, c));
    }
  }
  std::array<double, kShortRow> centred;
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const auto x = points.row(i);
    double* out = result.row(static_cast<Eigen::Index>(i)).data();
    for (std::size_t j = 0; j < k; ++j) {
      const double* centre = numbers.data() + j * stride;
      const double* factor = centre + d;
      double squared = 0.0;
      for (std::size_t r = 0; r < d; ++r) {
        centred[r] = x[r] - centre[r];
        double white = 0.0;
        for (std::size_t c = 0; c <= r; ++c) white += *factor++ * centred[c];
        squared += white * white;
      }
      out[j] = -0.5 * squared + log_scale_[j];
    }
  }
}

Posterior posterior(RowMatrix log_density, std::span<const double> pi,
                    std::span<const double> weights) {
  Posterior result{.probability = std::move(log_density), .log_likelihood = 0.0};
  auto& p = result.probability;
  Eigen::RowVectorXd log_pi(static_cast<Eigen::Index>(pi.size()));
  for (std::size_t j = 0; j < pi.size(); ++j) {
    log_pi(static_cast<Eigen::Index>(j)) = std::log(std::max(pi[j], 1e-300));
  }
  p.rowwise() += log_pi;
  const Eigen::VectorXd top = p.rowwise().maxCoeff();
  // Memberships below e^-60 change no sum of a row or of a component that has members, and zeros
  // need no exponential and no place in the moments.
  constexpr double kNone = -60.0;
  for (Eigen::Index i = 0; i < p.rows(); ++i) {
    for (Eigen::Index j = 0; j < p.cols(); ++j) {
      const double least = p(i, j) - top(i);
      p(i, j) = least < kNone ? 0.0 : std::exp(least);
    }
  }
  const Eigen::VectorXd total = p.rowwise().sum();
  p.array().colwise() /= total.array();
  for (Eigen::Index i = 0; i < total.size(); ++i) {
    result.log_likelihood += weights[static_cast<std::size_t>(i)] * (top(i) + std::log(total(i)));
  }
  return result;
}

EmResult run_em(const std::vector<Sample>& samples, SharedModel start, const EmOptions& options) {
  EmResult result{.model = std::move(start), .log_likelihood = 0.0, .iterations = 0};
  auto& model = result.model;
  std::vector<RowMatrix> densities(samples.size());
  for (; result.iterations < options.max_iterations; ++result.iterations) {
    options.stop();
    if (options.move_components || result.iterations == 0) {
      const ComponentDensity density(model.mixture, options.ridge);
      for (std::size_t s = 0; s < samples.size(); ++s) {
        densities[s] = density.log_density(samples[s].points);
      }
    }
    std::vector<Posterior> posteriors;
    double likelihood = 0.0;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      posteriors.push_back(posterior(densities[s], model.pi[s], samples[s].weights));
      likelihood += posteriors[s].log_likelihood / static_cast<double>(samples.size());
      model.pi[s] = to_vector(posteriors[s].probability.transpose() *
                              as_eigen(std::span(samples[s].weights)));
    }
    const bool small_gain =
        result.iterations > 0 && likelihood - result.log_likelihood < options.tolerance;
    result.log_likelihood = likelihood;
    if (small_gain) break;
    if (!options.move_components) continue;
    std::vector<std::vector<Members>> members;
    for (std::size_t s = 0; s < samples.size(); ++s) {
      members.push_back(members_of(posteriors[s], samples[s]));
    }
    for (std::size_t j = 0; j < model.mixture.size(); ++j) {
      auto& component = model.mixture.components[j];
      const Eigen::VectorXd origin = as_eigen(std::span(component.centre));
      update_component(component, moments_of(samples, members, j, origin), options);
    }
  }
  return result;
}

std::vector<double> likelihood_proportions(const ot::WeightedPoints& data,
                                           const Reduction& reduction,
                                           const ComponentDensity& density,
                                           std::vector<double> start, int threads) {
  constexpr std::size_t kBlock = 4096;
  constexpr int kMaxPasses = 12;
  const std::size_t rows = data.points.rows(), k = start.size();
  const std::size_t blocks = (rows + kBlock - 1) / kBlock;
  std::vector<std::vector<double>> partial(blocks);
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    parallel_for(threads, blocks, 1, [&](std::size_t first, std::size_t last, int) {
      for (std::size_t b = first; b < last; ++b) {
        const std::size_t begin = b * kBlock, count = std::min(kBlock, rows - begin);
        Matrix block(count, reduction.dim);
        std::vector<double> weights(count);
        for (std::size_t i = 0; i < count; ++i) {
          std::ranges::copy(reduce(reduction, data.points.row(begin + i)), block.row(i).begin());
          weights[i] = data.weights.empty() ? 1.0 : data.weights[begin + i];
        }
        const Posterior p = posterior(density.log_density(block), start, weights);
        partial[b] = to_vector(p.probability.transpose() * as_eigen(std::span(weights)));
      }
    });
    std::vector<double> next(k, 0.0);
    double total = 0.0, change = 0.0;
    for (const auto& part : partial) {
      for (std::size_t j = 0; j < k; ++j) next[j] += part[j];
    }
    for (const double value : next) total += value;
    for (std::size_t j = 0; j < k; ++j) {
      next[j] /= total;
      change += std::abs(next[j] - start[j]);
    }
    start = std::move(next);
    if (change < 1e-6) break;
  }
  return start;
}

}  // namespace nw::measure
