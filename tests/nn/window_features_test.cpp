#include "nw/nn/window_features.hpp"

#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/nn/random_tensor.hpp"

namespace nw::nn {
namespace {

constexpr std::int64_t kSide = 32;

std::unique_ptr<Backbone> small_backbone() {
  return make_backbone({.kind = BackboneKind::mobilenet, .classes = 4, .width = 0.125}, Rng(1));
}

TEST(WindowFeatures, AreTheMeanOverImageMiddleAndTheirMirrorImages) {
  const auto backbone = small_backbone();
  const ImageSize size{32, 48, 3};
  const auto rows = uniform_tensor(Rng(5), {20, size.count()});
  const auto found = mean_window_features(*backbone, rows, size, kSide);
  const auto images = rows.view({20, 32, 48, 3}).permute({0, 3, 1, 2});
  const auto middle = images.narrow(2, 2, 28).narrow(3, 3, 42);
  auto sum = torch::zeros_like(found);
  for (const auto& window : {images, images.flip({3}), middle, middle.flip({3})}) {
    sum += backbone->features(backbone_images(window, kSide)).detach();
  }
  EXPECT_EQ(found.size(0), 20);
  EXPECT_FALSE(found.requires_grad());
  const double error = (found - sum / 4.0).abs().max().item<double>();
  const auto whole = backbone->features(backbone_images(images, kSide)).detach();
  EXPECT_LT(error, 1e-3 * (found - whole).abs().max().item<double>());
}

TEST(WindowFeatures, OfAnImageAndItsMirrorImageAreTheSame) {
  const auto backbone = small_backbone();
  const ImageSize size{32, 32, 1};
  const auto image = uniform_tensor(Rng(6), {1, 32, 32, 1});
  const auto both = torch::cat({image, image.flip({2})}).view({2, size.count()});
  const auto features = mean_window_features(*backbone, both, size, kSide);
  EXPECT_TRUE(torch::allclose(features[0], features[1], 1e-4, 1e-6));
}

TEST(WindowFeatures, NeedASizeAndRowsThatAreImages) {
  const auto backbone = small_backbone();
  const auto rows = torch::zeros({2, 48});
  EXPECT_THROW((void)mean_window_features(*backbone, rows, {4, 4, 3}, 0), InvalidArgument);
  EXPECT_THROW((void)mean_window_features(*backbone, rows, {8, 8, 3}, kSide), InvalidArgument);
}

}  // namespace
}  // namespace nw::nn
