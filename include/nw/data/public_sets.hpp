// The public data sets of the paper's experiments: found in folders, checked, built.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "nw/base/rng.hpp"
#include "nw/data/byte_images.hpp"

namespace nw::data {

enum class Split { train, test };

[[nodiscard]] const char* to_string(Split split);

/// MNIST from the folder of its idx files, plain or gzipped, under their public names. Throws
/// IoError when a file is missing or its content is not that of MNIST (by SHA-256).
[[nodiscard]] ByteImages load_mnist(const std::filesystem::path& folder, Split split);

/// CIFAR-10 in the canonical order, from the folder of either public form: the binary batches
/// (data_batch_1.bin ... test_batch.bin) or pictures with one image a row (data_batch_1.png ...
/// test_batch.png, train_lables.json, test_lables.json). Throws IoError.
[[nodiscard]] ByteImages load_cifar10(const std::filesystem::path& folder, Split split);

/// Where the background of one MNIST-M image was cut: picture, top row, left column.
struct Patch {
  std::uint8_t picture = 0;
  std::uint16_t top = 0, left = 0;
  bool operator==(const Patch&) const = default;
};

/// Background pictures, in colour, by the ASCII order of their names.
struct Backgrounds {
  std::vector<io::ImageShape> shapes;
  std::vector<std::vector<std::uint8_t>> pixels;
};

inline constexpr std::size_t kMnistMSide = 32;

/// The JPEGs of a folder (the 200 train pictures of BSDS500). Throws IoError when there are none,
/// when one is smaller than a patch, or when there are more than 256.
[[nodiscard]] Backgrounds load_backgrounds(const std::filesystem::path& folder);

/// A table of 5-byte records: picture, top and left as little-endian u8, u16, u16.
[[nodiscard]] std::vector<Patch> read_patches(const std::filesystem::path& path);

/// Uniformly drawn pictures and places, as the set was made (Ganin and Lempitsky 2015).
[[nodiscard]] std::vector<Patch> draw_patches(const Backgrounds& backgrounds, std::size_t count,
                                              Rng& rng);

/// MNIST-M: image i is patch i, inverted where digit i, padded by two, is not zero. There are as
/// many images as patches. Throws InvalidArgument when a patch leaves its picture.
[[nodiscard]] ByteImages build_mnist_m(const ByteImages& digits, const Backgrounds& backgrounds,
                                       const std::vector<Patch>& patches);

/// Whether these are the published images, bit for bit.
[[nodiscard]] bool is_published_mnist_m(const ByteImages& images, Split split);

/// The paper's settings of MNIST -> MNIST-M (its table "MNIST -> MNIST-M settings").
struct ImbalancedSetting {
  std::vector<int> classes;
  std::vector<double> source, target;
};

/// `modes` is 3, 5 or 10; throws InvalidArgument otherwise.
[[nodiscard]] ImbalancedSetting imbalanced_setting(int modes);

}  // namespace nw::data
