// Spectral normalisation (Miyato et al. 2018), which the C++ frontend of LibTorch lacks.
#pragma once

#include <torch/types.h>

#include "nw/base/rng.hpp"

namespace nw::nn {

/// Tracks the largest singular value of a weight by power iteration.
class SpectralNorm {
 public:
  SpectralNorm() = default;
  /// For a weight whose first dimension has `rows` entries and the others `cols` together.
  SpectralNorm(std::int64_t rows, std::int64_t cols, const Rng& rng);

  /// One step: v = normalise(W^T u), u = normalise(W v). `weight` is [rows, ...].
  void iterate(const torch::Tensor& weight);
  /// W / (u^T W v), differentiable in W with u and v held fixed, as PyTorch defines it.
  [[nodiscard]] torch::Tensor normalised(const torch::Tensor& weight) const;

  [[nodiscard]] const torch::Tensor& u() const noexcept { return u_; }  ///< [rows]
  [[nodiscard]] const torch::Tensor& v() const noexcept { return v_; }  ///< [cols]
  void to(const torch::Device& device);

 private:
  torch::Tensor u_, v_;
};

}  // namespace nw::nn
