#include <algorithm>
#include <array>
#include <bit>

#include "nw/io/safetensors.hpp"

#include "io/half.hpp"
#include "io/tensor_types.hpp"

namespace nw::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "tensors are written as they lie in memory, which must be little-endian");

template <typename Stored, typename Convert>
std::vector<double> convert_as(std::span<const std::byte> bytes, Convert convert) {
  std::vector<double> result(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < result.size(); ++i) {
    Stored value;
    std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    result[i] = convert(value);
  }
  return result;
}

}  // namespace

const char* to_string(TensorType type) {
  for (const auto& entry : kTensorTypes) {
    if (entry.type == type) return entry.name;
  }
  return "?";
}

std::size_t bytes_per_element(TensorType type) {
  for (const auto& entry : kTensorTypes) {
    if (entry.type == type) return entry.bytes;
  }
  return 1;
}

std::vector<double> Tensor::to_doubles() const {
  const auto as_is = [](auto value) { return static_cast<double>(value); };
  switch (type) {
    case TensorType::f64:
      return convert_as<double>(bytes, as_is);
    case TensorType::f32:
      return convert_as<float>(bytes, as_is);
    case TensorType::f16:
      return convert_as<std::uint16_t>(bytes, half_to_double);
    case TensorType::bf16:
      return convert_as<std::uint16_t>(bytes, bfloat_to_double);
    case TensorType::i64:
      return convert_as<std::int64_t>(bytes, as_is);
    case TensorType::i32:
      return convert_as<std::int32_t>(bytes, as_is);
    case TensorType::i16:
      return convert_as<std::int16_t>(bytes, as_is);
    case TensorType::i8:
      return convert_as<std::int8_t>(bytes, as_is);
    case TensorType::u64:
      return convert_as<std::uint64_t>(bytes, as_is);
    case TensorType::u32:
      return convert_as<std::uint32_t>(bytes, as_is);
    case TensorType::u16:
      return convert_as<std::uint16_t>(bytes, as_is);
    case TensorType::u8:
      return convert_as<std::uint8_t>(bytes, as_is);
    case TensorType::boolean:
      return convert_as<std::uint8_t>(bytes, [](auto b) { return b != 0 ? 1.0 : 0.0; });
  }
  return {};
}

const Tensor* TensorFile::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(tensors, [&](const Tensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

}  // namespace nw::io
