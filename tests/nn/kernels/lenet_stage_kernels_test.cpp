// The stages of LeNet for a GPU, run by threads of the CPU, against plain loops in double
// precision.
#include "nn/kernels/lenet_stage_kernels.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace {
float4 memory[4096];
}

#include "nn/kernels/lenet_stage_kernels.inl"

namespace nw::nn {
namespace {

using Floats = std::vector<float>;

Floats normal(std::size_t count, Rng& rng) {
  Floats values(count);
  for (float& value : values) value = static_cast<float>(rng.normal());
  return values;
}

struct Case {
  int rows, channels, height, width, outputs;
  [[nodiscard]] int down() const { return (height - 4) / 2; }
  [[nodiscard]] int across() const { return (width - 4) / 2; }
};

/// What a stage gives, and its gradient, one number at a time.
struct Answer {
  std::vector<double> values, gradient;
  std::vector<int> place;
};

Answer plain_loops(const Case& s, const Floats& images, const Floats& weight, const Floats& bias,
                   const Floats& slope) {
  const int taps = s.channels * 25;
  Answer answer;
  answer.gradient.resize(static_cast<std::size_t>(s.outputs * (taps + 1)));
  std::size_t at = 0;
  for (int n = 0; n < s.rows; ++n) {
    for (int y = 0; y < s.down(); ++y) {
      for (int x = 0; x < s.across(); ++x) {
        for (int o = 0; o < s.outputs; ++o, ++at) {
          const auto pixel = [&](int q, int tap) {
            const int c = tap / 25, dy = tap % 25 / 5, dx = tap % 5;
            const int row = (n * s.channels + c) * s.height + 2 * y + q / 2 + dy;
            return static_cast<std::size_t>(row * s.width + 2 * x + q % 2 + dx);
          };
          const auto filter = [&](int tap) { return static_cast<std::size_t>(o * taps + tap); };
          double best = -1e300;
          int place = 0;
          for (int q = 0; q < 4; ++q) {
            double sum = 0.0;
            for (int t = 0; t < taps; ++t) sum += double{weight[filter(t)]} * images[pixel(q, t)];
            if (sum > best) best = sum, place = q;
          }
          best += double{bias[static_cast<std::size_t>(o)]};
          answer.values.push_back(std::max(best, 0.0));
          answer.place.push_back(best > 0.0 ? place : 4);
          if (best <= 0.0) continue;
          for (int t = 0; t < taps; ++t) {
            answer.gradient[filter(t)] += double{slope[at]} * images[pixel(place, t)];
          }
          answer.gradient[static_cast<std::size_t>(s.outputs * taps + o)] += double{slope[at]};
        }
      }
    }
  }
  return answer;
}

template <int kChannels>
void check(const Case& s) {
  SCOPED_TRACE(concat(s.channels, " channels, ", s.height, " x ", s.width, ", ", s.outputs));
  Rng rng(static_cast<std::uint64_t>(s.height * 100 + s.outputs));
  const auto count = [](int a, int b, int c, int d) {
    return static_cast<std::size_t>(a * b * c * d);
  };
  const auto images = normal(count(s.rows, s.channels, s.height, s.width), rng);
  const auto weight = normal(count(s.outputs, s.channels, 5, 5), rng),
             bias = normal(count(s.outputs, 1, 1, 1), rng);
  const auto slope = normal(count(s.rows, s.down(), s.across(), s.outputs), rng);
  const auto right = plain_loops(s, images, weight, bias, slope);
  Floats values(slope.size(), NAN);
  std::vector<std::uint8_t> place(slope.size(), 9);
  const StageLaunch forth{images.data(), weight.data(), bias.data(), values.data(), place.data(),
                          s.rows,        s.channels,    s.height,    s.width,       s.outputs};
  cpu_threads::launch(s.rows * s.outputs / kStageBlockOutputs, kStageThreads,
                      [&] { stage_values_kernel<kChannels>(forth); });
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(values[i], right.values[i], 1e-4) << i;
    ASSERT_EQ(place[i], right.place[i]) << i;
  }
  const int blocks = std::min(s.rows, 2), columns = s.outputs * (s.channels * 25 + 1);
  Floats partial(count(blocks, columns, 1, 1), NAN), gradient(count(columns, 1, 1, 1), NAN);
  const StageGradientLaunch back{images.data(),   slope.data(), place.data(), partial.data(),
                                 gradient.data(), s.rows,       s.channels,   s.height,
                                 s.width,         s.outputs,    blocks};
  cpu_threads::launch(blocks * s.outputs / kStageGradientOutputs, kGradientThreads,
                      [&] { stage_gradient_kernel<kChannels>(back); });
  cpu_threads::launch((columns + kSumColumns - 1) / kSumColumns, kSumThreads,
                      [&] { add_rows_kernel(partial.data(), blocks, columns, gradient.data()); });
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    ASSERT_NEAR(gradient[i], right.gradient[i], 1e-3) << i;
  }
}

