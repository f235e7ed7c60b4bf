#include "experiments/learning/digit_points.hpp"

#include <algorithm>

#include "nw/base/error.hpp"

namespace nw::experiments {

io::PointSet digit_points(const data::ByteImages& images, std::span<const DigitCount> counts,
                          std::size_t divisor, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::size_t> places;
  for (const auto& [digit, count] : counts) {
    std::vector<std::size_t> of_digit;
    for (std::size_t i = 0; i < images.size(); ++i) {
      if (images.labels[i] == digit) of_digit.push_back(i);
    }
    rng.shuffle(std::span(of_digit));
    of_digit.resize(std::min(of_digit.size(), std::max<std::size_t>(count / divisor, 1)));
    places.insert(places.end(), of_digit.begin(), of_digit.end());
  }
  rng.shuffle(std::span(places));
  io::PointSet set;
  set.source = "MNIST";
  set.image = images.shape;
  set.values = Matrix(places.size(), images.image_bytes());
  set.labels.emplace();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto pixels = images.image(places[i]);
    std::ranges::transform(pixels, set.values.row(i).begin(),
                           [](std::uint8_t pixel) { return pixel / 255.0; });
    set.labels->values.push_back(images.labels[places[i]]);
  }
  return set;
}

}  // namespace nw::experiments
