#include "train/team_rows.hpp"

#include <span>

#include "nw/base/device_sums.hpp"

namespace nw::train {

using torch::Tensor;

Part::Part(const Team* team, std::int64_t rows) : begin(0), count(rows) {
  if (team == nullptr) return;
  begin = rows * team->rank() / team->size();
  count = rows * (team->rank() + 1) / team->size() - begin;
}

Tensor placed(const Tensor& part, const Part& at, at::IntArrayRef whole) {
  Tensor tensor = torch::zeros(whole, part.options());
  at.of(tensor).copy_(part);
  return tensor;
}

void sum_over(Team* team, const std::vector<Tensor*>& tensors) {
  if (team == nullptr) return;
  std::vector<Tensor> flat;
  for (const Tensor* tensor : tensors) flat.push_back(tensor->detach().flatten());
  Tensor all = torch::cat(flat).to(torch::kFloat32).contiguous();
  const auto count = static_cast<std::size_t>(all.numel());
  auto* const there = all.is_cuda() ? dynamic_cast<DeviceSums*>(team) : nullptr;
  if (there == nullptr ||
      !there->sum_on_device(all.data_ptr<float>(), count, all.device().index())) {
    all = all.to(torch::kCPU);
    team->sum(std::span(all.data_ptr<float>(), count));
  }
  std::int64_t begin = 0;
  for (Tensor* tensor : tensors) {
    *tensor = all.narrow(0, begin, tensor->numel()).view(tensor->sizes()).to(tensor->device());
    begin += tensor->numel();
  }
}

}  // namespace nw::train
