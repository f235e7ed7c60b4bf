// Where an application keeps its run, and how it starts there.
#pragma once

#include <cstdint>
#include <filesystem>

#include "nw/run/run_directory.hpp"

namespace nw::app {

using run::StartMode;

struct RunFolder {
  std::filesystem::path path = {};  ///< empty: nothing is kept
  StartMode mode = StartMode::create;
  std::int64_t checkpoint_every = 0;  ///< steps; 0: twenty times in a run. Not negative.
};

}  // namespace nw::app
