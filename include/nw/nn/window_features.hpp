// Features of a backbone that stays as it is, averaged over windows of every image.
#pragma once

#include "nw/nn/backbone.hpp"

namespace nw::nn {

/// The mean of frozen_features over four windows of every image: all of it, what is left without a
/// sixteenth at each border, and the mirror images of both. Steadier than those of one window.
/// `side` must be positive: windows are brought to one size.
[[nodiscard]] torch::Tensor mean_window_features(const Backbone& backbone,
                                                 const torch::Tensor& rows, const ImageSize& size,
                                                 std::int64_t side);

}  // namespace nw::nn
