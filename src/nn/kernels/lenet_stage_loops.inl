// Body of lenet_stage_loops_*.cpp: included once per instruction set, inside a namespace of its
// own, where kLaneWidth is the number of floats in a vector. Outputs lie along the vectors.

using Lane = float __attribute__((vector_size(kLaneWidth * sizeof(float))));
using Place = std::int32_t __attribute__((vector_size(kLaneWidth * sizeof(float))));

constexpr std::int64_t kSide = 5;
constexpr int kLanes = 2;  // vectors of outputs at once: enough sums to hide a multiplication
constexpr std::int64_t kChunk = kLanes * kLaneWidth;

inline Lane load(const float* from) {
  Lane lane;
  std::memcpy(&lane, from, sizeof(lane));
  return lane;
}

inline void store(float* to, const Lane& lane) {
  std::memcpy(to, &lane, sizeof(lane));
}

void values(const StageShape& shape, const float* image, const float* filters, const float* bias,
            float* out, std::uint8_t* place) {
  const std::int64_t width = shape.width, outputs = shape.outputs;
  for (std::int64_t first = 0; first < outputs; first += kChunk) {
    for (std::int64_t p = 0; p < shape.positions(); ++p) {
      const std::int64_t y = 2 * (p / shape.pooled_width()), x = 2 * (p % shape.pooled_width());
      Lane sum[4][kLanes] = {};
      const float* filter = filters + first;
      for (std::int64_t c = 0; c < shape.channels; ++c) {
        for (std::int64_t dy = 0; dy < kSide; ++dy) {
          const float* row = image + (c * shape.height + y + dy) * width + x;
#pragma GCC unroll 5
          for (std::int64_t dx = 0; dx < kSide; ++dx) {
            const float pixel[4] = {row[dx], row[dx + 1], row[dx + width], row[dx + width + 1]};
            for (int l = 0; l < kLanes; ++l) {
              const Lane weight = load(filter + l * kLaneWidth);
              for (int q = 0; q < 4; ++q) sum[q][l] += weight * pixel[q];
            }
            filter += outputs;
          }
        }
      }
      for (int l = 0; l < kLanes; ++l) {
        Lane best = sum[0][l];
        Place at = {};
        for (int q = 1; q < 4; ++q) {
          const Place larger = sum[q][l] > best;
          best = larger ? sum[q][l] : best;
          at = larger ? Place{} + q : at;
        }
        const std::int64_t to = p * outputs + first + l * kLaneWidth;
        best += load(bias + first + l * kLaneWidth);
        const Place kept = best > 0.0F;
        store(out + to, kept ? best : Lane{});
        at = kept ? at : Place{} + 4;
        for (int lane = 0; lane < kLaneWidth; ++lane) {
          place[to + lane] = static_cast<std::uint8_t>(at[lane]);
        }
      }
    }
  }
}

void add_gradient(const StageShape& shape, const float* image, const float* slope,
                  const std::uint8_t* place, float* slopes, float* filters, float* bias) {
  const std::int64_t width = shape.width, outputs = shape.outputs;
  for (std::int64_t p = 0; p < shape.positions(); ++p) {
    const float* from = slope + p * outputs;
    const std::uint8_t* at = place + p * outputs;
    for (int q = 0; q < 4; ++q) {
      float* to = slopes + (4 * p + q) * outputs;
      for (std::int64_t o = 0; o < outputs; ++o) to[o] = at[o] == q ? from[o] : 0.0F;
    }
    for (std::int64_t o = 0; o < outputs; ++o) bias[o] += at[o] < 4 ? from[o] : 0.0F;
  }
  for (std::int64_t first = 0; first < outputs; first += kChunk) {
    for (std::int64_t c = 0; c < shape.channels; ++c) {
      for (std::int64_t dy = 0; dy < kSide; ++dy) {
        Lane sum[kSide][kLanes] = {};
        for (std::int64_t p = 0; p < shape.positions(); ++p) {
          const std::int64_t y = 2 * (p / shape.pooled_width()), x = 2 * (p % shape.pooled_width());
          const float* row = image + (c * shape.height + y + dy) * width + x;
          const float* at = slopes + 4 * p * outputs + first;
#pragma GCC unroll 4
          for (int q = 0; q < 4; ++q) {
            const float* pixel = row + (q / 2) * width + q % 2;
            const Lane left = load(at + q * outputs), right = load(at + q * outputs + kLaneWidth);
#pragma GCC unroll 5
            for (std::int64_t dx = 0; dx < kSide; ++dx) {
              sum[dx][0] += left * pixel[dx];
              sum[dx][1] += right * pixel[dx];
            }
          }
        }
        float* to = filters + ((c * kSide + dy) * kSide) * outputs + first;
        for (std::int64_t dx = 0; dx < kSide; ++dx) {
          for (int l = 0; l < kLanes; ++l) {
            float* place_of = to + dx * outputs + l * kLaneWidth;
            store(place_of, load(place_of) + sum[dx][l]);
          }
        }
      }
    }
  }
}

constexpr StageLoops make_stage_loops() {
  return {.values = &values, .add_gradient = &add_gradient};
}
