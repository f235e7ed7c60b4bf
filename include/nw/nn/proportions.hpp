// The proportions pi of a mixture, as the softmax of free numbers or held fixed.
#pragma once

#include <span>
#include <vector>

#include <torch/types.h>

namespace nw::nn {

class Proportions {
 public:
  Proportions() = default;
  /// Learnt, starting from uniform.
  static Proportions learnt(std::int64_t components);
  /// Held at `pi`, which must be non-negative and sum to one; throws InvalidArgument.
  static Proportions fixed(std::span<const double> pi);

  [[nodiscard]] bool is_fixed() const noexcept { return fixed_; }
  [[nodiscard]] std::int64_t components() const { return logits_.numel(); }
  /// The free numbers; minus infinity stands for a fixed proportion of zero. [k]
  [[nodiscard]] const torch::Tensor& logits() const noexcept { return logits_; }
  /// softmax(logits): [k], positive where learnt, sums to one.
  [[nodiscard]] torch::Tensor values() const;
  [[nodiscard]] std::vector<double> to_vector() const;
  /// From dL/dpi to dL/dlogits by the chain rule of softmax: pi_j (g_j - sum_i pi_i g_i).
  [[nodiscard]] torch::Tensor logit_gradient(const torch::Tensor& pi_gradient) const;
  void to(const torch::Device& device) { logits_ = logits_.to(device); }
  /// A copy that shares no memory with this one.
  [[nodiscard]] Proportions clone() const;

 private:
  torch::Tensor logits_;
  bool fixed_ = false;
};

}  // namespace nw::nn
