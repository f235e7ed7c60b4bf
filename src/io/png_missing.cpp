// In place of png.cpp where libpng was not found.
#include "nw/base/error.hpp"

#include "io/image.hpp"

namespace nw::io {

Pixels decode_png(std::string_view, const std::string& file) {
  throw IoError(concat(file, ": nw was built without libpng and cannot read this image"));
}

}  // namespace nw::io
