// A stage of LeNet as one operation, against the operations it stands for.
#include "nn/kernels/lenet_stage.hpp"

#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

struct Stage {
  std::int64_t rows, channels, height, width, outputs;
};

Tensor plain(const Tensor& images, const Tensor& weight, const Tensor& bias) {
  return at::relu(at::max_pool2d(at::conv2d(images, weight, bias), {2, 2}));
}

TEST(LeNetStage, IsAConvolutionPoolingAndReLU) {
  for (const Stage& s : {Stage{3, 1, 28, 28, 32}, Stage{2, 3, 28, 28, 32}, Stage{40, 2, 11, 8, 64},
                         Stage{1, 3, 6, 6, 32}, Stage{5, 1, 9, 13, 96}, Stage{4, 2, 12, 12, 5}}) {
    SCOPED_TRACE(concat(s.rows, " images, ", s.channels, " x ", s.height, " x ", s.width, " to ",
                        s.outputs));
    const Rng rng(static_cast<std::uint64_t>(s.height * s.outputs));
    const auto images = normal_tensor(rng.split(0), {s.rows, s.channels, s.height, s.width});
    const auto weight =
        normal_tensor(rng.split(1), {s.outputs, s.channels, 5, 5}).mul_(0.2).requires_grad_(true);
    const auto bias = normal_tensor(rng.split(2), {s.outputs}).requires_grad_(true);
    const auto found = pooled_convolution(images, weight, bias);
    const auto right = plain(images, weight, bias);
    ASSERT_EQ(found.sizes(), right.sizes());
    EXPECT_TRUE(torch::allclose(found, right, 1e-5, 1e-5));
    EXPECT_GT(right.eq(0.0).sum().item<std::int64_t>(), 0) << "ReLU cuts nothing";
    const auto slope = normal_tensor(rng.split(3), right.sizes());
    const auto ours = torch::autograd::grad({found}, {weight, bias}, {slope});
    const auto theirs = torch::autograd::grad({right}, {weight, bias}, {slope});
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(torch::allclose(ours[i], theirs[i], 1e-4, 1e-4)) << i;
  }
}

TEST(LeNetStage, RefusesImagesThatAskForAGradient) {
  const auto images = torch::zeros({1, 1, 8, 8}).requires_grad_(true);
  EXPECT_THROW((void)pooled_convolution(images, torch::zeros({32, 1, 5, 5}), torch::zeros({32})),
               InvalidArgument);
}

}  // namespace
}  // namespace nw::nn
