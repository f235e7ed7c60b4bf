// Private: the numbers of a page as doubles that mean what the schema says.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/parquet/metadata.hpp"

namespace nw::io::parquet {

/// Numbers, one after the other. Throws IoError where they end too early.
class NumberSource {
 public:
  virtual ~NumberSource() = default;
  NumberSource() = default;
  NumberSource(const NumberSource&) = delete;
  NumberSource& operator=(const NumberSource&) = delete;

  virtual void read(double* out, std::size_t count) = 0;
};

struct NumberPage {
  std::string_view bytes;
  Encoding encoding = Encoding::plain;
  std::size_t count = 0;
  std::uint64_t most_bytes = 0;
};

/// Numbers of every encoding but that of a dictionary. `leaf` and `file` must outlive the source.
[[nodiscard]] std::unique_ptr<NumberSource> open_numbers(const NumberPage& page, const Leaf& leaf,
                                                         const std::string& file);

/// `bytes` begin with the width of the indices; `dictionary` must outlive the source.
[[nodiscard]] std::unique_ptr<NumberSource> open_indexed_numbers(
    std::string_view bytes, const std::vector<double>& dictionary, const std::string& file);

/// Bytes of a value in the plain encoding; 0 where they differ.
[[nodiscard]] std::size_t plain_width(const Leaf& leaf);

}  // namespace nw::io::parquet
