// Private: the data sets as the algorithms see them: checked, subsampled, reduced, normalised.
#pragma once

#include <cstddef>
#include <vector>

#include "nw/base/matrix_view.hpp"
#include "nw/base/rng.hpp"
#include "nw/measure/normalized_wasserstein.hpp"
#include "nw/ot/problem.hpp"

namespace nw::measure {

/// Points of one data set in the working space, with weights that sum to one.
struct Sample {
  Matrix points;
  std::vector<double> weights;

  [[nodiscard]] std::size_t rows() const noexcept { return points.rows(); }
  [[nodiscard]] ot::WeightedPoints view() const { return {points, weights}; }
};

/// One or two samples in one working space.
struct WorkingData {
  std::vector<Sample> samples;            ///< at most max_points rows each
  std::vector<ot::WeightedPoints> given;  ///< the data as given, in the data space
  Reduction reduction;
  double variance = 0.0;  ///< mean over coordinates of the pooled variance, in the working space

  [[nodiscard]] std::size_t dim() const noexcept { return reduction.dim; }
};

/// Throws InvalidArgument for data (named `x` and `y` in messages) that are empty, not finite, of
/// different width, wrongly weighted, or fewer than the components.
void check_data(const std::vector<ot::WeightedPoints>& data, std::size_t components);

/// Checks the data (named `x` and `y` in messages) against the number of components, draws
/// subsamples and reduces the dimension as the options say.
[[nodiscard]] WorkingData prepare(const std::vector<ot::WeightedPoints>& data,
                                  std::size_t components, const NwOptions& options, Rng& rng);

/// Row `i` of `points` in the working space.
[[nodiscard]] std::vector<double> reduce(const Reduction& reduction, std::span<const double> row);
/// A point of the working space in the data space, and a direction likewise.
[[nodiscard]] std::vector<double> restore(const Reduction& reduction,
                                          std::span<const double> point);
[[nodiscard]] std::vector<double> restore_direction(const Reduction& reduction,
                                                    std::span<const double> direction);
/// A mixture of the working space in the data space: factors become axes^T A axes.
[[nodiscard]] Mixture restore(const Reduction& reduction, const Mixture& mixture);
/// A mixture of the data space in the working space.
[[nodiscard]] Mixture reduce(const Reduction& reduction, const Mixture& mixture);

/// `count` distinct row numbers below `rows`, ascending; all of them when count >= rows.
[[nodiscard]] std::vector<std::size_t> choose_rows(std::size_t rows, std::size_t count, Rng& rng);

/// The given rows, with their weights renormalised.
[[nodiscard]] Sample take(const Sample& sample, const std::vector<std::size_t>& rows);

/// At most `rows` rows of each sample, chosen at random.
[[nodiscard]] std::vector<Sample> thin(const std::vector<Sample>& samples, std::size_t rows,
                                       Rng& rng);

}  // namespace nw::measure
