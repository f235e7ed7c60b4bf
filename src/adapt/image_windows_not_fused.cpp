// In place of image_windows_fused.cpp where there is no CUDA compiler.
#include "adapt/image_windows.hpp"

namespace nw::adapt {

std::optional<torch::Tensor> image_windows_fused(const torch::Tensor&, const torch::Tensor&,
                                                 const WindowOptions&, const WindowDraws&) {
  return std::nullopt;
}

}  // namespace nw::adapt
