#include "nw/train/state_tensors.hpp"

#include <cstring>

#include "nw/base/error.hpp"

namespace nw::train {
namespace {

struct TypePair {
  io::TensorType stored;
  torch::ScalarType tensor;
};
constexpr TypePair kTypes[] = {
    {io::TensorType::f64, torch::kFloat64}, {io::TensorType::f32, torch::kFloat32},
    {io::TensorType::f16, torch::kFloat16}, {io::TensorType::bf16, torch::kBFloat16},
    {io::TensorType::i64, torch::kInt64},   {io::TensorType::i32, torch::kInt32},
    {io::TensorType::u8, torch::kUInt8}};

io::TensorType stored_type(torch::ScalarType type) {
  for (const auto& pair : kTypes) {
    if (pair.tensor == type) return pair.stored;
  }
  throw InvalidArgument("a checkpoint cannot hold tensors of this type");
}

}  // namespace

StateTensors::StateTensors(const std::vector<NamedTensor>& state) {
  for (const auto& [name, tensor] : state) {
    copies_.push_back(tensor.detach().to(torch::kCPU).contiguous().clone());
    const auto& copy = copies_.back();
    std::vector<std::uint64_t> shape(copy.sizes().begin(), copy.sizes().end());
    views_.push_back({name,
                      stored_type(copy.scalar_type()),
                      std::move(shape),
                      {static_cast<const std::byte*>(copy.data_ptr()), copy.nbytes()}});
  }
}

void StateTensors::restore(const std::vector<NamedTensor>& state) const {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < state.size(); ++i) {
    torch::Tensor target = state[i].second;
    target.copy_(copies_[i]);
  }
}

torch::Tensor to_tensor(const io::Tensor& stored) {
  for (const auto& pair : kTypes) {
    if (pair.stored != stored.type) continue;
    const std::vector<std::int64_t> sizes(stored.shape.begin(), stored.shape.end());
    auto tensor = torch::empty(sizes, torch::TensorOptions().dtype(pair.tensor));
    if (!stored.bytes.empty()) {
      std::memcpy(tensor.data_ptr(), stored.bytes.data(), stored.bytes.size());
    }
    return tensor;
  }
  throw IoError(concat("tensor ", stored.name, ": type ", io::to_string(stored.type),
                       " has no counterpart here"));
}

void restore(const run::Checkpoint& checkpoint, const std::vector<NamedTensor>& state) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> values;
  for (const auto& [name, target] : state) {
    values.push_back(to_tensor(checkpoint.tensor(name)));
    if (values.back().sizes() != target.sizes() ||
        values.back().scalar_type() != target.scalar_type()) {
      throw IoError(concat("checkpoint of step ", checkpoint.step, ": tensor ", name,
                           " has another shape or type than this run's networks"));
    }
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    torch::Tensor target = state[i].second;
    target.copy_(values[i]);
  }
}

}  // namespace nw::train
