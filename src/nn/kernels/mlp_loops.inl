// Body of mlp_loops_*.cpp: included once per instruction set, inside a namespace of its own.
// Sums over rows keep their order whatever the width of a vector; sums along a row run in sixteen
// fixed partial sums, for the same reason.


inline float leaky(float value, float slope) {
  return value > 0.0F ? value : slope * value;
}

inline float slope_at(float activation, float slope) {
  return activation > 0.0F ? 1.0F : slope;
}

/// a . b in kPartial running sums.
inline float product(const float* a, const float* b, std::int64_t count) {
  constexpr std::int64_t kPartial = 16;
  float partial[kPartial] = {};
  const std::int64_t whole = count / kPartial * kPartial;
  for (std::int64_t j = 0; j < whole; j += kPartial) {
    for (std::int64_t p = 0; p < kPartial; ++p) partial[p] += a[j + p] * b[j + p];
  }
  float sum = 0.0F;
  for (const float value : partial) sum += value;
  for (std::int64_t j = whole; j < count; ++j) sum += a[j] * b[j];
  return sum;
}

void add_bias_and_activate(float* a, const float* bias, Extent extent, float slope) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    float* row = a + i * extent.cols;
    for (std::int64_t j = 0; j < extent.cols; ++j) row[j] = leaky(row[j] + bias[j], slope);
  }
}

void narrow_layer(float* a, const float* x, std::int64_t inputs, const float* weight_t,
                         const float* bias, Extent extent, float slope) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    float* row = a + i * extent.cols;
    for (std::int64_t j = 0; j < extent.cols; ++j) row[j] = bias[j];
    for (std::int64_t c = 0; c < inputs; ++c) {
      const float value = x[i * inputs + c];
      const float* weight = weight_t + c * extent.cols;
      for (std::int64_t j = 0; j < extent.cols; ++j) row[j] += value * weight[j];
    }
    for (std::int64_t j = 0; j < extent.cols; ++j) row[j] = leaky(row[j], slope);
  }
}

void narrow_weight_gradient(float* gradient_t, const float* x, std::int64_t inputs,
                                   const float* delta, Extent extent) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    const float* row = delta + i * extent.cols;
    for (std::int64_t c = 0; c < inputs; ++c) {
      const float value = x[i * inputs + c];
      float* gradient = gradient_t + c * extent.cols;
      for (std::int64_t j = 0; j < extent.cols; ++j) gradient[j] += value * row[j];
    }
  }
}

void narrow_input_gradient(float* out, std::int64_t inputs, const float* delta,
                                  const float* weight_t, Extent extent) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    for (std::int64_t c = 0; c < inputs; ++c) {
      out[i * inputs + c] =
          product(delta + i * extent.cols, weight_t + c * extent.cols, extent.cols);
    }
  }
}

void multiply_by_slope(float* delta, const float* activation, Extent extent, float slope) {
  const std::int64_t count = extent.rows * extent.cols;
  for (std::int64_t j = 0; j < count; ++j) delta[j] *= slope_at(activation[j], slope);
}

void outer_with_slope(float* delta, const float* weight, const float* row,
                             const float* activation, Extent extent, float slope) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    const float scale = weight == nullptr ? 1.0F : weight[i];
    const std::int64_t at = i * extent.cols;
    for (std::int64_t j = 0; j < extent.cols; ++j) {
      delta[at + j] = scale * row[j] * slope_at(activation[at + j], slope);
    }
  }
}

void row_products(float* value, const float* a, const float* row, float bias,
                         Extent extent) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    value[i] = product(a + i * extent.cols, row, extent.cols) + bias;
  }
}

void add_columns(float* sum, const float* weight, const float* a, Extent extent) {
  for (std::int64_t i = 0; i < extent.rows; ++i) {
    const float scale = weight == nullptr ? 1.0F : weight[i];
    const float* row = a + i * extent.cols;
    for (std::int64_t j = 0; j < extent.cols; ++j) sum[j] += scale * row[j];
  }
}

constexpr MlpLoops make_mlp_loops() {
  return {.add_bias_and_activate = add_bias_and_activate,
          .narrow_layer = narrow_layer,
          .narrow_weight_gradient = narrow_weight_gradient,
          .narrow_input_gradient = narrow_input_gradient,
          .multiply_by_slope = multiply_by_slope,
          .outer_with_slope = outer_with_slope,
          .row_products = row_products,
          .add_columns = add_columns};
}
