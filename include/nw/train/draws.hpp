// The random numbers of one training step.
#pragma once

#include <cstdint>

#include <torch/types.h>

#include "nw/base/rng.hpp"

namespace nw::train {

/// Random tensors on a device. On the CPU they come from streams of nw::Rng, so that a step depends
/// on its seed and number alone: nothing has to be saved to resume a run. On a GPU they come from
/// the device's own generator, which graphs can capture.
class Draws {
 public:
  Draws(const Rng& rng, const torch::Device& device) : rng_(rng), device_(device) {}

  [[nodiscard]] torch::Tensor normal(at::IntArrayRef sizes);
  [[nodiscard]] torch::Tensor uniform(at::IntArrayRef sizes);
  [[nodiscard]] torch::Tensor indices(std::int64_t count, std::int64_t bound);
  [[nodiscard]] const torch::Device& device() const noexcept { return device_; }

 private:
  [[nodiscard]] Rng next() { return rng_.split(used_++); }

  Rng rng_;
  torch::Device device_;
  std::uint64_t used_ = 0;
};

}  // namespace nw::train
