// Forward and backward through a perceptron by hand, block by block: activations of 256 rows stay
// in the cache between the matrix products, nothing is allocated per operation, and the order of
// every sum is fixed by blocks and lanes rather than by threads.
//
// Notation for one block: a_0 = x, a_l = leaky(a_{l-1} W_l^T + b_l), value = a_{L-1} w_L + b_L, and
// m_l = leaky'(.) in {slope, 1}, read off the sign of a_l.
//   objective sum_i w_i D(x_i):  delta_{L-1} = (w w_L^T) m_{L-1},  delta_{l-1} = (delta_l W_l)
//   m_{l-1}
//     dW_l = delta_l^T a_{l-1},  dx = delta_1 W_1
//   penalty: v_{L-1} = w_L^T m_{L-1}, v_{l-1} = (v_l W_l) m_{l-1}, g = v_1 W_1 = grad D(x), and
//   with
//     s_0 = dP/dg the chain runs upwards: dW_l = v_l^T s_{l-1},  s_l = (s_{l-1} W_l^T) m_l,
//     dw_L = sum_rows s_{L-1}.
#include "nn/kernels/mlp_pass.hpp"

#include <cmath>

#include "nn/kernels/mlp_loops.hpp"
#include "nn/kernels/row_blocks.hpp"

namespace nw::nn {
namespace {

using torch::Tensor;

// Up to this many inputs the first layer is computed by loops over columns.
constexpr std::int64_t kNarrow = 8;

float* data(const Tensor& tensor) {
  return tensor.data_ptr<float>();
}

/// Activations and derivatives of one block, kept by a thread from call to call.
struct Scratch {
  std::vector<std::int64_t> widths;
  std::vector<Tensor> activation, delta, upward;  // [kBlockRows, width] per hidden layer

  void fit(const std::vector<std::int64_t>& wanted) {
    if (widths == wanted) return;
    widths = wanted;
    const auto make = [&](std::vector<Tensor>& buffers) {
      buffers.clear();
      for (const auto width : widths) {
        buffers.push_back(torch::empty({kBlockRows, width}, torch::kFloat32));
      }
    };
    make(activation), make(delta), make(upward);
  }
};

thread_local Scratch scratch;

/// What all blocks share: detached weights, and W_1 transposed when its input is narrow.
class Prepared {
 public:
  explicit Prepared(const MlpView& mlp) : slope(static_cast<float>(mlp.slope)) {
    for (const auto& w : mlp.weights) weights.push_back(w.detach().contiguous());
    for (const auto& b : mlp.biases) biases.push_back(b.detach().contiguous());
    for (std::size_t l = 0; l + 1 < weights.size(); ++l) widths.push_back(weights[l].size(0));
    inputs = weights.front().size(1);
    narrow = inputs <= kNarrow;
    if (narrow) first_t = weights.front().t().contiguous();
  }
  [[nodiscard]] std::size_t hidden() const { return widths.size(); }
  [[nodiscard]] const float* last_row() const { return data(weights.back()); }
  [[nodiscard]] float last_bias() const { return *data(biases.back()); }

  std::vector<Tensor> weights, biases;
  std::vector<std::int64_t> widths;
  std::int64_t inputs = 0;
  Tensor first_t;
  float slope;
  bool narrow = false;
};

/// The passes of one block. Buffers are views of the thread's scratch.
class BlockPass {
 public:
  BlockPass(const Prepared& net, const Tensor& points)
      : net_(net), x_(points), loops_(mlp_loops()) {
    scratch.fit(net.widths);
    rows_ = points.size(0);
    for (std::size_t l = 0; l < net.hidden(); ++l) {
      a_.push_back(scratch.activation[l].narrow(0, 0, rows_));
      delta_.push_back(scratch.delta[l].narrow(0, 0, rows_));
      up_.push_back(scratch.upward[l].narrow(0, 0, rows_));
    }
  }

  void forward() {
    for (std::size_t l = 0; l < net_.hidden(); ++l) {
      const float* bias = data(net_.biases[l]);
      if (l == 0 && net_.narrow) {
        loops_.narrow_layer(data(a_[0]), data(x_), net_.inputs, data(net_.first_t), bias, extent(0),
                            net_.slope);
        continue;
      }
      at::mm_out(a_[l], l == 0 ? x_ : a_[l - 1], net_.weights[l].t());
      loops_.add_bias_and_activate(data(a_[l]), bias, extent(l), net_.slope);
    }
  }

