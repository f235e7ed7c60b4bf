// Private: random changes of images that leave alone what they show.
#pragma once

#include <torch/types.h>

#include "nw/train/draws.hpp"

namespace nw::adapt {

/// How far images are turned, sized and moved, each by up to so much in either direction.
struct Motion {
  double turn = 0.0;   ///< radians
  double scale = 0.0;  ///< share of the size
  double shift = 0.0;  ///< half sides
};

// All take images [n, c, h, w] with values in [-1, 1] and change each of them in its own way, alike
// on the CPU and on a GPU, where a recorded step may hold them. Values may leave the range:
// networks that see such images bring each to mean 0 and variance 1.

/// Beyond its border an image goes on as its last row or column.
[[nodiscard]] torch::Tensor moved(const torch::Tensor& images, const Motion& motion,
                                  train::Draws& draws);

/// Smooth random fields like clouds of colour: [n, c, h, w], mean 0, deviation about 1, sums of
/// noise on grids of 2 to 16 points a side in random shares.
[[nodiscard]] torch::Tensor clouds(const torch::Tensor& like, train::Draws& draws);

/// Another contrast and another ground: what stands out from an image's mean is multiplied by
/// +-[0.4, 1.4], with one sign for the image and a size for each channel or the other way round,
/// and lies on a ground of a random colour. In half of the images factor and ground vary from place
/// to place by clouds.
[[nodiscard]] torch::Tensor recoloured(const torch::Tensor& images, train::Draws& draws);

/// Gaussian noise of a random deviation up to `most`.
[[nodiscard]] torch::Tensor noisy(const torch::Tensor& images, double most, train::Draws& draws);

/// Half of the images lose a square of a quarter of their smaller side to a random grey.
[[nodiscard]] torch::Tensor with_gaps(const torch::Tensor& images, train::Draws& draws);

/// An image that is hardly changed, and one that is all of the above.
[[nodiscard]] torch::Tensor weak_view(const torch::Tensor& images, train::Draws& draws);
[[nodiscard]] torch::Tensor strong_view(const torch::Tensor& images, train::Draws& draws);

/// Means and deviations [2, d] of the columns of a table, with which its rows are changed: those of
/// the domain that the rows are from, or noise and gaps would tell the domains apart.
[[nodiscard]] torch::Tensor column_moments(const torch::Tensor& rows);

/// The same for rows [n, d] of a table with such `columns`: a little noise; or noise of a random
/// deviation and a random share of the columns, up to a half, at their means.
[[nodiscard]] torch::Tensor weak_rows(const torch::Tensor& rows, const torch::Tensor& columns,
                                      train::Draws& draws);
[[nodiscard]] torch::Tensor strong_rows(const torch::Tensor& rows, const torch::Tensor& columns,
                                        train::Draws& draws);

/// Rows [n, d] moved towards another row each, drawn at random, by a random share up to `most`
/// (mixup of Zhang et al. 2018 without its mixed classes: below a half a row keeps its own).
[[nodiscard]] torch::Tensor mixed_rows(const torch::Tensor& rows, double most, train::Draws& draws);

}  // namespace nw::adapt
