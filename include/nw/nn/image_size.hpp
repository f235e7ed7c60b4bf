#pragma once

#include <cstdint>

namespace nw::nn {

/// An image that a row of data holds by rows, then columns, channels last.
struct ImageSize {
  std::int64_t height = 0, width = 0, channels = 0;
  [[nodiscard]] std::int64_t count() const noexcept { return height * width * channels; }
  friend bool operator==(const ImageSize&, const ImageSize&) = default;
};

}  // namespace nw::nn
