// Takes noise off points of a line, learnt from clean points that belong to none of them.
#include "nw/app/denoising/denoising.hpp"

#include <iostream>

#include "nw/base/rng.hpp"

/// Points of the line (t, 2t, -t), `noise` off it.
nw::io::PointSet line(double noise, nw::Rng rng) {
  nw::io::PointSet points;
  points.values = nw::Matrix(200, 3);
  for (std::size_t i = 0; i < 200; ++i) {
    const double t = rng.normal(), slope[] = {1.0, 2.0, -1.0};
    for (std::size_t c = 0; c < 3; ++c) points.values(i, c) = t * slope[c] + noise * rng.normal();
  }
  return points;
}

int main() {
  const nw::app::DenoisingData data{.source = line(0.0, nw::Rng(1)),
                                    .target = line(0.5, nw::Rng(2))};
  const auto result = nw::app::train_denoiser(data, {.steps = 100, .embedding = 1});
  std::cout << result.record.sentence << '\n';
  const nw::Matrix point = result.model.denoise(nw::Matrix({1.3, 1.8, -0.8}, 1, 3));
  std::cout << point(0, 0) << ' ' << point(0, 1) << ' ' << point(0, 2) << '\n';
  return result.finished ? 0 : 1;
}
