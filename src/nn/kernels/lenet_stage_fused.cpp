// The stages of LeNet by the kernels of lenet_stage_kernels.cu.
#include <algorithm>

#include <c10/cuda/CUDAStream.h>

#include "nw/base/error.hpp"

#include "nn/kernels/lenet_stage.hpp"
#include "nn/kernels/lenet_stage_kernels.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

// Blocks that share the images of a gradient: a few for each processor of the largest GPUs.
constexpr std::int64_t kGradientBlocks = 512;

int whole(std::int64_t value) {
  return static_cast<int>(value);
}

void check(cudaError_t error) {
  require(error == cudaSuccess, "LeNet cannot run on this GPU: ", cudaGetErrorString(error));
}

StageLaunch stage_launch(const Tensor& images, std::int64_t outputs) {
  return {.images = images.data_ptr<float>(),
          .weight = nullptr,
          .bias = nullptr,
          .values = nullptr,
          .place = nullptr,
          .rows = whole(images.size(0)),
          .channels = whole(images.size(1)),
          .height = whole(images.size(2)),
          .width = whole(images.size(3)),
          .outputs = whole(outputs)};
}

const float* data_or_null(const Tensor& tensor) {
  return tensor.defined() && tensor.numel() > 0 ? tensor.data_ptr<float>() : nullptr;
}

}  // namespace

bool stage_kernels_fit(const Tensor& images, const Tensor& weight) {
  return images.is_cuda() && images.scalar_type() == torch::kFloat32 &&
         (images.size(1) == kStageGrey || images.size(1) == kStageColour) &&
         weight.size(0) % kStageGradientOutputs == 0 &&
         stage_memory(stage_launch(images, weight.size(0))) <= kStageMemory;
}

StageValues stage_values_fused(const Tensor& images, const Tensor& weight, const Tensor& bias) {
  const Tensor filters = weight.contiguous(), shift = bias.contiguous();
  StageLaunch launch = stage_launch(images, weight.size(0));
  const std::vector<std::int64_t> sizes{images.size(0), (images.size(2) - 4) / 2,
                                        (images.size(3) - 4) / 2, weight.size(0)};
  StageValues result{.values = torch::empty(sizes, images.options()),
                     .place = torch::empty(sizes, images.options().dtype(torch::kUInt8))};
  launch.weight = filters.data_ptr<float>();
  launch.bias = shift.data_ptr<float>();
  launch.values = result.values.data_ptr<float>();
  launch.place = result.place.data_ptr<std::uint8_t>();
  check(stage_values(launch, c10::cuda::getCurrentCUDAStream()));
  return result;
}

StageGradient stage_gradient_fused(const Tensor& images, const Tensor& slope, const Tensor& place) {
  const std::int64_t outputs = slope.size(3), channels = images.size(1);
  const std::int64_t taps = channels * kStageKernel * kStageKernel, columns = outputs * (taps + 1);
  const std::int64_t blocks = std::min(images.size(0), kGradientBlocks);
  const Tensor partial = torch::empty({blocks, columns}, images.options());
  const Tensor gradient = torch::empty({columns}, images.options());
  check(stage_gradient({.images = images.data_ptr<float>(),
                        .slope = slope.data_ptr<float>(),
                        .place = place.data_ptr<std::uint8_t>(),
                        .partial = partial.data_ptr<float>(),
                        .gradient = gradient.data_ptr<float>(),
                        .rows = whole(images.size(0)),
                        .channels = whole(channels),
                        .height = whole(images.size(2)),
                        .width = whole(images.size(3)),
                        .outputs = whole(outputs),
                        .blocks = whole(blocks)},
                       c10::cuda::getCurrentCUDAStream()));
  return {.weight = gradient.narrow(0, 0, outputs * taps)
                        .view({outputs, channels, kStageKernel, kStageKernel}),
          .bias = gradient.narrow(0, outputs * taps, outputs)};
}

bool pooling_kernels_fit(const Tensor& a) {
  const std::int64_t pooled = a.size(1) * (a.size(2) / 2) * (a.size(3) / 2);
  return a.is_cuda() && a.scalar_type() == torch::kFloat32 && a.size(0) > 0 &&
         pooled * static_cast<std::int64_t>(sizeof(float)) <= kStageMemory;
}

StageValues pooled_rows_fused(const Tensor& a, const Tensor& bias, const ChannelDropout& dropout) {
  const Tensor pixels = a.contiguous(at::MemoryFormat::ChannelsLast), shift = bias.contiguous();
  const std::int64_t down = a.size(2) / 2, across = a.size(3) / 2;
  StageValues result{.values = torch::empty({a.size(0), a.size(1) * down * across}, a.options()),
                     .place = torch::empty({a.size(0), down, across, a.size(1)},
                                           a.options().dtype(torch::kUInt8))};
  check(pool_rows({.a = pixels.data_ptr<float>(),
                   .bias = shift.data_ptr<float>(),
                   .uniform = data_or_null(dropout.uniform),
                   .values = result.values.data_ptr<float>(),
                   .place = result.place.data_ptr<std::uint8_t>(),
                   .rows = whole(a.size(0)),
                   .channels = whole(a.size(1)),
                   .height = whole(a.size(2)),
                   .width = whole(a.size(3)),
                   .share = static_cast<float>(dropout.share)},
                  c10::cuda::getCurrentCUDAStream()));
  return result;
}

PooledSlopes pooled_slopes_fused(const Tensor& slope, const Tensor& place,
                                 const ChannelDropout& dropout, at::IntArrayRef sizes) {
  const bool covered = sizes[2] % 2 == 0 && sizes[3] % 2 == 0;
  Tensor a = torch::empty(sizes, slope.options(), at::MemoryFormat::ChannelsLast);
  if (!covered) a.zero_();
  const Tensor bias = torch::empty({sizes[0], sizes[1]}, slope.options());
  check(pooling_slopes({.slope = slope.data_ptr<float>(),
                        .uniform = data_or_null(dropout.uniform),
                        .place = place.data_ptr<std::uint8_t>(),
                        .a = a.data_ptr<float>(),
                        .bias = bias.data_ptr<float>(),
                        .rows = whole(sizes[0]),
                        .channels = whole(sizes[1]),
                        .height = whole(sizes[2]),
                        .width = whole(sizes[3]),
                        .share = static_cast<float>(dropout.share)},
                       c10::cuda::getCurrentCUDAStream()));
  // A product with ones takes a quarter of the time of a sum over rows.
  return {.a = a, .bias = at::mv(bias.t(), torch::ones({sizes[0]}, slope.options()))};
}

}  // namespace nw::nn
