#include "nw/io/safetensors_bytes.hpp"

namespace nw::io {

std::string safetensors_bytes(std::span<const TensorView> tensors, const TensorMetadata& metadata) {
  std::string bytes = safetensors_header(tensors, metadata);
  for (const TensorView& tensor : safetensors_order(tensors)) {
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return bytes;
}

TensorFile parse_safetensors(const std::string& bytes, const std::string& source) {
  return parse_safetensors(std::as_bytes(std::span(bytes.data(), bytes.size())), source);
}

}  // namespace nw::io
