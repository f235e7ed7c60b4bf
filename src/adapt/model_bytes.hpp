// Private: trained models as the bytes of a safetensors file.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/io/safetensors.hpp"
#include "nw/train/state_tensors.hpp"

namespace nw::adapt {

/// A model's description travels as metadata of this name.
inline constexpr const char* kModelMetadata = "nw_model";

[[nodiscard]] inline std::vector<std::byte> model_bytes(
    const std::vector<train::NamedTensor>& state, const std::string& description,
    std::int64_t step) {
  const train::StateTensors tensors(state);
  const std::string header = io::safetensors_header(
      tensors.views(), {{kModelMetadata, description}, {"step", std::to_string(step)}});
  const auto start = std::as_bytes(std::span(header));
  std::vector<std::byte> bytes(start.begin(), start.end());
  for (const auto& tensor : io::safetensors_order(tensors.views())) {
    bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
  }
  return bytes;
}

/// What model_bytes wrote. `make(description)` gives a model with members `step` and `state()`.
template <typename Make>
[[nodiscard]] auto parse_model_bytes(std::span<const std::byte> bytes, const std::string& source,
                                     Make&& make) {
  auto file = io::parse_safetensors(bytes, source);
  const auto text = file.metadata.find(kModelMetadata);
  if (text == file.metadata.end()) throw IoError(concat(source, ": holds no model of nw"));
  auto model = make(text->second);
  model.step = std::atoll(file.metadata["step"].c_str());
  train::restore({.step = model.step, .tensors = std::move(file.tensors), .state = {}},
                 model.state());
  return model;
}

}  // namespace nw::adapt
