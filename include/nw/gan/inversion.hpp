// Which component makes a row: C(x) = argmin_j min_z |x - G_j(z)|^2, the paper's clustering rule
// [NW:assign].
#pragma once

#include <cstdint>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"
#include "nw/base/team.hpp"
#include "nw/nn/mixture_generator.hpp"

namespace nw::gan {

struct InversionOptions {
  /// Price of |z|^2 beside |x - G_j(z)|^2: rows that a component makes hardly ever are not its own,
  /// however far its noise reaches. The paper's rule is the limit 0. Positive.
  double price = 0.01;
  /// Networks: starts of z for each row: one that an encoder guesses, the others the nearest of
  /// `candidates` random ones. Positive.
  std::int64_t starts = 2;
  /// Networks: steps in which an encoder learns z from pairs (G_j(z), z), for as many rows or more.
  std::int64_t encoder_steps = 300;
  std::int64_t candidates = 1000;
  /// Networks: steps of Adam on z, and its rate at the first of them. Positive.
  std::int64_t iterations = 100;
  double rate = 0.1;
  /// Networks: rows inverted at once, starts included. Positive.
  std::int64_t rows_at_once = 4096;
  /// Networks: processes that share the rows, each of which gets everything. May be null.
  Team* team = nullptr;

  /// Throws InvalidArgument naming the first field out of range.
  void validate() const;
};

/// min over z of |x_i - G_j(z)|^2 + price |z|^2, for rows in network space on any device: [n, k] on
/// the CPU in double precision. Closed form for affine components; networks are searched.
[[nodiscard]] torch::Tensor inversion_energies(const nn::MixtureGenerator& generator,
                                               const torch::Tensor& rows,
                                               const InversionOptions& options, const Rng& rng);

/// Energies that look at the proportions too: energy_j - 2 price log pi_j. What [NW:assign] leaves
/// open, as its rule is the limit of no price: a row is made by component j from z with the density
/// pi_j exp(-|z|^2 / 2) exp(-|x - G_j(z)|^2 / (2 price)), and the likeliest j and z together
/// minimise this. Without it rare components claim the outskirts of large ones.
[[nodiscard]] torch::Tensor with_shares(const torch::Tensor& energies,
                                        const std::vector<double>& pi, double price);

/// The component of each row and how sure it is.
struct Assignment {
  std::vector<std::uint32_t> component_of;  ///< [n]
  std::vector<double> confidence;           ///< [n], in [1/k, 1]
  torch::Tensor membership;                 ///< [n, k] on the CPU; every row sums to one
  double temperature = 0.0;                 ///< mean energy of the chosen components
};

/// The component of least energy; memberships are proportional to exp(-energy / (2 t)), where t is
/// `temperature`, or the mean least energy of these rows when it is 0.
[[nodiscard]] Assignment assign(const torch::Tensor& energies, double temperature = 0.0);

}  // namespace nw::gan
