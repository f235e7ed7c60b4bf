// Private: a stage of LeNet for one image, one copy per instruction set.
#pragma once

#include <cstdint>

namespace nw::nn {

/// Sizes of a stage; images are [channels, height, width].
struct StageShape {
  std::int64_t channels, height, width, outputs;

  [[nodiscard]] std::int64_t pooled_height() const { return (height - 4) / 2; }
  [[nodiscard]] std::int64_t pooled_width() const { return (width - 4) / 2; }
  [[nodiscard]] std::int64_t positions() const { return pooled_height() * pooled_width(); }
  [[nodiscard]] std::int64_t taps() const { return channels * 25; }
};

/// `outputs` must be a multiple of this.
inline constexpr std::int64_t kStageOutputs = 32;

struct StageLoops {
  /// Filters are [taps, outputs]; values and place are [positions, outputs].
  void (*values)(const StageShape& shape, const float* image, const float* filters,
                 const float* bias, float* values, std::uint8_t* place);
  /// Adds to the gradients of filters [taps, outputs] and bias; `slopes` has room for
  /// 4 * positions * outputs numbers.
  void (*add_gradient)(const StageShape& shape, const float* image, const float* slope,
                       const std::uint8_t* place, float* slopes, float* filters, float* bias);
};

/// The best copy this processor runs.
[[nodiscard]] const StageLoops& stage_loops();

}  // namespace nw::nn
