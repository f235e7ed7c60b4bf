#include "io/npy_write.hpp"

#include <span>

namespace nw::io {
namespace {

struct Description {
  const char* descr;
  std::string shape;
};

Description describe(const MatrixView& m) {
  return {"<f8", concat("(", m.rows(), ", ", m.cols(), ")")};
}
template <typename T>
std::string shape_of(std::span<const T> values) {
  return concat("(", values.size(), ",)");
}
Description describe(std::span<const double> v) {
  return {"<f8", shape_of(v)};
}
Description describe(std::span<const std::int32_t> v) {
  return {"<i4", shape_of(v)};
}
Description describe(std::span<const std::int64_t> v) {
  return {"<i8", shape_of(v)};
}

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
std::string_view bytes_of(const MatrixView& m) {
  return bytes_of(m.values());
}

}  // namespace

std::string npy_header(const ArrayView& values) {
  const auto [descr, shape] = std::visit([](const auto& v) { return describe(v); }, values);
  std::string dictionary =
      concat("{'descr': '", descr, "', 'fortran_order': False, 'shape': ", shape, ", }");
  constexpr std::size_t kPrefix = 10, kAlignment = 64;
  const std::size_t used = kPrefix + dictionary.size() + 1;
  dictionary.append((kAlignment - used % kAlignment) % kAlignment, ' ').append("\n");
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(dictionary.size() & 255);
  header += static_cast<char>(dictionary.size() >> 8);
  return header + dictionary;
}

std::string_view raw_bytes(const ArrayView& values) {
  return std::visit([](const auto& v) { return bytes_of(v); }, values);
}

}  // namespace nw::io
