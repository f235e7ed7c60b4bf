// Histograms of oriented gradients (Dalal and Triggs 2005), with windows and directions that
// overlap smoothly, so that a stroke that moves by a pixel changes little: a gradient counts for a
// direction by the fourth power of the cosine between them and for a place by a Gaussian of half
// the distance of places. O(h w) for each image, direction and line of places.
#include "nw/cluster/oriented_edges.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "nw/base/error.hpp"
#include "nw/base/parallel.hpp"

#include "measure/dense.hpp"

namespace nw::cluster {
namespace {

using measure::RowMatrix;

constexpr std::size_t kPlaces = 7, kDirections = 8, kGrain = 64;

/// [places, pixels]: how much each pixel of a side counts for each place on it; rows sum to one.
RowMatrix windows(std::size_t pixels) {
  const auto places = static_cast<Eigen::Index>(kPlaces);
  const double apart = static_cast<double>(pixels) / static_cast<double>(kPlaces);
  RowMatrix weight(places, static_cast<Eigen::Index>(pixels));
  for (Eigen::Index p = 0; p < places; ++p) {
    const double centre = (static_cast<double>(p) + 0.5) * apart - 0.5;
    for (Eigen::Index i = 0; i < weight.cols(); ++i) {
      const double off = (static_cast<double>(i) - centre) / (0.5 * apart);
      weight(p, i) = std::exp(-0.5 * off * off);
    }
    weight.row(p) /= weight.row(p).sum();
  }
  return weight;
}

/// Adds the strength of the edges of one channel to that of each direction.
void add_edges(std::span<const double> image, const ImageGrid& grid, std::size_t channel,
               std::array<RowMatrix, kDirections>& strength) {
  const auto pixel = [&](std::size_t y, std::size_t x) {
    return image[(y * grid.width + x) * grid.channels + channel];
  };
  // The outermost pixels have a neighbour on one side only: they have no gradient.
  for (std::size_t y = 0; y < grid.height; ++y) {
    const bool inside = y > 0 && y + 1 < grid.height;
    for (std::size_t x = 0; x < grid.width; ++x) {
      const double up = inside ? pixel(y + 1, x) - pixel(y - 1, x) : 0.0;
      const double across = x > 0 && x + 1 < grid.width ? pixel(y, x + 1) - pixel(y, x - 1) : 0.0;
      const double length = std::hypot(up, across);
      if (length == 0.0) continue;
      for (std::size_t b = 0; b < kDirections; ++b) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(b) / kDirections;
        const double cosine = (across * std::cos(angle) + up * std::sin(angle)) / length;
        if (cosine <= 0.0) continue;
        strength[b](static_cast<Eigen::Index>(y), static_cast<Eigen::Index>(x)) +=
            length * std::pow(cosine * cosine, 2);
      }
    }
  }
}

}  // namespace

Matrix oriented_edges(MatrixView images, const ImageGrid& grid, int threads) {
  require(images.cols() == grid.values() && grid, "oriented_edges: rows of ", images.cols(),
          " values are no images of ", grid.height, " x ", grid.width, " x ", grid.channels);
  require(grid.height >= kSmallestWithEdges && grid.width >= kSmallestWithEdges,
          "oriented_edges: images of ", grid.height, " x ", grid.width, " pixels: at least ",
          kSmallestWithEdges, " x ", kSmallestWithEdges);
  const RowMatrix down = windows(grid.height), across = windows(grid.width);
  static_assert(kEdgeValues == kPlaces * kPlaces * kDirections);
  Matrix edges(images.rows(), kEdgeValues);
  parallel_for(resolve_threads(threads), images.rows(), kGrain,
               [&](std::size_t first, std::size_t last, int) {
                 std::array<RowMatrix, kDirections> strength;
                 for (std::size_t i = first; i < last; ++i) {
                   for (auto& one : strength) {
                     one.setZero(static_cast<Eigen::Index>(grid.height),
                                 static_cast<Eigen::Index>(grid.width));
                   }
                   for (std::size_t c = 0; c < grid.channels; ++c) {
                     add_edges(images.row(i), grid, c, strength);
                   }
                   const auto to = edges.row(i);
                   double square = 0.0;
                   for (std::size_t b = 0; b < kDirections; ++b) {
                     const RowMatrix pooled = down * strength[b] * across.transpose();
                     std::copy(pooled.data(), pooled.data() + pooled.size(),
                               to.begin() + static_cast<std::ptrdiff_t>(b * kPlaces * kPlaces));
                     square += pooled.squaredNorm();
                   }
                   if (square == 0.0) continue;
                   for (double& value : to) value /= std::sqrt(square);
                 }
               });
  return edges;
}

}  // namespace nw::cluster