  void values(float* out) const {
    loops_.row_products(out, data(a_.back()), net_.last_row(), net_.last_bias(), extent(top()));
  }

  /// delta_l for l = L-1 ... 1; null weights stand for ones and make these the v_l.
  void backward(const float* weights) {
    loops_.outer_with_slope(data(delta_.back()), weights, net_.last_row(), data(a_.back()),
                            extent(top()), net_.slope);
    for (std::size_t l = top(); l > 0; --l) {
      at::mm_out(delta_[l - 1], delta_[l], net_.weights[l]);
      loops_.multiply_by_slope(data(delta_[l - 1]), data(a_[l - 1]), extent(l - 1), net_.slope);
    }
  }

  /// delta_1 W_1: [rows, inputs].
  void input_gradient(const Tensor& out) const {
    if (net_.narrow) {
      loops_.narrow_input_gradient(data(out), net_.inputs, data(delta_[0]), data(net_.first_t),
                                   extent(0));
    } else {
      Tensor target = out;
      at::mm_out(target, delta_[0], net_.weights[0]);
    }
  }

  /// Adds the gradient of sum_i w_i D(x_i) in the parameters.
  void add_objective(const float* weights, const MlpLayout& layout, const Tensor& gradient) const {
    float* flat = data(gradient);
    for (std::size_t l = 0; l < net_.hidden(); ++l) {
      loops_.add_columns(flat + layout.bias_offset[l], nullptr, data(delta_[l]), extent(l));
      add_weight_gradient(l, delta_[l], l == 0 ? x_ : a_[l - 1], layout, gradient);
    }
    loops_.add_columns(flat + layout.weight_offset.back(), weights, data(a_.back()), extent(top()));
    float& bias = flat[layout.bias_offset.back()];
    for (std::int64_t i = 0; i < rows_; ++i) bias += weights[i];
  }

  /// Adds the gradient of sum_i s_i . g_i for given s_0: [rows, inputs].
  void add_penalty(const Tensor& s0, const MlpLayout& layout, const Tensor& gradient) {
    for (std::size_t l = 0; l < net_.hidden(); ++l) {
      const Tensor& below = l == 0 ? s0 : up_[l - 1];
      add_weight_gradient(l, delta_[l], below, layout, gradient);
      at::mm_out(up_[l], below, net_.weights[l].t());
      loops_.multiply_by_slope(data(up_[l]), data(a_[l]), extent(l), net_.slope);
    }
    loops_.add_columns(data(gradient) + layout.weight_offset.back(), nullptr, data(up_.back()),
                       extent(top()));
  }

 private:
  [[nodiscard]] std::size_t top() const { return net_.hidden() - 1; }
  [[nodiscard]] Extent extent(std::size_t l) const { return {rows_, net_.widths[l]}; }

  /// dW_l += left^T right; W_1 is kept transposed until the end when its input is narrow.
  void add_weight_gradient(std::size_t l, const Tensor& left, const Tensor& right,
                           const MlpLayout& layout, const Tensor& gradient) const {
    if (l == 0 && net_.narrow) {
      loops_.narrow_weight_gradient(data(gradient) + layout.weight_offset[0], data(right),
                                    net_.inputs, data(left), extent(0));
      return;
    }
    gradient.narrow(0, layout.weight_offset[l], net_.weights[l].numel())
        .view(net_.weights[l].sizes())
        .addmm_(left.t(), right);
  }

  const Prepared& net_;
  Tensor x_;
  const MlpLoops& loops_;
  std::int64_t rows_ = 0;
  std::vector<Tensor> a_, delta_, up_;
};

/// (norm - 1)^2 summed over rows; turns the gradients g into s_0 = -dP/dg.
double penalty_slopes(const Tensor& g, double scale) {
  const std::int64_t rows = g.size(0), cols = g.size(1);
  float* values = data(g);
  double sum = 0.0;
  for (std::int64_t i = 0; i < rows; ++i) {
    double square = 0.0;
    for (std::int64_t c = 0; c < cols; ++c) {
      const double v = values[i * cols + c];
      square += v * v;
    }
    const double norm = std::sqrt(square);
    sum += (norm - 1.0) * (norm - 1.0);
    const double factor = norm > 0.0 ? -2.0 * scale * (norm - 1.0) / norm : 0.0;
    for (std::int64_t c = 0; c < cols; ++c) {
      values[i * cols + c] = static_cast<float>(factor * values[i * cols + c]);
    }
  }
  return sum;
}

Tensor sum_lanes(const std::vector<Tensor>& lanes) {
  Tensor total = lanes.front();
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) total.add_(lanes[lane]);
  return total;
}

}  // namespace

