// For a fixed coupling T the cost of component j is  sum T_is c(x_i, mu + A z_s)  over its atoms s.
// Squared distances: weighted least squares of x on (1, z). Distances: the same with weights
// T_is / |x_i - mu - A z_s|, iterated (Weiszfeld's method), which lowers the cost at every step.
//
// Where we differ on purpose: in more than four dimensions the distance between a sample and any
// finite set of atoms is dominated by sampling noise, and minimising it shrinks A towards zero. The
// covariance of the coupled points is then the better estimate of the shape (ShapeRule::moments).
#include "measure/component_step.hpp"

#include <cmath>

#include "measure/dense.hpp"
#include "measure/shared_em.hpp"

namespace nw::measure {
namespace {

constexpr int kWeiszfeldSteps = 3;
constexpr std::size_t kLargestRegressionDim = 4;

struct Pair {
  const double* x;
  const double* z;
  double mass;
};

using Pairs = std::vector<Pair>;

std::vector<Pairs> pairs_by_component(const Atoms& atoms, const Matrix& base,
                                      const std::vector<Coupled>& coupled) {
  std::vector<std::uint32_t> component_of(atoms.points.rows());
  for (std::size_t j = 0; j < atoms.components(); ++j) {
    std::fill(component_of.begin() + static_cast<std::ptrdiff_t>(atoms.begin[j]),
              component_of.begin() + static_cast<std::ptrdiff_t>(atoms.begin[j + 1]),
              static_cast<std::uint32_t>(j));
  }
  std::vector<Pairs> pairs(atoms.components());
  for (const auto& c : coupled) {
    for (const auto& flow : c.transport->plan) {
      const std::size_t j = component_of[flow.target];
      const std::size_t s = flow.target - atoms.begin[j];
      if (flow.mass <= 0.0 || s >= base.rows()) continue;
      pairs[j].push_back({c.sample->points.row(flow.source).data(), base.row(s).data(), flow.mass});
    }
  }
  return pairs;
}

struct AffineMap {
  Eigen::VectorXd centre;
  RowMatrix factor;
};

double residual_norm(const AffineMap& map, const Pair& pair) {
  const auto dim = map.centre.size();
  double sum = 0.0;
  for (Eigen::Index r = 0; r < dim; ++r) {
    double value = pair.x[r] - map.centre(r);
    for (Eigen::Index c = 0; c < dim; ++c) value -= map.factor(r, c) * pair.z[c];
    sum += value * value;
  }
  return std::sqrt(sum);
}

// Weighted sums over (1, z) and x: everything least squares needs for all three shapes.
struct NormalEquations {
  RowMatrix gram;   // [d + 1, d + 1]
  RowMatrix cross;  // [d + 1, d]

