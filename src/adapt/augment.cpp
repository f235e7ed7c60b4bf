#include "adapt/augment.hpp"

#include <algorithm>

namespace nw::adapt {
namespace {

using torch::Tensor;

constexpr Motion kSlight{.turn = 0.05, .scale = 0.05, .shift = 0.06};
constexpr Motion kStrong{.turn = 0.3, .scale = 0.25, .shift = 0.15};
constexpr double kMostNoise = 0.3;
// Of rows of tables, in deviations of a column, and the share of columns that may be lost.
constexpr double kSlightRowNoise = 0.1, kMostRowNoise = 0.5, kMostMasked = 0.5;

/// One number for each image, in [low, high).
Tensor each(const Tensor& images, double low, double high, train::Draws& draws) {
  return draws.uniform({images.size(0), 1, 1, 1}) * (high - low) + low;
}

/// One number for each channel of each image.
Tensor each_channel(const Tensor& images, double low, double high, train::Draws& draws) {
  return draws.uniform({images.size(0), images.size(1), 1, 1}) * (high - low) + low;
}

Tensor sign_of(const Tensor& uniform) {
  return uniform.ge(0.5).to(torch::kFloat32) * 2.0 - 1.0;
}

}  // namespace

Tensor moved(const Tensor& images, const Motion& motion, train::Draws& draws) {
  const auto drawn = draws.uniform({images.size(0), 4}) * 2.0 - 1.0;
  const auto turn = drawn.select(1, 0) * motion.turn,
             size = drawn.select(1, 1) * motion.scale + 1.0;
  const auto right = drawn.select(1, 2) * motion.shift, down = drawn.select(1, 3) * motion.shift;
  const auto along = size * turn.cos(), across = size * turn.sin();
  const auto map = torch::stack(
      {torch::stack({along, -across, right}, 1), torch::stack({across, along, down}, 1)}, 1);
  constexpr std::int64_t kBilinear = 0, kBorder = 1;
  return at::grid_sampler(images, at::affine_grid_generator(map, images.sizes(), false), kBilinear,
                          kBorder, /*align_corners=*/false);
}

Tensor clouds(const Tensor& like, train::Draws& draws) {
  const std::int64_t n = like.size(0), channels = like.size(1);
  Tensor sum = torch::zeros_like(like, like.options(), at::MemoryFormat::Contiguous);
  for (const std::int64_t points : {2, 4, 8, 16}) {
    // Colours of a cloud are partly alike, as those of pictures are.
    const auto grid = draws.normal({n, 1, points, points}) * 0.75 +
                      draws.normal({n, channels, points, points}) * 0.65;
    sum = sum + at::upsample_bilinear2d(grid, {like.size(2), like.size(3)}, false, c10::nullopt,
                                        c10::nullopt) *
                    each(like, 0.0, 1.2, draws);
  }
  return sum;
}

Tensor recoloured(const Tensor& images, train::Draws& draws) {
  const auto half = [&] { return each(images, 0.0, 1.0, draws).lt(0.5).to(torch::kFloat32); };
  const auto alike = half(), cloudy = half();
  const auto sign = alike * sign_of(each(images, 0.0, 1.0, draws)) +
                    (1.0 - alike) * sign_of(each_channel(images, 0.0, 1.0, draws));
  const auto contrast = 0.4 + each_channel(images, 0.0, 1.0, draws) * alike +
                        each(images, 0.0, 1.0, draws) * (1.0 - alike);
  const auto factor =
      contrast * sign + cloudy * clouds(images, draws) * each(images, 0.0, 0.6, draws);
  const auto ground = each_channel(images, -1.0, 1.0, draws) +
                      cloudy * clouds(images, draws) * each(images, 0.0, 0.7, draws);
  return (images - images.mean({2, 3}, /*keepdim=*/true)) * factor + ground;
}

Tensor noisy(const Tensor& images, double most, train::Draws& draws) {
  return images + draws.normal(images.sizes()) * each(images, 0.0, most, draws);
}

Tensor with_gaps(const Tensor& images, train::Draws& draws) {
  const std::int64_t n = images.size(0), height = images.size(2), width = images.size(3);
  const std::int64_t side = std::max<std::int64_t>(1, std::min(height, width) / 4);
  const auto drawn = draws.uniform({n, 3});
  const auto covered = [&](std::int64_t which, std::int64_t pixels) {
    const auto first =
        (drawn.select(1, which) * static_cast<double>(pixels - side + 1)).floor().unsqueeze(1);
    const auto place = torch::arange(pixels, drawn.options()).unsqueeze(0);
    return place.ge(first).logical_and(place.lt(first + static_cast<double>(side)));
  };
  const auto gap = covered(0, height)
                       .view({n, 1, height, 1})
                       .logical_and(covered(1, width).view({n, 1, 1, width}))
                       .logical_and(drawn.select(1, 2).lt(0.5).view({n, 1, 1, 1}));
  return torch::where(gap, each(images, -1.0, 1.0, draws), images);
}

Tensor weak_view(const Tensor& images, train::Draws& draws) {
  return moved(images, kSlight, draws);
}

Tensor strong_view(const Tensor& images, train::Draws& draws) {
  return with_gaps(noisy(recoloured(moved(images, kStrong, draws), draws), kMostNoise, draws),
                   draws);
}

Tensor column_moments(const Tensor& rows) {
  return torch::stack({rows.mean(0), rows.std(0, /*unbiased=*/false)});
}

Tensor weak_rows(const Tensor& rows, const Tensor& columns, train::Draws& draws) {
  return rows + draws.normal(rows.sizes()) * columns[1] * kSlightRowNoise;
}

Tensor strong_rows(const Tensor& rows, const Tensor& columns, train::Draws& draws) {
  const std::int64_t n = rows.size(0);
  const auto noise = draws.normal(rows.sizes()) * draws.uniform({n, 1}) * columns[1];
  const auto kept = draws.uniform(rows.sizes()).ge(draws.uniform({n, 1}) * kMostMasked);
  return torch::where(kept, rows + noise * kMostRowNoise, columns[0]);
}

Tensor mixed_rows(const Tensor& rows, double most, train::Draws& draws) {
  const auto other = draws.indices(rows.size(0), rows.size(0));
  return rows.lerp(rows.index_select(0, other), draws.uniform({rows.size(0), 1}) * most);
}

}  // namespace nw::adapt