ParameterGradient mlp_parameter_gradient(const MlpView& mlp, const MlpLayout& layout,
                                         const WeightedBatch& batch,
                                         const std::optional<PenaltyBatch>& penalty) {
  const torch::NoGradGuard no_grad;
  const Prepared net(mlp);
  const Tensor points = batch.points.contiguous(), weights = batch.weights.contiguous();
  const Tensor penalty_points = penalty ? penalty->points.contiguous() : Tensor();
  const std::int64_t rows = points.size(0);
  const std::int64_t penalty_rows = penalty ? penalty_points.size(0) : 0;
  const double scale = penalty ? penalty->coefficient / static_cast<double>(penalty_rows) : 0.0;
  const std::int64_t plain = block_count(rows), all = plain + block_count(penalty_rows);
  const std::int64_t lanes = lane_count(all);

  ParameterGradient result;
  result.values = torch::empty({rows}, torch::kFloat32);
  std::vector<Tensor> lane_gradient(static_cast<std::size_t>(lanes));
  for (auto& gradient : lane_gradient) gradient = torch::zeros({layout.count}, torch::kFloat32);
  std::vector<double> block_penalty(static_cast<std::size_t>(all), 0.0);

  for_each_lane(lanes, torch::kCPU, [&](std::int64_t lane) {
    const torch::NoGradGuard no_grad_here;
    const Tensor& gradient = lane_gradient[static_cast<std::size_t>(lane)];
    for (std::int64_t b = lane; b < all; b += lanes) {
      const bool is_penalty = b >= plain;
      const std::int64_t begin = (is_penalty ? b - plain : b) * kBlockRows;
      const std::int64_t count = std::min(kBlockRows, (is_penalty ? penalty_rows : rows) - begin);
      BlockPass pass(net, (is_penalty ? penalty_points : points).narrow(0, begin, count));
      pass.forward();
      if (is_penalty) {
        pass.backward(nullptr);
        const Tensor g = torch::empty({count, net.inputs}, torch::kFloat32);
        pass.input_gradient(g);
        block_penalty[static_cast<std::size_t>(b)] = penalty_slopes(g, scale);
        pass.add_penalty(g, layout, gradient);
      } else {
        const float* w = data(weights) + begin;
        pass.values(data(result.values) + begin);
        pass.backward(w);
        pass.add_objective(w, layout, gradient);
      }
    }
  });

  result.gradient = sum_lanes(lane_gradient);
  if (net.narrow) {
    auto first = result.gradient.narrow(0, layout.weight_offset[0], net.weights[0].numel());
    first.copy_(first.view({net.inputs, net.widths[0]}).t().reshape({-1}).clone());
  }
  if (penalty) {
    double sum = 0.0;
    for (const double part : block_penalty) sum += part;
    result.penalty = torch::tensor(scale * sum);
  }
  return result;
}

PointGradient mlp_point_gradient(const MlpView& mlp, const WeightedBatch& batch) {
  const torch::NoGradGuard no_grad;
  const Prepared net(mlp);
  const Tensor points = batch.points.contiguous(), weights = batch.weights.contiguous();
  const std::int64_t rows = points.size(0), blocks = block_count(rows);
  PointGradient result{.values = torch::empty({rows}, torch::kFloat32),
                       .gradient = torch::empty({rows, net.inputs}, torch::kFloat32)};
  const std::int64_t lanes = lane_count(blocks);
  for_each_lane(lanes, torch::kCPU, [&](std::int64_t lane) {
    const torch::NoGradGuard no_grad_here;
    for (std::int64_t b = lane; b < blocks; b += lanes) {
      const std::int64_t begin = b * kBlockRows, count = std::min(kBlockRows, rows - begin);
      BlockPass pass(net, points.narrow(0, begin, count));
      pass.forward();
      pass.values(data(result.values) + begin);
      pass.backward(data(weights) + begin);
      pass.input_gradient(result.gradient.narrow(0, begin, count));
    }
  });
  return result;
}

}  // namespace nw::nn
