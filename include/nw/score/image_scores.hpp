// Scores of generated images by what a classifier sees in them.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/matrix_view.hpp"

namespace nw::score {

/// exp(E_x KL(p(y|x) || p(y))), Salimans et al. 2016: large where each image is clearly of one
/// class and all classes occur. With Inception-v3 it is the Inception Score; with another
/// classifier it is not comparable to published numbers and needs another name.
struct ClassScore {
  double mean = 0.0;       ///< over the parts
  double deviation = 0.0;  ///< between them
};

/// `probabilities` [n, classes] of n images in random order. They are cut into `parts` of equal
/// length, as the published score does with ten. Throws InvalidArgument for fewer images than
/// parts, or rows that do not sum to one.
[[nodiscard]] ClassScore class_score(MatrixView probabilities, int parts = 10);

/// Mean and covariance of features.
struct FeatureMoments {
  std::vector<double> mean;  ///< [d]
  Matrix covariance;         ///< [d, d], divided by n - 1
  std::size_t count = 0;     ///< n
};

/// At least two rows: [n, d].
[[nodiscard]] FeatureMoments feature_moments(MatrixView features);

/// |m1 - m2|^2 + tr(S1 + S2 - 2 (S1 S2)^(1/2)): squared W2 between Gaussians of these moments
/// (Dowson and Landau 1982). On Inception's features it is the FID of Heusel et al. 2017.
[[nodiscard]] double frechet_distance(const FeatureMoments& x, const FeatureMoments& y);

}  // namespace nw::score
