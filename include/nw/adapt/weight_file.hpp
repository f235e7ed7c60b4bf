// Weights of backbones from files.
#pragma once

#include <filesystem>
#include <memory>

#include "nw/nn/backbone.hpp"

namespace nw::adapt {

/// The tensors of a safetensors file, on the CPU in the types they have there. Throws IoError. A
/// file that torch.save wrote is refused with a hint how to convert it: reading one runs the
/// program it holds.
[[nodiscard]] nn::NamedTensors read_weights(const std::filesystem::path& file);

/// The same for a network known here, all of whose tensors are there: what a network that is
/// fine-tuned starts from.
[[nodiscard]] std::shared_ptr<const nn::NamedTensors> read_backbone_weights(
    const std::filesystem::path& file);

/// The network that the weights of a file belong to, with these weights. Throws IoError naming the
/// file and what is wrong with it.
[[nodiscard]] std::unique_ptr<nn::Backbone> load_backbone(const std::filesystem::path& file);

}  // namespace nw::adapt
