// Kernels of LeNet's stages. Included by lenet_stage_kernels.cu, and by a test that runs them on
// threads of the CPU; needs __global__ and the like, and `memory`, the block's shared memory.

namespace nw::nn {
namespace {

constexpr int kFilter = 25, kFilterSide = 5;
// Filters lie at multiples of 16 bytes, and those of neighbouring groups in other banks.
constexpr int kPaddedFilter = 28, kGroupGap = 4;
constexpr int kGroup = 4;  // outputs of a thread
constexpr int kGroups = kStageBlockOutputs / kGroup;
constexpr int kStageThreads = 288;
constexpr int kSplits = 4;  // of the positions of an image, in the gradient
constexpr int kGradientThreads = kSplits * kFilterSide * kStageGradientOutputs;
constexpr int kPoolingThreads = 256;
constexpr int kSumThreads = 256, kSumColumns = 32;

__host__ __device__ inline int group_floats(int channels) {
  return channels * kGroup * kPaddedFilter + kGroupGap;
}

/// Values of two neighbouring pooled positions for kGroup outputs, from a 6 x 8 patch of pixels.
struct PairSums {
  float sum[kGroup][2][4];
};

template <int kChannels>
__device__ void add_pair(const StageLaunch& s, const float* image, const float* filters, int y,
                         int x, PairSums& pair) {
  constexpr int kRows = kFilterSide + 1, kColumns = kFilterSide + 3;
  for (int c = 0; c < kChannels; ++c) {
    float patch[kRows][kColumns];
#pragma unroll
    for (int dy = 0; dy < kRows; ++dy) {
#pragma unroll
      for (int dx = 0; dx < kColumns; ++dx) {
        // The last pair of an odd row has no second position: its pixels may lie outside.
        const int column = x + dx < s.width ? x + dx : s.width - 1;
        patch[dy][dx] = image[(c * s.height + y + dy) * s.width + column];
      }
    }
#pragma unroll
    for (int o = 0; o < kGroup; ++o) {
      const float4* from =
          reinterpret_cast<const float4*>(filters + (c * kGroup + o) * kPaddedFilter);
      float filter[kPaddedFilter];
#pragma unroll
      for (int t = 0; t < kPaddedFilter / 4; ++t) {
        const float4 four = from[t];
        filter[4 * t] = four.x;
        filter[4 * t + 1] = four.y;
        filter[4 * t + 2] = four.z;
        filter[4 * t + 3] = four.w;
      }
#pragma unroll
      for (int dy = 0; dy < kFilterSide; ++dy) {
#pragma unroll
        for (int dx = 0; dx < kFilterSide; ++dx) {
          const float w = filter[dy * kFilterSide + dx];
#pragma unroll
          for (int p = 0; p < 2; ++p) {
#pragma unroll
            for (int q = 0; q < 4; ++q) {
              pair.sum[o][p][q] += w * patch[dy + q / 2][dx + 2 * p + q % 2];
            }
          }
        }
      }
    }
  }
}

/// One block per image and kStageBlockOutputs outputs.
template <int kChannels>
__global__ void __launch_bounds__(kStageThreads, 2) stage_values_kernel(StageLaunch s) {
  float* shared = reinterpret_cast<float*>(memory);
  const int parts = s.outputs / kStageBlockOutputs;
  const std::int64_t row = blockIdx.x / parts;
  const int first = static_cast<int>(blockIdx.x) % parts * kStageBlockOutputs;
  const int thread = static_cast<int>(threadIdx.x);
  float* filters = shared;
  float* image = shared + kGroups * group_floats(kChannels);
  const int pixels = kChannels * s.height * s.width;
  for (int i = thread; i < pixels; i += kStageThreads) image[i] = s.images[row * pixels + i];
  for (int i = thread; i < kStageBlockOutputs * kChannels * kPaddedFilter; i += kStageThreads) {
    const int tap = i % kPaddedFilter, filter = i / kPaddedFilter;
    const int channel = filter % kChannels, output = filter / kChannels;
    filters[output / kGroup * group_floats(kChannels) +
            (channel * kGroup + output % kGroup) * kPaddedFilter + tap] =
        tap < kFilter ? s.weight[((first + output) * kChannels + channel) * kFilter + tap] : 0.0f;
  }
  __syncthreads();

  const int down = (s.height - 4) / 2, across = (s.width - 4) / 2, pairs = (across + 1) / 2;
  for (int item = thread; item < down * pairs * kGroups; item += kStageThreads) {
    const int group = item % kGroups, position = item / kGroups;
    const int y = position / pairs, x = 2 * (position % pairs);
    PairSums pair = {};
    add_pair<kChannels>(s, image, filters + group * group_floats(kChannels), 2 * y, 2 * x, pair);
    const int output = first + group * kGroup;
#pragma unroll
    for (int p = 0; p < 2; ++p) {
      if (x + p >= across) continue;
      float value[kGroup];
      std::uint8_t place[kGroup];
#pragma unroll
      for (int o = 0; o < kGroup; ++o) {
        float best = pair.sum[o][p][0];
        int at = 0;
#pragma unroll
        for (int q = 1; q < 4; ++q) {
          if (pair.sum[o][p][q] > best) {
            best = pair.sum[o][p][q];
            at = q;
          }
        }
        best += s.bias[output + o];
        value[o] = best > 0.0f ? best : 0.0f;
        place[o] = static_cast<std::uint8_t>(best > 0.0f ? at : 4);
      }
      const std::int64_t to = ((row * down + y) * across + x + p) * s.outputs + output;
#pragma unroll
      for (int o = 0; o < kGroup; ++o) {
        s.values[to + o] = value[o];
        s.place[to + o] = place[o];
      }
    }
  }
}

/// Block b serves the images b / parts, b / parts + blocks / parts, ... and one part of the
/// outputs. A warp has one row of the filters and a quarter of the positions; its threads have one
/// output each. Of the four values under a pooled one only the place that was kept counts.
template <int kChannels>
__global__ void __launch_bounds__(kGradientThreads, 1)
    stage_gradient_kernel(StageGradientLaunch s) {
  float* shared = reinterpret_cast<float*>(memory);
  const int parts = s.outputs / kStageGradientOutputs;
  const int part = static_cast<int>(blockIdx.x) % parts,
            block = static_cast<int>(blockIdx.x) / parts;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kStageGradientOutputs;
  const int warp = thread / kStageGradientOutputs, dy = warp % kFilterSide,
            split = warp / kFilterSide;
  const int output = part * kStageGradientOutputs + lane;
  const int down = (s.height - 4) / 2, across = (s.width - 4) / 2, positions = down * across;
  const int pixels = kChannels * s.height * s.width;
  float sum[kChannels][kFilterSide] = {};
  float bias = 0.0f;
  for (std::int64_t row = block; row < s.rows; row += s.blocks) {
    __syncthreads();
    for (int i = thread; i < pixels; i += kGradientThreads) shared[i] = s.images[row * pixels + i];
    __syncthreads();
    for (int position = split; position < positions; position += kSplits) {
      const std::int64_t at = (row * positions + position) * s.outputs + output;
      const int place = s.place[at];
      const float slope = place < 4 ? s.slope[at] : 0.0f;
      const int y = 2 * (position / across) + (place < 4 ? place / 2 : 0) + dy;
      const int x = 2 * (position % across) + (place < 4 ? place % 2 : 0);
      if (dy == 0) bias += slope;
#pragma unroll
      for (int c = 0; c < kChannels; ++c) {
        const float* pixel = shared + (c * s.height + y) * s.width + x;
#pragma unroll
        for (int dx = 0; dx < kFilterSide; ++dx) sum[c][dx] += slope * pixel[dx];
      }
    }
  }
  // The quarters are added one after the other.
  constexpr int kRowNumbers = kChannels * kFilterSide;
  for (int turn = 0; turn < kSplits; ++turn) {
    __syncthreads();
    if (split != turn) continue;
    for (int c = 0; c < kChannels; ++c) {
      for (int dx = 0; dx < kFilterSide; ++dx) {
        float* to =
            shared + (dy * kRowNumbers + c * kFilterSide + dx) * kStageGradientOutputs + lane;
        *to = turn == 0 ? sum[c][dx] : *to + sum[c][dx];
      }
    }
    if (dy == 0) {
      float* to = shared + kFilterSide * kRowNumbers * kStageGradientOutputs + lane;
      *to = turn == 0 ? bias : *to + bias;
    }
  }
  __syncthreads();
  const int taps = kChannels * kFilter;
  float* partial = s.partial + std::int64_t{block} * (s.outputs * taps + s.outputs);
  for (int i = thread; i < taps * kStageGradientOutputs; i += kGradientThreads) {
    const int own = i / taps, tap = i % taps;
    const int c = tap / kFilter, in_filter = tap % kFilter;
    partial[(part * kStageGradientOutputs + own) * taps + tap] =
        shared[(in_filter / kFilterSide * kRowNumbers + c * kFilterSide + in_filter % kFilterSide) *
                   kStageGradientOutputs +
               own];
  }
  if (thread < kStageGradientOutputs) {
    partial[s.outputs * taps + part * kStageGradientOutputs + thread] =
        shared[kFilterSide * kRowNumbers * kStageGradientOutputs + thread];
  }
}

/// sum[j] = sum_b rows[b, j]: a block has 32 columns, its warps every eighth row.
__global__ void __launch_bounds__(kSumThreads, 1)
    add_rows_kernel(const float* rows, int count, int columns, float* sum) {
  float* shared = reinterpret_cast<float*>(memory);
  const int lane = static_cast<int>(threadIdx.x) % kSumColumns;
  const int warp = static_cast<int>(threadIdx.x) / kSumColumns;
  constexpr int kWarps = kSumThreads / kSumColumns;
  const int column = static_cast<int>(blockIdx.x) * kSumColumns + lane;
  float own = 0.0f;
  if (column < columns) {
    for (int b = warp; b < count; b += kWarps) own += rows[std::int64_t{b} * columns + column];
  }
  shared[warp * kSumColumns + lane] = own;
  __syncthreads();
  if (warp == 0 && column < columns) {
    for (int w = 1; w < kWarps; ++w) own += shared[w * kSumColumns + lane];
    sum[column] = own;
  }
}

__device__ inline float kept_factor(const float* uniform, std::int64_t row, int channels,
                                    int channel, float share) {
  if (uniform == nullptr) return 1.0f;
  return uniform[row * channels + channel] >= share ? 1.0f / (1.0f - share) : 0.0f;
}

/// One block per row. Values change their order through shared memory.
__global__ void __launch_bounds__(kPoolingThreads, 1) pool_rows_kernel(PoolingLaunch s) {
  float* shared = reinterpret_cast<float*>(memory);
  const std::int64_t row = blockIdx.x;
  const int down = s.height / 2, across = s.width / 2, positions = down * across;
  const int count = positions * s.channels;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kPoolingThreads) {
    const int channel = i % s.channels, position = i / s.channels;
    const int y = 2 * (position / across), x = 2 * (position % across);
    const float* a = s.a + ((row * s.height + y) * s.width + x) * s.channels + channel;
    float best = a[0];
    int place = 0;
#pragma unroll
    for (int q = 1; q < 4; ++q) {
      const float other = a[(q / 2 * s.width + q % 2) * s.channels];
      if (other > best) {
        best = other;
        place = q;
      }
    }
    best += s.bias[channel];
    const float factor = kept_factor(s.uniform, row, s.channels, channel, s.share);
    s.place[row * count + i] = static_cast<std::uint8_t>(best > 0.0f ? place : 4);
    shared[channel * positions + position] = best > 0.0f ? best * factor : 0.0f;
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kPoolingThreads) {
    s.values[row * count + i] = shared[i];
  }
}

__global__ void __launch_bounds__(kPoolingThreads, 1) pooling_slopes_kernel(PoolingSlopesLaunch s) {
  float* shared = reinterpret_cast<float*>(memory);
  const std::int64_t row = blockIdx.x;
  const int down = s.height / 2, across = s.width / 2, positions = down * across;
  const int count = positions * s.channels;
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kPoolingThreads) {
    shared[i] = s.slope[row * count + i];
  }
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < count; i += kPoolingThreads) {
    const int channel = i % s.channels, position = i / s.channels;
    const int place = s.place[row * count + i];
    const float factor = kept_factor(s.uniform, row, s.channels, channel, s.share);
    const float slope = place < 4 ? shared[channel * positions + position] * factor : 0.0f;
    shared[channel * positions + position] = slope;  // its own place alone
    const int y = 2 * (position / across), x = 2 * (position % across);
    float* a = s.a + ((row * s.height + y) * s.width + x) * s.channels + channel;
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      a[(q / 2 * s.width + q % 2) * s.channels] = q == place ? slope : 0.0f;
    }
  }
  __syncthreads();
  for (int channel = static_cast<int>(threadIdx.x); channel < s.channels;
       channel += kPoolingThreads) {
    float sum = 0.0f;
    for (int position = 0; position < positions; ++position) {
      sum += shared[channel * positions + position];
    }
    s.bias[row * s.channels + channel] = sum;
  }
}

}  // namespace
}  // namespace nw::nn
