// MNIST: found under its public names, known by its content.
#include <array>

#include "nw/base/error.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/data/sha256.hpp"

#include "data/unpacked_file.hpp"
#include "io/failure.hpp"

namespace nw::data {
namespace {

struct KnownFile {
  const char* name;
  const char* digest;  // of the unpacked content
};

constexpr KnownFile kImages[] = {
    {"train-images-idx3-ubyte", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    {"t10k-images-idx3-ubyte", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"}};
constexpr KnownFile kLabels[] = {
    {"train-labels-idx1-ubyte", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    {"t10k-labels-idx1-ubyte", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}};

UnpackedFile read_known(const std::filesystem::path& folder, const KnownFile& known) {
  for (const char* suffix : {"", ".gz"}) {
    const auto path = folder / (std::string(known.name) + suffix);
    if (!std::filesystem::exists(path)) continue;
    UnpackedFile file{.path = path, .content = read_unpacked(path)};
    const std::string digest = sha256(std::as_bytes(std::span(file.content)));
    if (digest != known.digest) {
      io::fail(path.string(), "is not the file of MNIST: its content has SHA-256 ", digest,
               ", not ", known.digest);
    }
    return file;
  }
  io::fail(folder.string(), "has no ", known.name, ", plain or gzipped");
}

}  // namespace

const char* to_string(Split split) {
  return split == Split::train ? "train" : "test";
}

ByteImages load_mnist(const std::filesystem::path& folder, Split split) {
  const std::size_t s = split == Split::train ? 0 : 1;
  const UnpackedFile images = read_known(folder, kImages[s]);
  return parse_idx_images(images, read_known(folder, kLabels[s]));
}

}  // namespace nw::data
