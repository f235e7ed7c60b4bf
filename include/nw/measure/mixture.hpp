// Mixture distributions P_{G,pi}: components G_j as affine maps of a normal variable or as samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/option_field.hpp"
#include "nw/base/rng.hpp"

namespace nw::measure {

/// Which affine maps a component may be: any matrix, one scale per coordinate, or one scale.
enum class Shape { full, diagonal, spherical };

constexpr auto choices(Shape) {
  return std::array{Choice{"full", Shape::full}, Choice{"diagonal", Shape::diagonal},
                    Choice{"spherical", Shape::spherical}};
}
[[nodiscard]] constexpr const char* to_string(Shape shape) {
  return choice_name(shape);
}

/// One component G_j of a mixture [NW:mix]. Affine components are x = centre + factor z with z
/// standard normal, so their covariance is factor factor^T. A component given by samples keeps
/// them in `samples`; its centre and factor then only describe it (mean, Cholesky factor).
struct Component {
  std::vector<double> centre;  ///< [d]
  Matrix factor;               ///< [d, d]
  Matrix samples;              ///< [s, d]; empty for affine components

  [[nodiscard]] bool is_affine() const noexcept { return samples.values().empty(); }
};

/// An affine component with the given covariance. `covariance` is symmetric and positive
/// semi-definite up to rounding; throws InvalidArgument otherwise.
[[nodiscard]] Component gaussian_component(std::span<const double> centre, MatrixView covariance);

/// A component that is the empirical distribution of the rows of `samples`.
[[nodiscard]] Component sample_component(MatrixView samples);

/// factor factor^T of a component: [d, d].
[[nodiscard]] Matrix covariance(const Component& component);

/// The components G = [G_1 ... G_k], without proportions: two data sets share one of these.
struct Mixture {
  std::vector<Component> components;

  [[nodiscard]] std::size_t size() const noexcept { return components.size(); }
  [[nodiscard]] std::size_t dim() const noexcept {
    return components.empty() ? 0 : components.front().centre.size();
  }
  /// Throws InvalidArgument for no components, unequal dimensions or values that are not finite.
  void validate() const;
};

/// Points that stand for a mixture in a transport problem: those of component j carry pi_j / m_j
/// each, so every component is represented whatever its proportion.
struct Atoms {
  Matrix points;                   ///< [m, d], component by component
  std::vector<std::size_t> begin;  ///< [k + 1]; component j owns rows begin[j] ... begin[j + 1] - 1

  [[nodiscard]] std::size_t components() const noexcept { return begin.size() - 1; }
  [[nodiscard]] std::size_t count(std::size_t j) const noexcept { return begin[j + 1] - begin[j]; }
  /// Mass of every atom for the proportions pi.
  [[nodiscard]] std::vector<double> weights(std::span<const double> pi) const;
};

/// Standard normal points that no seed changes: a rank-1 lattice through the normal quantile,
/// then centred and whitened so that mean 0 and covariance I hold exactly. [count, dim]
[[nodiscard]] Matrix quasi_normal_points(std::size_t count, std::size_t dim);

/// Atoms of a mixture; affine components map the same quasi-normal points (common random numbers),
/// so the atoms move smoothly with centre and factor. Components given by samples use them all.
[[nodiscard]] Atoms stratified_atoms(const Mixture& mixture, std::size_t per_component);

/// A random sample and the component each row came from.
struct MixtureSample {
  Matrix points;
  std::vector<std::uint32_t> component_of;
};

/// Draws `count` independent points of P_{G,pi}.
[[nodiscard]] MixtureSample draw(const Mixture& mixture, std::span<const double> pi,
                                 std::size_t count, Rng& rng);

/// Throws InvalidArgument unless `pi` has `components` non-negative entries that sum to one.
void validate_proportions(std::span<const double> pi, std::size_t components);

}  // namespace nw::measure
