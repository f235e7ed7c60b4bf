// Classes of a labelled reference, as a comparison takes them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nw/io/labels.hpp"

namespace nw::app {

struct KnownClasses {
  std::vector<std::uint32_t> class_of;  ///< of every row: 0, 1, ... in the order of `names`
  std::vector<std::string> names;
};

[[nodiscard]] KnownClasses known_classes(const io::Labels& labels);

}  // namespace nw::app
