// What every command that learns decides before it starts.
#pragma once

#include <string>

#include <torch/types.h>

#include "nw/app/learning/start_learning.hpp"

namespace nw::app {

/// Lets GPUs multiply with 10 bits of mantissa and try out which convolution is the fastest: right
/// for networks of images, too coarse where errors of 1e-4 count.
void prefer_speed_on_gpus();

/// "auto" takes CUDA where there is some. Throws InvalidArgument for a device that is not there.
[[nodiscard]] torch::Device choose_device(const std::string& name);

}  // namespace nw::app
