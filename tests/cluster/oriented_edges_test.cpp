#include "nw/cluster/oriented_edges.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nw/base/error.hpp"
#include "nw/base/rng.hpp"

namespace nw::cluster {
namespace {

constexpr ImageGrid kGrid{.height = 20, .width = 20, .channels = 1};
constexpr std::size_t kPlaces = 49;

/// A soft stroke of one image: along the rows (angle 0) or at an angle, through a place.
void draw_stroke(std::span<double> image, double angle, double x, double y) {
  for (std::size_t r = 0; r < 20; ++r) {
    for (std::size_t c = 0; c < 20; ++c) {
      const double off = (static_cast<double>(c) - x) * std::sin(angle) -
                         (static_cast<double>(r) - y) * std::cos(angle);
      image[r * 20 + c] += std::exp(-0.5 * off * off);
    }
  }
}

double squared(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

TEST(OrientedEdges, OfAnImageWithoutEdgesAreZero) {
  Matrix image(1, 400);
  for (double& value : image.values()) value = 0.3;
  const Matrix edges = oriented_edges(image, kGrid);
  ASSERT_EQ(edges.cols(), kEdgeValues);
  for (const double value : edges.values()) EXPECT_EQ(value, 0.0);
}

TEST(OrientedEdges, HaveLengthOneAndDoNotDependOnBrightnessOrContrast) {
  Matrix images(2, 400);
  Rng rng(1);
  for (double& value : images.row(0)) value = rng.uniform();
  for (std::size_t i = 0; i < 400; ++i) images(1, i) = 5.0 + 100.0 * images(0, i);
  const Matrix edges = oriented_edges(images, kGrid);
  EXPECT_LT(squared(edges.row(0), edges.row(1)), 1e-20);
  const Matrix none(1, kEdgeValues);
  EXPECT_NEAR(squared(edges.row(0), none.row(0)), 1.0, 1e-12);
}

TEST(OrientedEdges, OfAStepFromDarkToBrightPointAcrossItAlone) {
  Matrix image(1, 400);
  for (std::size_t r = 0; r < 20; ++r) {
    for (std::size_t c = 10; c < 20; ++c) image(0, r * 20 + c) = 1.0;
  }
  const Matrix edges = oriented_edges(image, kGrid);
  const auto strength = [&](std::size_t direction) {
    double sum = 0.0;
    for (std::size_t p = 0; p < kPlaces; ++p) sum += edges(0, direction * kPlaces + p);
    return sum;
  };
  // Directions are an eighth of a turn apart, the first from left to right: cos^4 of an eighth is
  // a quarter.
  EXPECT_NEAR(strength(1), 0.25 * strength(0), 1e-12);
  EXPECT_NEAR(strength(7), 0.25 * strength(0), 1e-12);
  for (const std::size_t b : {2, 3, 4, 5, 6}) EXPECT_NEAR(strength(b), 0.0, 1e-12) << b;
}

TEST(OrientedEdges, OfAStrokeThatMovedAreNearerThanThoseOfAnotherStroke) {
  Matrix images(3, 400);
  draw_stroke(images.row(0), 0.4, 9.0, 9.0);
  draw_stroke(images.row(1), 0.4, 9.0, 11.5);
  draw_stroke(images.row(2), 1.2, 9.0, 9.0);
  // Pixels tell the stroke that moved from the first as much as the one that turned.
  const double by_pixels =
      squared(images.row(0), images.row(1)) / squared(images.row(0), images.row(2));
  const Matrix edges = oriented_edges(images, kGrid);
  const double by_edges = squared(edges.row(0), edges.row(1)) / squared(edges.row(0), edges.row(2));
  EXPECT_GT(by_pixels, 0.9);
  EXPECT_LT(by_edges, 0.6 * by_pixels);
}

TEST(OrientedEdges, OfGreyInThreeChannelsAreThoseOfOne) {
  Matrix grey(2, 400), colour(2, 1200);
  Rng rng(2);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t p = 0; p < 400; ++p) {
      grey(i, p) = rng.uniform();
      for (std::size_t c = 0; c < 3; ++c) colour(i, 3 * p + c) = grey(i, p);
    }
  }
  const Matrix one = oriented_edges(grey, kGrid);
  const Matrix three = oriented_edges(colour, {.height = 20, .width = 20, .channels = 3});
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LT(squared(one.row(i), three.row(i)), 1e-20);
}

TEST(OrientedEdges, AreTheSameNumbersForEveryNumberOfThreads) {
  Matrix images(300, 400);
  Rng rng(3);
  for (double& value : images.values()) value = rng.uniform();
  EXPECT_TRUE(std::ranges::equal(oriented_edges(images, kGrid, 1).values(),
                                 oriented_edges(images, kGrid, 3).values()));
}

TEST(OrientedEdges, RefuseRowsOfAnotherLengthAndTinyImages) {
  const auto message = [](std::size_t values, const ImageGrid& grid) {
    try {
      static_cast<void>(oriented_edges(Matrix(2, values), grid));
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message(399, kGrid), testing::HasSubstr("rows of 399 values"));
  EXPECT_THAT(message(35, {.height = 7, .width = 5, .channels = 1}),
              testing::HasSubstr("7 x 5 pixels: at least 8 x 8"));
}

}  // namespace
}  // namespace nw::cluster
