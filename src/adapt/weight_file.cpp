#include "nw/adapt/weight_file.hpp"

#include <fstream>
#include <string_view>

#include "nw/base/error.hpp"
#include "nw/io/safetensors.hpp"
#include "nw/train/state_tensors.hpp"

namespace nw::adapt {
namespace {

/// Whether a file begins as torch.save begins its files: a zip archive since 1.6, a pickle before.
bool is_pickled(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  char first[4] = {};
  stream.read(first, sizeof first);
  const std::string_view start(first, static_cast<std::size_t>(stream.gcount()));
  return start.starts_with("PK\x03\x04") || start.starts_with("\x80\x02") ||
         start.starts_with("\x80\x03") || start.starts_with("\x80\x04");
}

std::unique_ptr<nn::Backbone> backbone_of(const nn::NamedTensors& weights,
                                          const std::filesystem::path& file) {
  try {
    auto backbone = nn::make_backbone(nn::backbone_options(weights), Rng(0));
    backbone->load(weights);
    return backbone;
  } catch (const InvalidArgument& error) {
    throw IoError(concat(file.string(), ": ", error.what()));
  }
}

}  // namespace

nn::NamedTensors read_weights(const std::filesystem::path& file) {
  if (is_pickled(file)) {
    throw IoError(concat(
        file.string(),
        ": holds a pickle, as torch.save writes it, and reading one runs the program it holds; "
        "convert it where you trust it: python3 -c \"import torch, safetensors.torch as s; "
        "s.save_file(torch.load('",
        file.filename().string(), "'), 'weights.safetensors')\""));
  }
  nn::NamedTensors weights;
  for (const auto& tensor : io::read_safetensors(file).tensors) {
    weights.emplace(tensor.name, train::to_tensor(tensor));
  }
  return weights;
}

std::shared_ptr<const nn::NamedTensors> read_backbone_weights(const std::filesystem::path& file) {
  auto weights = std::make_shared<const nn::NamedTensors>(read_weights(file));
  (void)backbone_of(*weights, file);
  return weights;
}

std::unique_ptr<nn::Backbone> load_backbone(const std::filesystem::path& file) {
  return backbone_of(read_weights(file), file);
}

}  // namespace nw::adapt
