// The JSON value of the whole project: an object keeps the order in which its fields were written.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace nw {

using Json = nlohmann::ordered_json;

}  // namespace nw
