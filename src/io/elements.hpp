// Private: numbers in binary files, whatever their type and byte order, to doubles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "nw/base/matrix_view.hpp"

#include "io/byte_stream.hpp"

namespace nw::io {

enum class ElementType { b1, u1, i1, u2, i2, u4, i4, u8, i8, f2, f4, f8 };

[[nodiscard]] std::size_t size_of(ElementType type);

/// How the elements of an array lie in a file.
struct ArrayLayout {
  ElementType type = ElementType::f8;
  bool big_endian = false;
  bool column_major = false;
  std::vector<std::uint64_t> shape;
};

/// First dimension, and the product of the others.
struct TableShape {
  std::size_t rows = 0, cols = 0;
};

/// Throws IoError, before anything is allocated, when the array is empty, too large to address, or
/// larger than what can still come out of `stream`.
[[nodiscard]] TableShape checked_shape(const ByteStream& stream, const ArrayLayout& layout);

/// Reads the array as one row per first index, the other indices in row-major order, divided by
/// `divisor`. 64-bit integers beyond 2^53 go to the nearest double. Throws IoError on truncated
/// input and on NaN or infinity, with row, column and byte offset.
[[nodiscard]] Matrix read_elements(ByteStream& stream, const ArrayLayout& layout,
                                   double divisor = 1.0);

}  // namespace nw::io
