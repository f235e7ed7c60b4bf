// The parameters of a network as one flat buffer with named views.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <torch/types.h>

#include "nw/base/rng.hpp"

namespace nw::nn {

/// Name and sizes of one parameter, and the half-width of the uniform distribution it starts from
/// (0: starts at `constant`).
struct ParameterSpec {
  std::string name;
  std::vector<std::int64_t> sizes;
  double half_width = 0.0;
  double constant = 0.0;
};

/// Owns all parameters of a network in one float32 buffer, so that optimiser steps, clipping,
/// averaging and checkpoints are single operations. Each parameter is a leaf of the autograd graph
/// that shares memory with the buffer.
class ParameterSet {
 public:
  ParameterSet() = default;
  ParameterSet(std::vector<ParameterSpec> specs, const Rng& rng);

  [[nodiscard]] std::size_t size() const noexcept { return specs_.size(); }
  [[nodiscard]] const std::vector<ParameterSpec>& specs() const noexcept { return specs_; }
  /// Number of floats, the padding between parameters included.
  [[nodiscard]] std::int64_t count() const { return flat_.defined() ? flat_.numel() : 0; }
  /// All of them: [count]. Written in place under torch::NoGradGuard only.
  [[nodiscard]] const torch::Tensor& flat() const noexcept { return flat_; }
  [[nodiscard]] const torch::Tensor& operator[](std::size_t index) const { return leaves_[index]; }
  [[nodiscard]] const std::vector<torch::Tensor>& leaves() const noexcept { return leaves_; }
  /// A parameter by name. Throws InvalidArgument.
  [[nodiscard]] const torch::Tensor& at(const std::string& name) const;
  /// Where parameter `index` begins in flat().
  [[nodiscard]] std::int64_t offset(std::size_t index) const { return offsets_[index]; }

  /// Both one after the other in one buffer, which `first` and `second` share from then on.
  [[nodiscard]] static ParameterSet joined(ParameterSet& first, ParameterSet& second);

  /// Moves everything; former views keep pointing to the old memory.
  void to(const torch::Device& device);
  /// Copies values from a flat buffer of the same layout.
  void assign(const torch::Tensor& flat);
  /// One flat gradient from one tensor per parameter; undefined ones count as zero.
  [[nodiscard]] torch::Tensor flatten(const std::vector<torch::Tensor>& gradients) const;

 private:
  void make_leaves();

  std::vector<ParameterSpec> specs_;
  std::vector<std::int64_t> offsets_;
  torch::Tensor flat_;
  std::vector<torch::Tensor> leaves_;
};

}  // namespace nw::nn
