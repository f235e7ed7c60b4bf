#include "io/elements.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "io/failure.hpp"
#include "io/half.hpp"

namespace nw::io {
namespace {

static_assert(std::endian::native == std::endian::little,
              "decoding assumes a little-endian machine");

constexpr std::size_t kBlockElements = 8192;

template <typename Stored, typename Convert>
void decode_as(const char* from, std::size_t count, bool swap, double* to, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, sizeof(Stored)> bytes;
    std::memcpy(bytes.data(), from + i * sizeof(Stored), sizeof(Stored));
    if (swap) std::ranges::reverse(bytes);
    to[i] = convert(std::bit_cast<Stored>(bytes));
  }
}

void decode(const ArrayLayout& layout, const char* from, std::size_t count, double* to) {
  const bool swap = layout.big_endian;
  const auto as_is = [](auto value) { return static_cast<double>(value); };
  switch (layout.type) {
    case ElementType::b1:
      return decode_as<std::uint8_t>(from, count, swap, to,
                                     [](auto b) { return b != 0 ? 1.0 : 0.0; });
    case ElementType::u1:
      return decode_as<std::uint8_t>(from, count, swap, to, as_is);
    case ElementType::i1:
      return decode_as<std::int8_t>(from, count, swap, to, as_is);
    case ElementType::u2:
      return decode_as<std::uint16_t>(from, count, swap, to, as_is);
    case ElementType::i2:
      return decode_as<std::int16_t>(from, count, swap, to, as_is);
    case ElementType::u4:
      return decode_as<std::uint32_t>(from, count, swap, to, as_is);
    case ElementType::i4:
      return decode_as<std::int32_t>(from, count, swap, to, as_is);
    case ElementType::u8:
      return decode_as<std::uint64_t>(from, count, swap, to, as_is);
    case ElementType::i8:
      return decode_as<std::int64_t>(from, count, swap, to, as_is);
    case ElementType::f2:
      return decode_as<std::uint16_t>(from, count, swap, to, half_to_double);
    case ElementType::f4:
      return decode_as<float>(from, count, swap, to, as_is);
    case ElementType::f8:
      return decode_as<double>(from, count, swap, to, as_is);
  }
}

/// Where the elements of a column-major array belong in the row-major matrix.
class ColumnMajorOrder {
 public:
  ColumnMajorOrder(const std::vector<std::uint64_t>& shape, TableShape table)
      : rows_(table.rows), inner_(shape.begin() + 1, shape.end()), index_(inner_.size(), 0) {}

  [[nodiscard]] std::size_t row() const noexcept { return row_; }
  [[nodiscard]] std::size_t column() const noexcept { return column_; }

  void advance() {
    if (++row_ < rows_) return;
    row_ = 0;
    for (std::size_t axis = 0; axis < inner_.size(); ++axis) {
      if (++index_[axis] < inner_[axis]) break;
      index_[axis] = 0;
    }
    column_ = 0;
    for (std::size_t axis = 0; axis < inner_.size(); ++axis) {
      column_ =
          column_ * static_cast<std::size_t>(inner_[axis]) + static_cast<std::size_t>(index_[axis]);
    }
  }

 private:
  std::size_t rows_;
  std::vector<std::uint64_t> inner_, index_;
  std::size_t row_ = 0, column_ = 0;
};

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string text;
  for (const std::uint64_t extent : shape)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

/// Calls store(values) for consecutive blocks of decoded elements, all finite.
template <typename Place, typename Store>
void for_each_block(ByteStream& stream, const ArrayLayout& layout, std::size_t count,
                    double divisor, Place place_of, Store store) {
  const std::size_t element_bytes = size_of(layout.type);
  std::vector<char> raw(std::min(count, kBlockElements) * element_bytes);
  std::vector<double> values(std::min(count, kBlockElements));
  for (std::size_t done = 0; done < count;) {
    const std::size_t now = std::min(kBlockElements, count - done);
    const std::uint64_t offset = stream.position();
    stream.read_exactly(raw.data(), now * element_bytes, "the data");
    decode(layout, raw.data(), now, values.data());
    for (std::size_t i = 0; i < now; ++i) {
      if (std::isfinite(values[i])) continue;
      const auto [row, column] = place_of(done + i);
      fail(stream.name(), "row ", row + 1, ", column ", column + 1, " (byte ",
           offset + i * element_bytes, "): the value is ", values[i],
           "; replace values that are not finite or leave their rows out");
    }
    if (divisor != 1.0) {
      for (std::size_t i = 0; i < now; ++i) values[i] /= divisor;
    }
    store(std::span<const double>(values.data(), now));
    done += now;
  }
}

}  // namespace

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::b1:
    case ElementType::u1:
    case ElementType::i1:
      return 1;
    case ElementType::u2:
    case ElementType::i2:
    case ElementType::f2:
      return 2;
    case ElementType::u4:
    case ElementType::i4:
    case ElementType::f4:
      return 4;
    case ElementType::u8:
    case ElementType::i8:
    case ElementType::f8:
      return 8;
  }
  return 0;
}

TableShape checked_shape(const ByteStream& stream, const ArrayLayout& layout) {
  std::uint64_t bytes = size_of(layout.type), cols = 1;
  bool overflow = false;
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    const std::uint64_t extent = layout.shape[axis];
    if (extent == 0) {
      fail(stream.name(), "holds no values: its shape is ", shape_text(layout.shape));
    }
    overflow = overflow || __builtin_mul_overflow(bytes, extent, &bytes);
    if (axis > 0) overflow = overflow || __builtin_mul_overflow(cols, extent, &cols);
  }
  const std::uint64_t left = stream.remaining_at_most();
  if (overflow || bytes > left) {
    fail(stream.name(), "the header at byte 0 claims ", shape_text(layout.shape), " values of ",
         size_of(layout.type), stream.packed() ? " bytes, and no more than " : " bytes, and only ",
         left, " bytes can follow; the file is truncated or its header is wrong");
  }
  const std::uint64_t rows = layout.shape.empty() ? 1 : layout.shape.front();
  return {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)};
}

Matrix read_elements(ByteStream& stream, const ArrayLayout& layout, double divisor) {
  const TableShape shape = checked_shape(stream, layout);
  const std::size_t count = shape.rows * shape.cols;
  if (!layout.column_major || shape.cols == 1) {
    std::vector<double> values;
    values.reserve(count);  // filled as the data arrives: a false claim touches no memory
    const auto place_of = [&](std::size_t i) { return std::pair(i / shape.cols, i % shape.cols); };
    for_each_block(stream, layout, count, divisor, place_of, [&](std::span<const double> block) {
      values.insert(values.end(), block.begin(), block.end());
    });
    return Matrix(std::move(values), shape.rows, shape.cols);
  }
  Matrix result(shape.rows, shape.cols);
  ColumnMajorOrder order(layout.shape, shape);
  const auto place_of = [&](std::size_t i) {
    ColumnMajorOrder at(layout.shape, shape);
    for (std::size_t step = 0; step < i; ++step) at.advance();
    return std::pair(at.row(), at.column());
  };
  for_each_block(stream, layout, count, divisor, place_of, [&](std::span<const double> block) {
    for (const double value : block) {
      result(order.row(), order.column()) = value;
      order.advance();
    }
  });
  return result;
}

}  // namespace nw::io
