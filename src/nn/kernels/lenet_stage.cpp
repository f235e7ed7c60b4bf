// Where neither a GPU's kernels nor our loops fit, the usual operations do the same.
#include "nn/kernels/lenet_stage.hpp"

#include <vector>

#include <torch/csrc/autograd/custom_function.h>

#include "nw/base/error.hpp"

#include "nn/dropout.hpp"
#include "nn/kernels/lenet_stage_loops.hpp"
#include "nn/kernels/row_blocks.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

StageShape shape_of(const Tensor& images, std::int64_t outputs) {
  return {.channels = images.size(1),
          .height = images.size(2),
          .width = images.size(3),
          .outputs = outputs};
}

StageValues stage_values_by_loops(const Tensor& images, const Tensor& weight, const Tensor& bias) {
  const StageShape shape = shape_of(images, weight.size(0));
  const Tensor filters = weight.flatten(1).t().contiguous(), shift = bias.contiguous();
  const std::int64_t rows = images.size(0), count = shape.positions() * shape.outputs;
  const std::vector<std::int64_t> sizes{rows, shape.pooled_height(), shape.pooled_width(),
                                        shape.outputs};
  StageValues result{.values = torch::empty(sizes, images.options()),
                     .place = torch::empty(sizes, images.options().dtype(torch::kUInt8))};
  const float *image = images.data_ptr<float>(), *filter = filters.data_ptr<float>(),
              *b = shift.data_ptr<float>();
  auto* values = result.values.data_ptr<float>();
  auto* place = result.place.data_ptr<std::uint8_t>();
  const std::int64_t pixels = images[0].numel(), lanes = lane_count(rows);
  for_each_lane(lanes, torch::kCPU, [&](std::int64_t lane) {
    for (std::int64_t i = lane; i < rows; i += lanes) {
      stage_loops().values(shape, image + i * pixels, filter, b, values + i * count,
                           place + i * count);
    }
  });
  return result;
}

StageGradient stage_gradient_by_loops(const Tensor& images, const Tensor& slope,
                                      const Tensor& place) {
  const StageShape shape = shape_of(images, slope.size(3));
  const std::int64_t rows = images.size(0), count = shape.positions() * shape.outputs;
  const std::int64_t lanes = lane_count(rows), pixels = images[0].numel();
  const Tensor filters = torch::zeros({lanes, shape.taps(), shape.outputs}, images.options());
  const Tensor bias = torch::zeros({lanes, shape.outputs}, images.options());
  const float *image = images.data_ptr<float>(), *s = slope.data_ptr<float>();
  const auto* p = place.data_ptr<std::uint8_t>();
  float *filter = filters.data_ptr<float>(), *b = bias.data_ptr<float>();
  for_each_lane(lanes, torch::kCPU, [&](std::int64_t lane) {
    std::vector<float> slopes(static_cast<std::size_t>(4 * count));
    for (std::int64_t i = lane; i < rows; i += lanes) {
      stage_loops().add_gradient(shape, image + i * pixels, s + i * count, p + i * count,
                                 slopes.data(), filter + lane * shape.taps() * shape.outputs,
                                 b + lane * shape.outputs);
    }
  });
  return {.weight = filters.sum(0).t().reshape(
              {shape.outputs, shape.channels, kStageKernel, kStageKernel}),
          .bias = bias.sum(0)};
}

Tensor channels_second(const Tensor& channels_last) {
  return channels_last.permute({0, 3, 1, 2});
}

class PooledConvolution final : public torch::autograd::Function<PooledConvolution> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& images, const Tensor& weight,
                        const Tensor& bias, bool on_cpu) {
    const auto found = on_cpu ? stage_values_by_loops(images, weight, bias)
                              : stage_values_fused(images, weight, bias);
    context->save_for_backward({images, found.place});
    return channels_second(found.values);
  }

  static variable_list backward(AutogradContext* context, variable_list slopes) {
    const auto saved = context->get_saved_variables();
    const Tensor slope = slopes[0].permute({0, 2, 3, 1}).contiguous();
    const auto gradient = slope.is_cpu() ? stage_gradient_by_loops(saved[0], slope, saved[1])
                                         : stage_gradient_fused(saved[0], slope, saved[1]);
    return {Tensor(), gradient.weight, gradient.bias, Tensor()};
  }
};

class PooledRows final : public torch::autograd::Function<PooledRows> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& a, const Tensor& bias,
                        const Tensor& uniform, double share) {
    const auto found = pooled_rows_fused(a, bias, {.share = share, .uniform = uniform});
    context->save_for_backward({found.place, uniform});
    context->saved_data["share"] = share;
    context->saved_data["sizes"] = a.sizes().vec();
    return found.values;
  }

  static variable_list backward(AutogradContext* context, variable_list slopes) {
    const auto saved = context->get_saved_variables();
    const auto sizes = context->saved_data["sizes"].toIntVector();
    const auto back = pooled_slopes_fused(
        slopes[0].contiguous(), saved[0],
        {.share = context->saved_data["share"].toDouble(), .uniform = saved[1]}, sizes);
    return {back.a, back.bias, Tensor(), Tensor()};
  }
};

Tensor pooled_with_bias(const Tensor& a, const Tensor& bias) {
  // Pooling commutes with ReLU and with a bias, and both are cheaper on a quarter of the values.
  return at::relu(at::max_pool2d(a, {2, 2}) + bias.view({1, -1, 1, 1}));
}

}  // namespace

Tensor pooled_convolution(const Tensor& images, const Tensor& weight, const Tensor& bias) {
  require(!images.requires_grad(), "pooled_convolution: images cannot have a gradient");
  const Tensor pixels = images.contiguous();
  const bool loops = pixels.is_cpu() && weight.size(0) % kStageOutputs == 0;
  if (pixels.size(0) > 0 && (loops || stage_kernels_fit(pixels, weight))) {
    return PooledConvolution::apply(pixels, weight, bias, loops);
  }
  return pooled_with_bias(at::conv2d(pixels, weight), bias);
}

Tensor pooled_rows(const Tensor& a, const Tensor& bias, const ChannelDropout& dropout) {
  if (pooling_kernels_fit(a)) {
    // A function of autograd takes no undefined tensor: an empty one drops nothing either.
    const Tensor uniform =
        dropout.uniform.defined() ? dropout.uniform : torch::empty({0}, a.options());
    return PooledRows::apply(a, bias, uniform, dropout.share);
  }
  const Tensor pooled = pooled_with_bias(a, bias);
  const auto uniform = [&](at::IntArrayRef sizes) { return dropout.uniform.view(sizes); };
  const bool drops = dropout.uniform.defined() && dropout.uniform.numel() > 0;
  return dropped(pooled, drops ? dropout.share : 0.0, {pooled.size(0), pooled.size(1), 1, 1},
                 uniform)
      .flatten(1);
}

}  // namespace nw::nn
