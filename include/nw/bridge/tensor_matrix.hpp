// Between the matrices of nw::core and tensors: the only crossing point.
#pragma once

#include <torch/types.h>

#include "nw/base/matrix_view.hpp"

namespace nw::bridge {

/// A float32 copy on the CPU: [rows, cols].
[[nodiscard]] torch::Tensor to_tensor(MatrixView matrix);

/// A double copy of a tensor of any device and floating type; dimensions after the first are
/// flattened. Throws InvalidArgument for a tensor without dimensions.
[[nodiscard]] Matrix to_matrix(const torch::Tensor& tensor);

/// The values of a tensor of any shape, in row-major order.
[[nodiscard]] std::vector<double> to_vector(const torch::Tensor& tensor);

}  // namespace nw::bridge
