// The critic's pass for a GPU, run by threads of the CPU, against plain loops in double precision.
#include "nn/kernels/mlp_kernels.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/rng.hpp"

#include "nn/kernels/mlp_kernels.inl"

namespace nw::nn {
namespace {

float4 memory[sizeof(Shared) / sizeof(float4) + 1];

struct Net {
  int inputs;
  float slope;
  std::vector<float> w1, b1, w2, b2, w3, b3;

  Net(int width, float below, Rng& rng) : inputs(width), slope(below) {
    const auto in = static_cast<std::size_t>(inputs);
    const auto fill = [&](std::vector<float>& values, std::size_t count, double scale) {
      values.resize(count);
      for (float& value : values) value = static_cast<float>(scale * rng.normal());
    };
    fill(w1, kWidth * in, 1.0), fill(b1, kWidth, 0.3);
    fill(w2, std::size_t{kWidth} * kWidth, 0.1), fill(b2, kWidth, 0.1);
    fill(w3, kWidth, 0.1), fill(b3, 1, 1.0);
  }

  [[nodiscard]] FusedMlp view() const {
    return {w1.data(), b1.data(), w2.data(), b2.data(), w3.data(), b3.data(), inputs, slope};
  }
  [[nodiscard]] FusedLayout layout() const {
    const std::int64_t h = kWidth, first = h * inputs;
    return {0,
            first,
            first + h,
            first + h + h * h,
            first + 2 * h + h * h,
            first + 3 * h + h * h,
            first + 3 * h + h * h + 16};  // padded, as the parameters of a critic are
  }
};

struct Answer {
  std::vector<double> values, gradient;
};

Answer plain_loops(const Net& net, const std::vector<float>& x, const std::vector<float>& weight) {
  const FusedLayout at = net.layout();
  const auto d = static_cast<std::size_t>(net.inputs), h = static_cast<std::size_t>(kWidth);
  Answer answer{.values = std::vector<double>(weight.size(), double{net.b3[0]}),
                .gradient = std::vector<double>(static_cast<std::size_t>(at.count), 0.0)};
  const auto gradient = [&](std::int64_t begin, std::size_t e) -> double& {
    return answer.gradient[static_cast<std::size_t>(begin) + e];
  };
  const auto slope = [&](double a) { return a > 0.0 ? 1.0 : double{net.slope}; };
  for (std::size_t i = 0; i < weight.size(); ++i) {
    std::vector<double> a1(h), a2(h), delta1(h, 0.0);
    for (std::size_t j = 0; j < h; ++j) {
      double sum = net.b1[j];
      for (std::size_t q = 0; q < d; ++q) sum += double{net.w1[j * d + q]} * x[i * d + q];
      a1[j] = sum * slope(sum);
    }
    for (std::size_t j = 0; j < h; ++j) {
      double sum = net.b2[j];
      for (std::size_t k = 0; k < h; ++k) sum += net.w2[j * h + k] * a1[k];
      a2[j] = sum * slope(sum);
      answer.values[i] += net.w3[j] * a2[j];
      const double delta2 = double{weight[i]} * net.w3[j] * slope(a2[j]);
      gradient(at.w3, j) += weight[i] * a2[j];
      gradient(at.b2, j) += delta2;
      for (std::size_t k = 0; k < h; ++k) {
        gradient(at.w2, j * h + k) += delta2 * a1[k];
        delta1[k] += delta2 * net.w2[j * h + k];
      }
    }
    for (std::size_t k = 0; k < h; ++k) {
      const double delta = delta1[k] * slope(a1[k]);
      gradient(at.b1, k) += delta;
      for (std::size_t q = 0; q < d; ++q) gradient(at.w1, k * d + q) += delta * x[i * d + q];
    }
    gradient(at.b3, 0) += weight[i];
  }
  return answer;
}

double relative_difference(const std::vector<float>& found, const std::vector<double>& right) {
  double difference = 0.0, size = 0.0;
  for (std::size_t e = 0; e < right.size(); ++e) {
    difference += (found[e] - right[e]) * (found[e] - right[e]);
    size += right[e] * right[e];
  }
  return std::sqrt(difference / size);
}

TEST(MlpKernels, GiveTheValuesAndGradientsOfPlainLoops) {
  Rng rng(5);
  for (const int inputs : {1, 2, 8}) {
    for (const int rows : {1, 79, 80, 81, 300}) {  // less than a tile, tiles for less than a round
      SCOPED_TRACE(std::to_string(inputs) + " inputs, " + std::to_string(rows) + " rows");
      const Net net(inputs, rows == 79 ? 0.0F : 0.2F, rng);
      std::vector<float> x(static_cast<std::size_t>(rows * inputs));
      std::vector<float> weight(static_cast<std::size_t>(rows));
      for (float& value : x) value = static_cast<float>(rng.normal());
      for (float& value : weight) value = static_cast<float>(rng.normal());
      const FusedLayout layout = net.layout();
      const int blocks = rows > 80 ? 2 : 1;
      // What a kernel forgets to write stays visible.
      const float unset = std::numeric_limits<float>::quiet_NaN();
      const auto count = static_cast<std::size_t>(layout.count);
      std::vector<float> values(weight.size(), unset), gradient(count, unset);
      std::vector<float> partial(count * static_cast<std::size_t>(blocks), unset);
      for (float4& four : memory) four = {unset, unset, unset, unset};
      cpu_threads::launch(blocks, kThreads, [&] {
        gradient_of_tiles(net.view(), layout, x.data(), weight.data(), rows, values.data(),
                          partial.data());
      });
      cpu_threads::launch(1, 256, [&] {
        for (; blockIdx.x * 256 < layout.count; ++blockIdx.x) {
          add_blocks(partial.data(), blocks, layout.count, gradient.data());
        }
      });
      const Answer right = plain_loops(net, x, weight);
      EXPECT_LT(relative_difference(values, right.values), 1e-5);
      EXPECT_LT(relative_difference(gradient, right.gradient), 1e-5);
    }
  }
}

}  // namespace
}  // namespace nw::nn
