// In place of jpeg.cpp where libjpeg was not found.
#include "nw/base/error.hpp"

#include "io/image.hpp"

namespace nw::io {

Pixels decode_jpeg(std::string_view, const std::string& file) {
  throw IoError(concat(file, ": nw was built without libjpeg and cannot read this image"));
}

}  // namespace nw::io
