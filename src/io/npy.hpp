// Private: NPY headers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_stream.hpp"
#include "io/elements.hpp"

namespace nw::io {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// The dictionary at the start of an NPY file, as it stands there.
struct NpyHeader {
  std::string descr;  ///< such as <f8
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads up to the first byte of data. Throws IoError on anything that numpy.save does not write.
[[nodiscard]] NpyHeader read_npy_header(ByteStream& stream);

/// Throws IoError for types that are not numbers.
[[nodiscard]] ArrayLayout numeric_layout(const NpyHeader& header, const std::string& file);

}  // namespace nw::io
