// Private: what the header of a safetensors file calls each type.
#pragma once

#include <array>
#include <cstddef>

#include "nw/io/safetensors.hpp"

namespace nw::io {

struct TensorTypeEntry {
  TensorType type;
  const char* name;
  std::size_t bytes;
};

inline constexpr std::array<TensorTypeEntry, 13> kTensorTypes = {
    {{TensorType::f64, "F64", 8},
     {TensorType::f32, "F32", 4},
     {TensorType::f16, "F16", 2},
     {TensorType::bf16, "BF16", 2},
     {TensorType::i64, "I64", 8},
     {TensorType::i32, "I32", 4},
     {TensorType::i16, "I16", 2},
     {TensorType::i8, "I8", 1},
     {TensorType::u64, "U64", 8},
     {TensorType::u32, "U32", 4},
     {TensorType::u16, "U16", 2},
     {TensorType::u8, "U8", 1},
     {TensorType::boolean, "BOOL", 1}}};

/// The key of a header under which the metadata stand.
inline constexpr const char* kMetadataKey = "__metadata__";

}  // namespace nw::io
