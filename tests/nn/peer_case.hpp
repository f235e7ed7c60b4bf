// Networks written down with their inputs and our answers, for PyTorch to compute again.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <torch/types.h>

#include "nw/nn/parameters.hpp"

namespace nw::nn {

/// One file for torch_peer.py.
struct PeerCase {
  std::string name;
  std::string options;  ///< JSON with "network" and its options
  std::vector<std::pair<std::string, torch::Tensor>> tensors;

  void add(const std::string& tensor_name, const torch::Tensor& value) {
    tensors.emplace_back(tensor_name, value.detach().contiguous());
  }
  void add_parameters(const ParameterSet& parameters);
  /// The entries of a flat gradient as "ours.gradient.<name>".
  void add_gradient(const ParameterSet& parameters, const torch::Tensor& flat);
};

/// case -> answer -> relative difference.
using Differences = std::map<std::string, std::map<std::string, double>>;

/// Runs torch_peer.py over the cases. Empty where Python or PyTorch is missing.
[[nodiscard]] Differences ask_pytorch(const std::vector<PeerCase>& cases);

}  // namespace nw::nn