  NormalEquations(const Pairs& pairs, const std::vector<double>& weights, Eigen::Index dim)
      : gram(RowMatrix::Zero(dim + 1, dim + 1)), cross(RowMatrix::Zero(dim + 1, dim)) {
    Eigen::VectorXd row(dim + 1);
    row(0) = 1.0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      row.tail(dim) = Eigen::Map<const Eigen::VectorXd>(pairs[p].z, dim);
      const Eigen::Map<const Eigen::VectorXd> x(pairs[p].x, dim);
      const Eigen::VectorXd scaled = weights[p] * row;
      gram.noalias() += scaled * row.transpose();
      cross.noalias() += scaled * x.transpose();
    }
  }
};

AffineMap solve_full(const NormalEquations& eq, const AffineMap& old) {
  const auto dim = old.centre.size();
  // A pull towards the old map decides directions in which the atoms in use do not vary.
  const double pull = 1e-6 * eq.gram(0, 0);
  RowMatrix previous(dim + 1, dim);
  previous.row(0) = old.centre.transpose();
  previous.bottomRows(dim) = old.factor.transpose();
  RowMatrix gram = eq.gram;
  gram.diagonal().array() += pull;
  const RowMatrix solution = solve_semidefinite(gram, eq.cross + pull * previous);
  return {.centre = solution.row(0).transpose(), .factor = solution.bottomRows(dim).transpose()};
}

AffineMap solve_diagonal(const NormalEquations& eq, const AffineMap& old) {
  AffineMap map = old;
  const double mass = eq.gram(0, 0), pull = 1e-6 * mass;
  for (Eigen::Index c = 0; c < old.centre.size(); ++c) {
    const double z = eq.gram(0, c + 1), zz = eq.gram(c + 1, c + 1);
    const double x = eq.cross(0, c), zx = eq.cross(c + 1, c);
    const double scale = (zx - z * x / mass + pull * old.factor(c, c)) / (zz - z * z / mass + pull);
    map.factor(c, c) = scale;
    map.centre(c) = (x - scale * z) / mass;
  }
  return map;
}

AffineMap solve_spherical(const NormalEquations& eq, const AffineMap& old) {
  const auto dim = old.centre.size();
  const double mass = eq.gram(0, 0), pull = 1e-6 * mass;
  const Eigen::VectorXd z = eq.gram.row(0).tail(dim).transpose();
  const Eigen::VectorXd x = eq.cross.row(0).transpose();
  const double zz = eq.gram.bottomRightCorner(dim, dim).trace();
  const double zx = eq.cross.bottomRows(dim).trace();
  const double scale =
      (zx - z.dot(x) / mass + pull * old.factor(0, 0)) / (zz - z.squaredNorm() / mass + pull);
  return {.centre = (x - scale * z) / mass, .factor = scale * RowMatrix::Identity(dim, dim)};
}

AffineMap regress(const Pairs& pairs, AffineMap map, ot::GroundCost cost, Shape shape) {
  std::vector<double> weights(pairs.size());
  const bool squared = cost == ot::GroundCost::squared_euclidean;
  const int steps = squared ? 1 : kWeiszfeldSteps;
  for (int step = 0; step < steps; ++step) {
    double mean = 0.0, mass = 0.0;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      weights[p] = squared ? 1.0 : residual_norm(map, pairs[p]);
      mean += pairs[p].mass * weights[p];
      mass += pairs[p].mass;
    }
    // Pairs that already coincide would get infinite weight; a thousandth of the mean distance is
    // far below anything that matters to the value.
    const double smallest = std::max(1e-3 * mean / mass, 1e-300);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      weights[p] = squared ? pairs[p].mass : pairs[p].mass / std::max(weights[p], smallest);
    }
    const NormalEquations equations(pairs, weights, map.centre.size());
    switch (shape) {
      case Shape::full:
        map = solve_full(equations, map);
        break;
      case Shape::diagonal:
        map = solve_diagonal(equations, map);
        break;
      case Shape::spherical:
        map = solve_spherical(equations, map);
        break;
    }
  }
  return map;
}

Component from_moments(const Pairs& pairs, Eigen::Index dim, Shape shape) {
  double mass = 0.0, largest = 0.0;
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(dim);
  for (const auto& p : pairs) {
    mass += p.mass;
    largest = std::max(largest, p.mass);
    mean += p.mass * Eigen::Map<const Eigen::VectorXd>(p.x, dim);
  }
  mean /= mass;
  RowMatrix sigma = RowMatrix::Zero(dim, dim);
  for (const auto& p : pairs) {
    const Eigen::VectorXd delta = Eigen::Map<const Eigen::VectorXd>(p.x, dim) - mean;
    sigma.noalias() += p.mass / mass * delta * delta.transpose();
  }
  return gaussian_component(to_vector(mean),
                            to_matrix(constrained_covariance(sigma, shape, mass / largest)));
}

}  // namespace

ShapeRule shape_rule(std::size_t dim) {
  return dim <= kLargestRegressionDim ? ShapeRule::regression : ShapeRule::moments;
}

Mixture improve_components(const MappedComponents& components, const std::vector<Coupled>& coupled,
                           const ComponentRule& rule) {
  const auto& [mixture, atoms, base] = components;
  const auto dim = static_cast<Eigen::Index>(mixture.dim());
  const std::vector<Pairs> pairs = pairs_by_component(atoms, base, coupled);
  Mixture result = mixture;
  for (std::size_t j = 0; j < mixture.size(); ++j) {
    auto& component = result.components[j];
    double mass = 0.0;
    for (const auto& p : pairs[j]) mass += p.mass;
    if (!component.is_affine() || mass < 1e-9) continue;
    if (rule.rule == ShapeRule::moments) {
      component = from_moments(pairs[j], dim, rule.shape);
      continue;
    }
    const AffineMap map = regress(pairs[j],
                                  {.centre = as_eigen(std::span(component.centre)),
                                   .factor = as_eigen(component.factor.view())},
                                  rule.cost, rule.shape);
    component.centre = to_vector(map.centre);
    component.factor = to_matrix(map.factor);
  }
  return result;
}

}  // namespace nw::measure
