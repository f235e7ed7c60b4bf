// Private: tests of two samples of numbers, and corrections for testing many of them.
#pragma once

#include <span>
#include <vector>

namespace nw::measure {

/// Two-sided p-value of the rank sum test (Mann and Whitney 1947), with ties.
[[nodiscard]] double rank_sum_two_sided(std::span<const double> a, std::span<const double> b);

/// sup |F_a - F_b|. Both must be sorted.
[[nodiscard]] double kolmogorov_distance(std::span<const double> a, std::span<const double> b);

/// P(sup |F_a - F_b| >= distance) when both are samples of one distribution: the limit law with
/// the correction of Stephens (1970) for small samples. Ties make it larger than need be.
[[nodiscard]] double kolmogorov_p(double distance, double rows_a, double rows_b);

/// The half-width of a band around F_a - F_b that holds everywhere with this confidence.
[[nodiscard]] double kolmogorov_band(double confidence, double rows_a, double rows_b);

/// Of "a and b are samples of one distribution": twice the smaller of both tests. The first sees
/// shifts best, the second changes of spread and shape too.
[[nodiscard]] double two_sample_p(std::vector<double> a, std::vector<double> b);

/// Holm's correction (1979): p-values that hold together whatever their dependence.
[[nodiscard]] std::vector<double> holm(const std::vector<double>& p);

}  // namespace nw::measure
