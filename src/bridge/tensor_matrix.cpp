#include "nw/bridge/tensor_matrix.hpp"

#include <algorithm>

namespace nw::bridge {

torch::Tensor to_tensor(MatrixView matrix) {
  auto tensor = torch::empty(
      {static_cast<std::int64_t>(matrix.rows()), static_cast<std::int64_t>(matrix.cols())},
      torch::kFloat32);
  std::transform(matrix.values().begin(), matrix.values().end(), tensor.data_ptr<float>(),
                 [](double value) { return static_cast<float>(value); });
  return tensor;
}

std::vector<double> to_vector(const torch::Tensor& tensor) {
  const auto flat = tensor.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  const double* first = flat.data_ptr<double>();
  return {first, first + flat.numel()};
}

Matrix to_matrix(const torch::Tensor& tensor) {
  require(tensor.dim() > 0, "to_matrix: a tensor without dimensions has no rows");
  const auto rows = static_cast<std::size_t>(tensor.size(0));
  std::vector<double> values = to_vector(tensor);
  const std::size_t cols = rows == 0 ? 0 : values.size() / rows;
  return {std::move(values), rows, cols};
}

}  // namespace nw::bridge
