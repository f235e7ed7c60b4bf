#include "nw/data/byte_images.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "nw/base/error.hpp"
#include "nw/io/atomic_file.hpp"

#include "data/unpacked_file.hpp"
#include "io/byte_source.hpp"
#include "io/byte_stream.hpp"
#include "io/elements.hpp"
#include "io/failure.hpp"
#include "io/idx.hpp"
#include "io/recognise.hpp"

namespace nw::data {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 30;

struct IdxBytes {
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> values;
};

IdxBytes parse_idx(const UnpackedFile& file) {
  const std::string name = file.path.string();
  const auto source = io::view_memory(std::as_bytes(std::span(file.content)), name);
  const auto stream = io::whole(*source);
  const io::ArrayLayout layout = io::read_idx_header(*stream);
  if (layout.type != io::ElementType::u1) {
    io::fail(name, "holds numbers that are not bytes; images and labels are bytes");
  }
  const io::TableShape shape = io::checked_shape(*stream, layout);
  IdxBytes idx{.shape = layout.shape, .values = std::vector<std::uint8_t>(shape.rows * shape.cols)};
  stream->read_exactly(reinterpret_cast<char*>(idx.values.data()), idx.values.size(), "the data");
  stream->expect_end();
  return idx;
}

std::string idx_header(std::span<const std::uint64_t> shape) {
  std::string header{'\0', '\0', '\x08', static_cast<char>(shape.size())};
  for (const std::uint64_t extent : shape) {
    for (int shift = 24; shift >= 0; shift -= 8) header += static_cast<char>(extent >> shift);
  }
  return header;
}

void write_idx(const std::filesystem::path& path, std::span<const std::uint64_t> shape,
               std::span<const std::uint8_t> values) {
  io::write_file_atomically(path, [&](io::FileSink& sink) {
    sink.write(idx_header(shape));
    sink.write({reinterpret_cast<const char*>(values.data()), values.size()});
  });
}

}  // namespace

std::string read_unpacked(const std::filesystem::path& path) {
  const auto file = io::open_file(path, kMostBytes);
  const auto stream = io::content_of(*file);
  std::string content;
  std::vector<char> part(1 << 20);
  for (std::size_t got = part.size(); got == part.size();) {
    got = stream->read(part.data(), part.size());
    content.append(part.data(), got);
    if (content.size() > kMostBytes) io::fail(path.string(), "unpacks to more than 4 GiB");
  }
  return content;
}

ByteImages parse_idx_images(const UnpackedFile& images, const UnpackedFile& labels) {
  IdxBytes pixels = parse_idx(images), classes = parse_idx(labels);
  if (pixels.shape.size() != 3 && pixels.shape.size() != 4) {
    io::fail(images.path.string(), "has ", pixels.shape.size(),
             " dimensions; images have three, or four in colour");
  }
  if (classes.shape.size() != 1) {
    io::fail(labels.path.string(), "has ", classes.shape.size(), " dimensions; labels have one");
  }
  if (classes.values.size() != pixels.shape[0]) {
    io::fail(labels.path.string(), "has ", classes.values.size(), " labels for the ",
             pixels.shape[0], " images of ", images.path.string());
  }
  return {.shape = {.height = pixels.shape[1],
                    .width = pixels.shape[2],
                    .channels = pixels.shape.size() == 4 ? pixels.shape[3] : 1},
          .pixels = std::move(pixels.values),
          .labels = std::move(classes.values)};
}

ByteImages read_idx_images(const std::filesystem::path& images,
                           const std::filesystem::path& labels) {
  return parse_idx_images({images, read_unpacked(images)}, {labels, read_unpacked(labels)});
}

void write_idx_images(const std::filesystem::path& images, const std::filesystem::path& labels,
                      const ByteImages& set) {
  std::vector<std::uint64_t> shape{set.size(), set.shape.height, set.shape.width};
  if (set.shape.channels != 1) shape.push_back(set.shape.channels);
  write_idx(images, shape, set.pixels);
  write_idx(labels, std::array<std::uint64_t, 1>{set.size()}, set.labels);
}

ByteImages take(const ByteImages& set, std::span<const std::size_t> places) {
  ByteImages part{.shape = set.shape, .pixels = {}, .labels = {}};
  part.pixels.reserve(places.size() * set.image_bytes());
  for (const std::size_t i : places) {
    const auto image = set.image(i);
    part.pixels.insert(part.pixels.end(), image.begin(), image.end());
    part.labels.push_back(set.labels[i]);
  }
  return part;
}

std::vector<std::size_t> choose_by_proportions(std::span<const std::uint8_t> labels,
                                               std::span<const int> classes,
                                               std::span<const double> proportions, Rng& rng) {
  require(!classes.empty(), "a subset needs at least one class");
  require(classes.size() == proportions.size(), classes.size(), " classes need as many ",
          "proportions, got ", proportions.size());
  double sum = 0.0;
  for (const double p : proportions) {
    require(std::isfinite(p) && p > 0.0, "proportions must be positive, got ", p);
    sum += p;
  }
  std::vector<std::vector<std::size_t>> members(classes.size());
  double total = std::numeric_limits<double>::max();
  for (std::size_t c = 0; c < classes.size(); ++c) {
    require(std::ranges::count(classes, classes[c]) == 1, "class ", classes[c], " is named twice");
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] == classes[c]) members[c].push_back(i);
    }
    require(!members[c].empty(), "there are no images of class ", classes[c]);
    total = std::min(total, static_cast<double>(members[c].size()) * sum / proportions[c]);
  }
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const double wanted = std::round(total * proportions[c] / sum);
    const auto count = std::min(static_cast<std::size_t>(wanted), members[c].size());
    rng.shuffle(std::span(members[c]));
    places.insert(places.end(), members[c].begin(),
                  members[c].begin() + static_cast<std::ptrdiff_t>(count));
  }
  std::ranges::sort(places);
  return places;
}

}  // namespace nw::data
