// What every command that learns decides before it starts.
#pragma once

#include <string>

#include <torch/types.h>

namespace nw::cli {

/// Threads of LibTorch (0: all cores) and an allocator that keeps the memory of one step for the
/// next.
void start_learning(int threads);

/// "auto" takes CUDA where there is some. Throws InvalidArgument for a device that is not there.
[[nodiscard]] torch::Device choose_device(const std::string& name);

}  // namespace nw::cli
