// Named tensors with text metadata in one file: the safetensors format, which runs no code when it
// is read. Checkpoints and exchanged weights use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "nw/base/error.hpp"

namespace nw::io {

enum class TensorType { f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, boolean };

/// The name in a file's header, such as "F32".
[[nodiscard]] const char* to_string(TensorType type);
[[nodiscard]] std::size_t bytes_per_element(TensorType type);

/// The type under which values of T are stored. Half precisions have no C++ type: they travel as
/// bytes.
template <typename T>
[[nodiscard]] constexpr TensorType tensor_type_of() {
  if constexpr (std::is_same_v<T, double>) return TensorType::f64;
  if constexpr (std::is_same_v<T, float>) return TensorType::f32;
  if constexpr (std::is_same_v<T, bool>) return TensorType::boolean;
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
    return sizeof(T) == 8   ? TensorType::i64
           : sizeof(T) == 4 ? TensorType::i32
           : sizeof(T) == 2 ? TensorType::i16
                            : TensorType::i8;
  }
  if constexpr (std::is_integral_v<T>) {
    return sizeof(T) == 8   ? TensorType::u64
           : sizeof(T) == 4 ? TensorType::u32
           : sizeof(T) == 2 ? TensorType::u16
                            : TensorType::u8;
  }
}

/// A tensor to be written; someone else owns its values, which lie row-major and little-endian.
struct TensorView {
  std::string name;
  TensorType type = TensorType::f64;
  std::vector<std::uint64_t> shape;  ///< empty for a single value
  std::span<const std::byte> bytes;
};

/// `values` as a tensor; an empty shape stands for one dimension.
template <typename T>
[[nodiscard]] TensorView view_tensor(std::string name, std::span<const T> values,
                                     std::vector<std::uint64_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  return {std::move(name), tensor_type_of<T>(), std::move(shape), std::as_bytes(values)};
}

/// A tensor that was read.
struct Tensor {
  std::string name;
  TensorType type = TensorType::f64;
  std::vector<std::uint64_t> shape;
  std::vector<std::byte> bytes;  ///< as many as type and shape say

  [[nodiscard]] std::size_t size() const { return bytes.size() / bytes_per_element(type); }
  [[nodiscard]] TensorView view() const { return {name, type, shape, bytes}; }

  /// The values, bit for bit. Throws InvalidArgument when T is not the stored type.
  template <typename T>
  [[nodiscard]] std::vector<T> values() const {
    require(type == tensor_type_of<T>(), "tensor ", name, " holds ", to_string(type), ", not ",
            to_string(tensor_type_of<T>()));
    std::vector<T> result(size());
    if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }
  /// The values as doubles, whatever their type; 64-bit integers beyond 2^53 are rounded.
  [[nodiscard]] std::vector<double> to_doubles() const;
};

using TensorMetadata = std::map<std::string, std::string>;

struct TensorFile {
  std::vector<Tensor> tensors;  ///< in the order of their data
  TensorMetadata metadata;

  /// Null when there is none of that name.
  [[nodiscard]] const Tensor* find(std::string_view name) const;
};

struct SafetensorsOptions {
  /// Longest header accepted. Reading one takes up to some twenty times its size in memory; the
  /// tensors themselves take what the file really holds.
  std::uint64_t max_header_bytes = std::uint64_t{16} << 20;

  void validate() const;
};

/// Reads a file. Throws IoError with file, place and value for a header that is too long or no
/// JSON, names that occur twice, unknown types, shapes that disagree with the number of bytes,
/// tensors that overlap, leave holes or reach beyond the file, and for files that are truncated.
[[nodiscard]] TensorFile read_safetensors(const std::filesystem::path& path,
                                          const SafetensorsOptions& options = {});

/// As read_safetensors, from bytes in memory. `name` stands for the file in messages.
[[nodiscard]] TensorFile parse_safetensors(std::span<const std::byte> bytes, std::string_view name,
                                           const SafetensorsOptions& options = {});

/// Writes a file atomically. The same arguments give the same bytes: tensors are ordered by the
/// size of their elements, which aligns them, then as given. Throws InvalidArgument for a name that
/// occurs twice or is "__metadata__", text that is not UTF-8, or a shape that disagrees with the
/// bytes; IoError when the disk refuses.
void write_safetensors(const std::filesystem::path& path, std::span<const TensorView> tensors,
                       const TensorMetadata& metadata = {});

/// What comes before the data of `tensors` in a file: length and header.
[[nodiscard]] std::string safetensors_header(std::span<const TensorView> tensors,
                                             const TensorMetadata& metadata = {});
/// The tensors in the order in which their data follow the header.
[[nodiscard]] std::vector<TensorView> safetensors_order(std::span<const TensorView> tensors);

}  // namespace nw::io
