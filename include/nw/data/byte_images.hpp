// Labelled images as the bytes they came in: what the public image sets are made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/io/points.hpp"

namespace nw::data {

struct ByteImages {
  io::ImageShape shape;
  std::vector<std::uint8_t> pixels;  ///< [n, height, width, channels]
  std::vector<std::uint8_t> labels;  ///< [n]

  [[nodiscard]] std::size_t size() const noexcept { return labels.size(); }
  [[nodiscard]] std::size_t image_bytes() const noexcept {
    return shape.height * shape.width * shape.channels;
  }
  [[nodiscard]] std::span<const std::uint8_t> image(std::size_t i) const {
    return std::span(pixels).subspan(i * image_bytes(), image_bytes());
  }
};

/// Images and labels from idx files, each plain or gzipped. Throws IoError unless both hold bytes
/// and as many labels as images.
[[nodiscard]] ByteImages read_idx_images(const std::filesystem::path& images,
                                         const std::filesystem::path& labels);

/// Grey images get three idx dimensions, colour images four, channels last.
void write_idx_images(const std::filesystem::path& images, const std::filesystem::path& labels,
                      const ByteImages& set);

/// The images of the given places, in that order.
[[nodiscard]] ByteImages take(const ByteImages& set, std::span<const std::size_t> places);

/// As many places as possible such that class classes[c] makes up the share proportions[c], drawn
/// at random and listed in increasing order. Shares are normalised. Throws InvalidArgument for a
/// class without images or lists that do not fit.
[[nodiscard]] std::vector<std::size_t> choose_by_proportions(std::span<const std::uint8_t> labels,
                                                             std::span<const int> classes,
                                                             std::span<const double> proportions,
                                                             Rng& rng);

/// The content of a file; of a gzipped one, what it unpacks to (at most 4 GiB). Throws IoError.
[[nodiscard]] std::string read_unpacked(const std::filesystem::path& path);

}  // namespace nw::data
