// Forward, backward and parameter gradients of a small critic in one launch. Notation as in
// mlp_pass.cpp.
//
// At k = 9 and B = 1024 the paper's critic needs 1.0 Gflop and 0.2 MB a step: on an H200 15 us of
// arithmetic and next to no memory traffic, so what costs is starting kernels and moving
// activations between them. Here a block of threads carries 80 rows through the whole pass: W_2,
// a_1 and a_2 stay in shared memory (152 KB), delta_2 takes the place of a_2 and delta_1 that of
// a_1, and the gradient of W_2 gathers in registers. A second launch adds the blocks' gradients up.
#include <algorithm>

// Included by mlp_kernels.cu and, with threads of the CPU for those of a GPU, by its test.

namespace nw::nn {
namespace {

constexpr int kWidth = kFusedWidth;
constexpr int kRows = 80;      // of a tile
constexpr int kThreads = 256;  // a square of 16 x 16
constexpr int kSide = 16;
constexpr int kRowsEach = kRows / kSide;      // 5 rows ...
constexpr int kColumnsEach = kWidth / kSide;  // ... and 8 columns for each thread
constexpr int kStride = kWidth + 4;  // of a row in shared memory: keeps threads on different banks

struct Shared {
  float w2[kWidth * kStride];
  float a1[kRows * kStride];  // later delta_1
  float a2[kRows * kStride];  // later delta_2
  float x[kRows * kFusedInputs];
  float weight[kRows];
  float w3[kWidth], b2[kWidth];
};

__device__ float leaky(float v, float slope) {
  return v > 0.0f ? v : slope * v;
}
// The sign of a leaky ReLU is that of its argument.
__device__ float slope_at(float activation, float slope) {
  return activation > 0.0f ? 1.0f : slope;
}
__device__ const float4& four(const float* p) {
  return *reinterpret_cast<const float4*>(p);
}

/// Column of place c (0..7) of a thread: two runs of four, so that loads are of 16 bytes.
__device__ int column(int t, int c) {
  return (c < 4 ? 4 * t : kWidth / 2 + 4 * t - 4) + c;
}

__device__ void load_tile(Shared& s, const FusedMlp& mlp, const float* points, const float* weights,
                          std::int64_t first, int rows) {
  for (int e = threadIdx.x; e < kRows * mlp.inputs; e += kThreads) {
    s.x[e] = e < rows * mlp.inputs ? points[first * mlp.inputs + e] : 0.0f;
  }
  for (int r = threadIdx.x; r < kRows; r += kThreads) {
    s.weight[r] = r < rows ? weights[first + r] : 0.0f;  // rows that are not there weigh nothing
  }
}

/// a_1, one column for each pair of threads.
__device__ void first_layer(Shared& s, const FusedMlp& mlp) {
  const int j = threadIdx.x % kWidth;
  float w[kFusedInputs];
  for (int d = 0; d < kFusedInputs; ++d) w[d] = d < mlp.inputs ? mlp.w1[j * mlp.inputs + d] : 0.0f;
  const float bias = mlp.b1[j];
  for (int r = threadIdx.x / kWidth; r < kRows; r += kThreads / kWidth) {
    float sum = bias;
    for (int d = 0; d < mlp.inputs; ++d) sum += w[d] * s.x[r * mlp.inputs + d];
    s.a1[r * kStride + j] = leaky(sum, mlp.slope);
  }
}

/// a_2 = leaky(a_1 W_2^T + b_2). Columns tx, tx + 16, ...: rows of W_2 then lie on different banks.
__device__ void second_layer(Shared& s, float slope) {
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
  float sum[kRowsEach][kColumnsEach];
#pragma unroll
  for (int c = 0; c < kColumnsEach; ++c) {
    for (int r = 0; r < kRowsEach; ++r) sum[r][c] = s.b2[tx + kSide * c];
  }
#pragma unroll 2
  for (int k = 0; k < kWidth; k += 4) {
    float4 a[kRowsEach];
#pragma unroll
    for (int r = 0; r < kRowsEach; ++r) a[r] = four(&s.a1[(ty + kSide * r) * kStride + k]);
#pragma unroll
    for (int c = 0; c < kColumnsEach; ++c) {
      const float4 w = four(&s.w2[(tx + kSide * c) * kStride + k]);
#pragma unroll
      for (int r = 0; r < kRowsEach; ++r) {
        sum[r][c] += a[r].x * w.x;
        sum[r][c] += a[r].y * w.y;
        sum[r][c] += a[r].z * w.z;
        sum[r][c] += a[r].w * w.w;
      }
    }
  }
#pragma unroll
  for (int r = 0; r < kRowsEach; ++r) {
#pragma unroll
    for (int c = 0; c < kColumnsEach; ++c) {
      s.a2[(ty + kSide * r) * kStride + tx + kSide * c] = leaky(sum[r][c], slope);
    }
  }
}

/// values = a_2 w_3 + b_3, a warp for each row.
__device__ void last_layer(const Shared& s, float bias, int rows, float* values) {
  const int lane = threadIdx.x % 32;
  for (int r = threadIdx.x / 32; r < rows; r += kThreads / 32) {
    float sum = 0.0f;
    for (int j = lane; j < kWidth; j += 32) sum += s.a2[r * kStride + j] * s.w3[j];
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0) values[r] = sum + bias;
  }
}

/// Sums over the rows that a thread's column j has in this tile.
struct ColumnSums {
  float w3 = 0.0f, b2 = 0.0f, b1 = 0.0f, w1[kFusedInputs] = {};
};

/// delta_2 = (w w_3^T) m_2 in place of a_2; half the threads see the even rows, half the odd ones.
__device__ void top_delta(Shared& s, float slope, ColumnSums& sums) {
  const int j = threadIdx.x % kWidth;
  for (int r = threadIdx.x / kWidth; r < kRows; r += kThreads / kWidth) {
    float& a = s.a2[r * kStride + j];
    sums.w3 += s.weight[r] * a;
    a = s.weight[r] * s.w3[j] * slope_at(a, slope);
    sums.b2 += a;
  }
}

/// delta_1 = (delta_2 W_2) m_1, kept in registers: a_1 is still needed.
__device__ void lower_delta(const Shared& s, float slope, float (&delta)[kRowsEach][kColumnsEach]) {
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
#pragma unroll
  for (int r = 0; r < kRowsEach; ++r) {
    for (int c = 0; c < kColumnsEach; ++c) delta[r][c] = 0.0f;
  }
#pragma unroll 2
  for (int j = 0; j < kWidth; ++j) {
    const float4 low = four(&s.w2[j * kStride + column(tx, 0)]);
    const float4 high = four(&s.w2[j * kStride + column(tx, 4)]);
    const float w[kColumnsEach] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (int r = 0; r < kRowsEach; ++r) {
      const float d = s.a2[(ty + kSide * r) * kStride + j];
#pragma unroll
      for (int c = 0; c < kColumnsEach; ++c) delta[r][c] += d * w[c];
    }
  }
#pragma unroll
  for (int r = 0; r < kRowsEach; ++r) {
#pragma unroll
    for (int c = 0; c < kColumnsEach; ++c) {
      delta[r][c] *= slope_at(s.a1[(ty + kSide * r) * kStride + column(tx, c)], slope);
    }
  }
}

/// dW_2 += delta_2^T a_1; a thread holds the rows column(ty, .) and the columns column(tx, .).
__device__ void add_middle_gradient(const Shared& s, float (&dw2)[kColumnsEach][kColumnsEach]) {
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
#pragma unroll 2
  for (int r = 0; r < kRows; ++r) {
    const float4 dl = four(&s.a2[r * kStride + column(ty, 0)]);
    const float4 dh = four(&s.a2[r * kStride + column(ty, 4)]);
    const float4 al = four(&s.a1[r * kStride + column(tx, 0)]);
    const float4 ah = four(&s.a1[r * kStride + column(tx, 4)]);
    const float d[kColumnsEach] = {dl.x, dl.y, dl.z, dl.w, dh.x, dh.y, dh.z, dh.w};
    const float a[kColumnsEach] = {al.x, al.y, al.z, al.w, ah.x, ah.y, ah.z, ah.w};
#pragma unroll
    for (int i = 0; i < kColumnsEach; ++i) {
#pragma unroll
      for (int c = 0; c < kColumnsEach; ++c) dw2[i][c] += d[i] * a[c];
    }
  }
}

__device__ void store_delta(Shared& s, const float (&delta)[kRowsEach][kColumnsEach]) {
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
#pragma unroll
  for (int r = 0; r < kRowsEach; ++r) {
#pragma unroll
    for (int c = 0; c < kColumnsEach; ++c) {
      s.a1[(ty + kSide * r) * kStride + column(tx, c)] = delta[r][c];
    }
  }
}

/// dW_1 = delta_1^T x and db_1, from delta_1 in place of a_1.
__device__ void first_gradient(const Shared& s, int inputs, ColumnSums& sums) {
  const int j = threadIdx.x % kWidth;
  for (int r = threadIdx.x / kWidth; r < kRows; r += kThreads / kWidth) {
    const float d = s.a1[r * kStride + j];
    sums.b1 += d;
#pragma unroll
    for (int i = 0; i < kFusedInputs; ++i) {
      if (i < inputs) sums.w1[i] += d * s.x[r * inputs + i];
    }
  }
}

/// The sum of what two threads with the same column found.
__device__ float both_halves(float* scratch, float value) {
  __syncthreads();
  if (threadIdx.x >= kWidth) scratch[threadIdx.x - kWidth] = value;
  __syncthreads();
  return threadIdx.x < kWidth ? value + scratch[threadIdx.x] : 0.0f;
}

__global__ void __launch_bounds__(kThreads, 1)
    gradient_of_tiles(FusedMlp mlp, FusedLayout layout, const float* points, const float* weights,
                      std::int64_t rows, float* values, float* partial) {
  extern __shared__ float4 memory[];
  Shared& s = *reinterpret_cast<Shared*>(memory);
  for (int e = threadIdx.x; e < kWidth * kWidth; e += kThreads) {
    s.w2[e / kWidth * kStride + e % kWidth] = mlp.w2[e];
  }
  if (threadIdx.x < kWidth) {
    s.w3[threadIdx.x] = mlp.w3[threadIdx.x];
    s.b2[threadIdx.x] = mlp.b2[threadIdx.x];
  }
  float dw2[kColumnsEach][kColumnsEach] = {};
  ColumnSums sums;
  float weight_sum = 0.0f;
  for (std::int64_t first = std::int64_t{blockIdx.x} * kRows; first < rows;
       first += std::int64_t{gridDim.x} * kRows) {
    const int here = static_cast<int>(rows - first < kRows ? rows - first : kRows);
    __syncthreads();
    load_tile(s, mlp, points, weights, first, here);
    __syncthreads();
    first_layer(s, mlp);
    __syncthreads();
    second_layer(s, mlp.slope);
    __syncthreads();
    last_layer(s, *mlp.b3, here, values + first);
    if (threadIdx.x == 0) {
      for (int r = 0; r < here; ++r) weight_sum += s.weight[r];
    }
    __syncthreads();
    top_delta(s, mlp.slope, sums);
    __syncthreads();
    float delta[kRowsEach][kColumnsEach];
    lower_delta(s, mlp.slope, delta);
    add_middle_gradient(s, dw2);
    __syncthreads();
    store_delta(s, delta);
    __syncthreads();
    first_gradient(s, mlp.inputs, sums);
  }

  float* own = partial + std::int64_t{blockIdx.x} * layout.count;
  const int tx = threadIdx.x % kSide, ty = threadIdx.x / kSide;
#pragma unroll
  for (int i = 0; i < kColumnsEach; ++i) {
#pragma unroll
    for (int c = 0; c < kColumnsEach; ++c) {
      own[layout.w2 + column(ty, i) * kWidth + column(tx, c)] = dw2[i][c];
    }
  }
  const int j = threadIdx.x % kWidth;
  const bool writes = threadIdx.x < kWidth;
  const float w3 = both_halves(s.a2, sums.w3), b2 = both_halves(s.a2, sums.b2);
  const float b1 = both_halves(s.a2, sums.b1);
  if (writes) {
    own[layout.w3 + j] = w3;
    own[layout.b2 + j] = b2;
    own[layout.b1 + j] = b1;
  }
#pragma unroll
  for (int i = 0; i < kFusedInputs; ++i) {
    const float w1 = both_halves(s.a2, sums.w1[i]);
    if (writes && i < mlp.inputs) own[layout.w1 + j * mlp.inputs + i] = w1;
  }
  // The padding after the last bias has a gradient of zero.
  for (std::int64_t e = layout.b3 + threadIdx.x; e < layout.count; e += kThreads) {
    own[e] = e == layout.b3 ? weight_sum : 0.0f;
  }
}

__global__ void add_blocks(const float* partial, int blocks, std::int64_t count, float* gradient) {
  const std::int64_t e = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (e >= count) return;
  // Four sums, because one would wait for each of its loads in turn.
  float sum[4] = {};
  int b = 0;
  for (; b + 4 <= blocks; b += 4) {
#pragma unroll
    for (int l = 0; l < 4; ++l) sum[l] += partial[(b + l) * count + e];
  }
  for (; b < blocks; ++b) sum[0] += partial[b * count + e];
  gradient[e] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace
}  // namespace nw::nn