TEST(LeNetStageKernels, GiveTheValuesAndGradientsOfPlainLoops) {
  check<1>({3, 1, 12, 12, 32});
  check<3>({2, 3, 10, 13, 32});
  check<1>({1, 1, 9, 8, 64});
}

TEST(LeNetStageKernels, PoolRowsAndTakeSlopesBack) {
  constexpr int kRows = 3, kChannels = 6, kHeight = 5, kWidth = 4, kPositions = 4;
  constexpr std::size_t kPooled = kRows * kChannels * kPositions;
  Rng rng(8);
  const auto a = normal(kRows * kChannels * kHeight * kWidth, rng), bias = normal(kChannels, rng);
  const auto slope = normal(kPooled, rng);
  Floats uniform(kRows * kChannels);
  for (float& value : uniform) value = static_cast<float>(rng.uniform());
  Floats values(kPooled, NAN), back(a.size(), 0.0F), bias_slope(kRows * kChannels, NAN);
  std::vector<std::uint8_t> place(kPooled, 9);
  cpu_threads::launch(kRows, kPoolingThreads, [&] {
    pool_rows_kernel({a.data(), bias.data(), uniform.data(), values.data(), place.data(), kRows,
                      kChannels, kHeight, kWidth, 0.25F});
  });
  cpu_threads::launch(kRows, kPoolingThreads, [&] {
    pooling_slopes_kernel({slope.data(), uniform.data(), place.data(), back.data(),
                           bias_slope.data(), kRows, kChannels, kHeight, kWidth, 0.25F});
  });
  std::vector<float> back_right(a.size(), 0.0F), bias_right(kRows * kChannels, 0.0F);
  for (int n = 0; n < kRows; ++n) {
    for (int c = 0; c < kChannels; ++c) {
      const auto row = static_cast<std::size_t>(n * kChannels + c);
      const float factor = uniform[row] >= 0.25F ? 1.0F / 0.75F : 0.0F;
      for (int p = 0; p < kPositions; ++p) {
        const auto pixel = [&](int q) {
          const int y = 2 * (p / 2) + q / 2, x = 2 * (p % 2) + q % 2;
          return static_cast<std::size_t>(((n * kHeight + y) * kWidth + x) * kChannels + c);
        };
        std::size_t best = pixel(0);
        for (int q = 1; q < 4; ++q) best = a[pixel(q)] > a[best] ? pixel(q) : best;
        const float value = a[best] + bias[static_cast<std::size_t>(c)];
        const auto pooled = row * kPositions + static_cast<std::size_t>(p);
        EXPECT_NEAR(values[pooled], std::max(value, 0.0F) * factor, 1e-6F);
        if (value <= 0.0F) continue;
        back_right[best] = slope[pooled] * factor;
        bias_right[row] += slope[pooled] * factor;
      }
    }
  }
  for (std::size_t i = 0; i < back.size(); ++i) EXPECT_NEAR(back[i], back_right[i], 1e-6F) << i;
  for (std::size_t i = 0; i < bias_slope.size(); ++i) {
    EXPECT_NEAR(bias_slope[i], bias_right[i], 1e-5F) << i;
  }
}

}  // namespace
}  // namespace nw::nn
