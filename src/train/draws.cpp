#include "nw/train/draws.hpp"

#include "nw/nn/random_tensor.hpp"

namespace nw::train {

torch::Tensor Draws::normal(at::IntArrayRef sizes) {
  if (device_.is_cpu()) return nn::normal_tensor(next(), sizes);
  return torch::randn(sizes, torch::TensorOptions().device(device_));
}

torch::Tensor Draws::uniform(at::IntArrayRef sizes) {
  if (device_.is_cpu()) return nn::uniform_tensor(next(), sizes);
  return torch::rand(sizes, torch::TensorOptions().device(device_));
}

torch::Tensor Draws::indices(std::int64_t count, std::int64_t bound) {
  if (device_.is_cpu()) return nn::index_tensor(next(), count, bound);
  return torch::randint(bound, {count},
                        torch::TensorOptions().device(device_).dtype(torch::kInt64));
}

}  // namespace nw::train
