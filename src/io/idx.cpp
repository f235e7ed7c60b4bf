// idx files, the format of MNIST: two zero bytes, type, number of dimensions, the dimensions as
// 32-bit integers, the data; everything big-endian.
#include "io/idx.hpp"

#include <array>
#include <optional>

#include "io/elements.hpp"
#include "io/failure.hpp"
#include "io/readers.hpp"
#include "io/table_columns.hpp"

namespace nw::io {

std::optional<ElementType> idx_element_type(unsigned char code) {
  switch (code) {
    case 0x08:
      return ElementType::u1;
    case 0x09:
      return ElementType::i1;
    case 0x0b:
      return ElementType::i2;
    case 0x0c:
      return ElementType::i4;
    case 0x0d:
      return ElementType::f4;
    case 0x0e:
      return ElementType::f8;
    default:
      return {};
  }
}

ArrayLayout read_idx_header(ByteStream& stream) {
  const std::string& file = stream.name();
  std::array<unsigned char, 4> start{};
  stream.read_exactly(reinterpret_cast<char*>(start.data()), start.size(), "the idx signature");
  const auto type = idx_element_type(start[2]);
  if (start[0] != 0 || start[1] != 0 || !type) {
    fail(file, "is not an idx file: byte ",
         start[0] != 0   ? 0
         : start[1] != 0 ? 1
                         : 2,
         " is ",
         hex_byte(start[0] != 0   ? start[0]
                  : start[1] != 0 ? start[1]
                                  : start[2]));
  }
  if (start[3] == 0) fail(file, "the idx header claims 0 dimensions at byte 3");
  ArrayLayout layout{.type = *type, .big_endian = true, .column_major = false, .shape = {}};
  for (int axis = 0; axis < start[3]; ++axis) {
    std::array<unsigned char, 4> bytes{};
    stream.read_exactly(reinterpret_cast<char*>(bytes.data()), bytes.size(), "a dimension");
    std::uint64_t extent = 0;
    for (const unsigned char byte : bytes) extent = extent << 8 | byte;
    layout.shape.push_back(extent);
  }
  return layout;
}

PointSet read_idx(ByteStream& stream, const LoadOptions& options) {
  const ArrayLayout layout = read_idx_header(stream);
  const bool pixels = layout.type == ElementType::u1 && layout.shape.size() >= 3;
  const bool to_unit = pixels && options.pixel_scale == PixelScale::unit;
  PointSet result;
  result.values = read_elements(stream, layout, to_unit ? 255.0 : 1.0);
  stream.expect_end();
  if (pixels) result.image = image_shape_of(layout.shape);
  result.source = concat(stream.name(), " (idx)");
  take_columns(result, options, stream.name());
  return result;
}

}  // namespace nw::io
