// Class proportions of a sample without labels, from what a classifier says about its rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"

namespace nw::adapt {

/// Proportions that make the classifier's posteriors most likely (Saerens, Latinne and Decaestecker
/// 2002): the fixed point of pi_j = mean_i pi_j r_ij / sum_l pi_l r_il with r_ij = p(j | x_i) /
/// prior_j. `posterior` is [n, k], `prior` the proportions the classifier was trained with. Row i
/// counts `counts[i]` times; empty: once.
[[nodiscard]] std::vector<double> likely_proportions(MatrixView posterior,
                                                     std::span<const double> prior,
                                                     std::span<const std::uint32_t> counts = {});

/// Target proportions q on the simplex that come closest to sum_j q_j P(predicted = i | class j) =
/// predicted_i in squares: black box shift estimation (Lipton, Wang and Smola 2018) with the
/// constraint of IWDAN (Tachet des Combes et al. 2020, equation 7). `confusion` is [k, k] with
/// column j the shares of predictions for class j; `ridge` pulls q towards `prior`.
[[nodiscard]] std::vector<double> confused_proportions(MatrixView confusion,
                                                       std::span<const double> predicted,
                                                       std::span<const double> prior,
                                                       double ridge = 1e-3);

/// An interval per class.
struct ProportionIntervals {
  std::vector<double> likely;     ///< [k] likely_proportions of the whole sample
  std::vector<double> low, high;  ///< [k]
};

/// What a classifier says about rows, [n, k], and the proportions it was trained with.
struct Posteriors {
  MatrixView posterior;
  std::span<const double> prior;
};

struct BootstrapOptions {
  int samples = 100;    ///< at least 2
  double level = 0.95;  ///< in (0, 1)
};

/// Intervals for `estimate` [k]: the spread of likely_proportions over resampled rows (percentiles
/// of the level), put around whatever lies between `estimate` and likely_proportions, so that their
/// disagreement counts as uncertainty too.
[[nodiscard]] ProportionIntervals bootstrap_proportions(const Posteriors& rows,
                                                        std::span<const double> estimate,
                                                        const Rng& rng,
                                                        const BootstrapOptions& options = {});

/// How predictions compare with true classes.
struct Scores {
  double accuracy = 0.0;               ///< share of all rows, those of unknown classes included
  double mean_class_accuracy = 0.0;    ///< over the classes that occur
  std::vector<double> class_accuracy;  ///< [k], NaN where a class does not occur
  std::vector<double> proportions;     ///< [k], true, of rows whose class is known
  Matrix confusion;                    ///< [k, k] counts: true class by predicted class
  std::size_t unknown_rows = 0;        ///< of classes that the source lacks
};

/// `class_of` may hold -1. Throws InvalidArgument when the lengths differ.
[[nodiscard]] Scores score(std::span<const std::int64_t> class_of,
                           std::span<const std::int64_t> predicted, std::size_t classes);

}  // namespace nw::adapt
