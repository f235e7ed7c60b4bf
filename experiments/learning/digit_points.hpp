// Digits of MNIST in chosen numbers, as labelled points.
#pragma once

#include <span>

#include "nw/data/byte_images.hpp"

#include "experiments/experiment.hpp"

namespace nw::experiments {

/// So many of a digit, or all there are when they are fewer.
struct DigitCount {
  int digit = 0;
  std::size_t count = 0;
};

/// count / divisor images of every digit, chosen by the seed, in random order, pixels in [0, 1].
[[nodiscard]] io::PointSet digit_points(const data::ByteImages& images,
                                        std::span<const DigitCount> counts, std::size_t divisor,
                                        std::uint64_t seed);

}  // namespace nw::experiments
