// Components, their atoms and their samples.
//
// Atoms: a mixture enters a transport problem through fixed points of each component, mapped from
// one common set of quasi-normal points. The objective is then a deterministic function of centres,
// factors and proportions, and W(sample, atoms) carries the noise of the sample alone.
#include "nw/measure/mixture.hpp"

#include <cmath>
#include <numeric>

#include "nw/base/error.hpp"

#include "measure/atoms.hpp"
#include "measure/dense.hpp"
#include "measure/normal_quantile.hpp"

namespace nw::measure {
namespace {

// A symmetric square root that accepts singular covariances, as Cholesky would not.
RowMatrix symmetric_root(const RowMatrix& covariance) {
  const auto [values, vectors] = symmetric_eigen(covariance);
  const double largest = std::max(values.size() ? values.maxCoeff() : 0.0, 0.0);
  require(values.size() == 0 || values.minCoeff() >= -1e-9 * std::max(largest, 1e-300),
          "gaussian_component: covariance has the negative eigenvalue ", values.minCoeff());
  return vectors * values.cwiseMax(0.0).cwiseSqrt().asDiagonal() * vectors.transpose();
}

// The unique real root > 1 of x^(dim+1) = x + 1, whose powers give the Kronecker sequence with the
// smallest known discrepancy constants in every dimension (the golden ratio for dim = 1).
double generalized_golden_ratio(std::size_t dim) {
  double x = 2.0;
  for (int step = 0; step < 64; ++step) x = std::pow(1.0 + x, 1.0 / static_cast<double>(dim + 1));
  return x;
}

}  // namespace

Component gaussian_component(std::span<const double> centre, MatrixView covariance) {
  require(covariance.rows() == centre.size() && covariance.cols() == centre.size(),
          "gaussian_component: centre has ", centre.size(), " coordinates, covariance is ",
          covariance.rows(), " x ", covariance.cols());
  const RowMatrix sigma = as_eigen(covariance);
  require(sigma.allFinite() && as_eigen(centre).allFinite(),
          "gaussian_component: centre and covariance must be finite");
  require((sigma - sigma.transpose()).cwiseAbs().sum() <= 1e-9 * (sigma.cwiseAbs().sum() + 1e-300),
          "gaussian_component: covariance is not symmetric");
  return {.centre = {centre.begin(), centre.end()},
          .factor = to_matrix(symmetric_root(sigma)),
          .samples = {}};
}

Component sample_component(MatrixView samples) {
  require(samples.rows() > 0 && samples.cols() > 0, "sample_component: no samples");
  const auto points = as_eigen(samples);
  require(points.allFinite(), "sample_component: samples must be finite");
  const Eigen::VectorXd mean = points.colwise().mean();
  const RowMatrix centred = points.rowwise() - mean.transpose();
  const RowMatrix sigma = centred.transpose() * centred / static_cast<double>(samples.rows());
  Component component = gaussian_component(to_vector(mean), to_matrix(sigma));
  component.samples = to_matrix(points);
  return component;
}

Matrix covariance(const Component& component) {
  const auto factor = as_eigen(component.factor.view());
  return to_matrix(factor * factor.transpose());
}

void Mixture::validate() const {
  require(!components.empty(), "Mixture: no components");
  require(dim() > 0, "Mixture: component 0 has no coordinates");
  for (std::size_t j = 0; j < size(); ++j) {
    const auto& c = components[j];
    require(c.centre.size() == dim(), "Mixture: component ", j, " has ", c.centre.size(),
            " coordinates, component 0 has ", dim());
    require(c.factor.rows() == dim() && c.factor.cols() == dim(), "Mixture: component ", j,
            " has a factor of ", c.factor.rows(), " x ", c.factor.cols());
    require(c.is_affine() || c.samples.cols() == dim(), "Mixture: component ", j,
            " has samples with ", c.samples.cols(), " columns instead of ", dim());
    require(as_eigen(std::span(c.centre)).allFinite() && as_eigen(c.factor.view()).allFinite() &&
                as_eigen(c.samples.view()).allFinite(),
            "Mixture: component ", j, " has values that are not finite");
  }
}

std::vector<double> Atoms::weights(std::span<const double> pi) const {
  require(pi.size() == components(), "Atoms: ", pi.size(), " proportions for ", components(),
          " components");
  std::vector<double> result(points.rows());
  for (std::size_t j = 0; j < components(); ++j) {
    const double mass = pi[j] / static_cast<double>(count(j));
    for (std::size_t i = begin[j]; i < begin[j + 1]; ++i) result[i] = mass;
  }
  return result;
}

Matrix quasi_normal_points(std::size_t count, std::size_t dim) {
  require(count > 0 && dim > 0, "quasi_normal_points: count and dim must be positive, got ", count,
          " and ", dim);
  RowMatrix z(count, dim);
  const double ratio = generalized_golden_ratio(std::max<std::size_t>(dim - 1, 1));
  for (std::size_t i = 0; i < count; ++i) {
    // The first coordinate is equidistributed by construction (Hammersley); the others follow the
    // Kronecker sequence of one dimension less.
    z(i, 0) = normal_quantile((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    double step = 1.0;
    for (std::size_t c = 1; c < dim; ++c) {
      step /= ratio;
      double u = 0.5 + static_cast<double>(i) * step;
      u -= std::floor(u);
      z(i, c) = normal_quantile(std::clamp(u, 1e-12, 1.0 - 1e-12));
    }
  }
  z.rowwise() -= z.colwise().mean().eval();
  if (count > 2 * dim) {
    const RowMatrix sigma = z.transpose() * z / static_cast<double>(count);
    const CholeskyFactor cholesky = cholesky_factor(sigma);
    if (cholesky.positive_definite) z = whitened_rows(cholesky.lower, z);
  }
  return to_matrix(z);
}

Atoms stratified_atoms(const Mixture& mixture, std::size_t per_component) {
  mixture.validate();
  require(per_component > 0, "stratified_atoms: per_component must be positive");
  return map_atoms(mixture, quasi_normal_points(per_component, mixture.dim()));
}

Atoms map_atoms(const Mixture& mixture, const Matrix& base) {
  const std::size_t dim = mixture.dim();
  Atoms atoms;
  atoms.begin.push_back(0);
  for (const auto& c : mixture.components) {
    atoms.begin.push_back(atoms.begin.back() + (c.is_affine() ? base.rows() : c.samples.rows()));
  }
  atoms.points = Matrix(atoms.begin.back(), dim);
  for (std::size_t j = 0; j < mixture.size(); ++j) {
    const auto& c = mixture.components[j];
    Eigen::Map<RowMatrix> rows(atoms.points.values().data() + atoms.begin[j] * dim,
                               static_cast<Eigen::Index>(atoms.count(j)),
                               static_cast<Eigen::Index>(dim));
    if (!c.is_affine()) {
      rows = as_eigen(c.samples.view());
      continue;
    }
    rows.noalias() = as_eigen(base.view()) * as_eigen(c.factor.view()).transpose();
    rows.rowwise() += as_eigen(std::span(c.centre)).transpose();
  }
  return atoms;
}

MixtureSample draw(const Mixture& mixture, std::span<const double> pi, std::size_t count,
                   Rng& rng) {
  mixture.validate();
  validate_proportions(pi, mixture.size());
  const std::size_t dim = mixture.dim();
  MixtureSample sample{.points = Matrix(count, dim), .component_of = {}};
  sample.component_of.resize(count);
  Eigen::VectorXd z(dim);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t j = rng.categorical(pi);
    sample.component_of[i] = static_cast<std::uint32_t>(j);
    const auto& c = mixture.components[j];
    Eigen::Map<Eigen::VectorXd> row(sample.points.row(i).data(), static_cast<Eigen::Index>(dim));
    if (c.is_affine()) {
      for (auto& value : z) value = rng.normal();
      row = as_eigen(std::span(c.centre)) + as_eigen(c.factor.view()) * z;
    } else {
      row = as_eigen(c.samples.row(static_cast<std::size_t>(rng.below(c.samples.rows()))));
    }
  }
  return sample;
}

void validate_proportions(std::span<const double> pi, std::size_t components) {
  require(pi.size() == components, "proportions: expected ", components, " entries, got ",
          pi.size());
  double total = 0.0;
  for (std::size_t j = 0; j < pi.size(); ++j) {
    require(std::isfinite(pi[j]) && pi[j] >= 0.0, "proportions: entry ", j,
            " must be finite and non-negative, got ", pi[j]);
    total += pi[j];
  }
  require(std::abs(total - 1.0) <= 1e-6, "proportions must sum to one, got ", total);
}

}  // namespace nw::measure
