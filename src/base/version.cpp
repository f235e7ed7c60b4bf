#include "nw/base/version.hpp"

namespace nw {

const char* version() {
  return NW_VERSION_STRING;
}

}  // namespace nw
