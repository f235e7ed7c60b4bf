// Private: the loops between the matrix products of a multilayer perceptron, one copy per
// instruction set. All matrices are row-major floats without gaps.
#pragma once

#include <cstdint>

namespace nw::nn {

/// Shape of the activations of one layer for some rows.
struct Extent {
  std::int64_t rows, cols;
};

struct MlpLoops {
  /// a = leaky(a + bias), bias broadcast over rows.
  void (*add_bias_and_activate)(float* a, const float* bias, Extent extent, float slope);
  /// a = leaky(x W^T + bias) for a narrow input: x is [rows, inputs], `weight_t` is W^T
  /// [inputs, cols]. A matrix product with two columns would waste most of its work.
  void (*narrow_layer)(float* a, const float* x, std::int64_t inputs, const float* weight_t,
                       const float* bias, Extent extent, float slope);
  /// gradient_t += x^T delta: [inputs, cols], for a narrow input.
  void (*narrow_weight_gradient)(float* gradient_t, const float* x, std::int64_t inputs,
                                 const float* delta, Extent extent);
  /// out = delta W: [rows, inputs] from W^T [inputs, cols].
  void (*narrow_input_gradient)(float* out, std::int64_t inputs, const float* delta,
                                const float* weight_t, Extent extent);
  /// delta *= leaky'(.), read off the activations: 1 where positive, `slope` elsewhere.
  void (*multiply_by_slope)(float* delta, const float* activation, Extent extent, float slope);
  /// delta_ij = weight_i * row_j * leaky'(a_ij); a null weight stands for ones.
  void (*outer_with_slope)(float* delta, const float* weight, const float* row,
                           const float* activation, Extent extent, float slope);
  /// value_i = a_i . row + bias.
  void (*row_products)(float* value, const float* a, const float* row, float bias, Extent extent);
  /// sum_j += sum_i w_i a_ij; a null weight stands for ones.
  void (*add_columns)(float* sum, const float* weight, const float* a, Extent extent);
};

/// The best copy this processor runs.
[[nodiscard]] const MlpLoops& mlp_loops();

}  // namespace nw::nn
