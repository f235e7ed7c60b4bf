#pragma once

namespace nw {

/// The version of the library, such as "0.1.0".
[[nodiscard]] const char* version();

}  // namespace nw
