// Private: files that are looked at twice, as what they are and as what they hold, but read once.
#pragma once

#include <filesystem>
#include <string>

#include "nw/data/byte_images.hpp"

namespace nw::data {

struct UnpackedFile {
  std::filesystem::path path;
  std::string content;  ///< as read_unpacked gives it
};

/// As read_idx_images, of files that were read already.
[[nodiscard]] ByteImages parse_idx_images(const UnpackedFile& images, const UnpackedFile& labels);

}  // namespace nw::data
