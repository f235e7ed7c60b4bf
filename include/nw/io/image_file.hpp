// A single image, whatever its size.
#pragma once

#include <filesystem>

#include "nw/io/points.hpp"

namespace nw::io {

/// One PNG or JPEG file as one point with values in [0, 1]: for collections whose images differ in
/// size. `channels` as in LoadOptions. Throws IoError.
[[nodiscard]] PointSet load_image(const std::filesystem::path& path, std::size_t channels = 0);

}  // namespace nw::io
