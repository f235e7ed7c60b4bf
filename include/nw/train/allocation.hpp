// How many rows each component contributes to a batch.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <torch/types.h>

namespace nw::train {

/// `full`: every component draws a whole batch, as Algorithm 1 of the paper does. `equal`: they
/// share one batch equally. `proportional`: they share it by pi, with a floor.
enum class Allocation { full, equal, proportional };

[[nodiscard]] const char* to_string(Allocation allocation);

/// Rows of each component, all positive. `batch` is the total to share (or the rows of each, for
/// `full`); the floor is lowered where the batch cannot hold it.
///
/// Whatever the counts n_j, rows of component j weigh pi_j / n_j: then sum_i w_i D(x_i) has the
/// expectation sum_j pi_j E[D(G_j(Z))], and the mean of D over the rows of component j estimates
/// its derivative in pi_j without bias. Counts by pi make the variance of the sum smallest when D
/// varies equally in all components; the floor bounds the variance of the derivatives.
[[nodiscard]] std::vector<std::int64_t> allocate(Allocation allocation, std::span<const double> pi,
                                                 std::int64_t batch, std::int64_t floor);

/// pi_j / n_j for every row: [sum of counts], on the device of `pi` [k].
[[nodiscard]] torch::Tensor row_weights(const torch::Tensor& pi,
                                        const std::vector<std::int64_t>& counts);

/// Mean over the rows of each component: [sum of counts] -> [k].
[[nodiscard]] torch::Tensor component_means(const torch::Tensor& values,
                                            const std::vector<std::int64_t>& counts);

}  // namespace nw::train
