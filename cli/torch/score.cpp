// `nw score IMAGES --against REAL --weights FILE`: how good generated images are.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/app/generation/score_images.hpp"
#include "nw/base/number_text.hpp"

#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"
#include "cli/point_options.hpp"

namespace nw::cli {
namespace {

struct ScoreArguments {
  CommonOptions common;
  PointOptions points;
  app::ScoreOptions options;
  std::string images, real;
};

int run_score(const ScoreArguments& arguments) {
  require_writable(arguments.common.json);
  app::ScoreOptions options = arguments.options;
  options.threads = arguments.common.threads;
  const auto& load = arguments.points.load;
  const auto scores = app::score_image_sets(io::load_points(arguments.images, load),
                                            io::load_points(arguments.real, load), options);
  Json result = start_result("score", arguments.common);
  result.update(Json::parse(app::score_fields(scores)));
  if (arguments.common.human_output() && arguments.common.quiet) {
    std::cout << significant(scores.score) << ' ' << significant(scores.distance) << '\n';
  } else if (arguments.common.human_output()) {
    std::cout << scores.score_name << "  " << significant(scores.score) << " +- "
              << significant(scores.deviation, 2) << '\n'
              << scores.distance_name << "  " << significant(scores.distance) << '\n';
    if (!scores.published) {
      std::cout << "- scores in the space of " << scores.space
                << " compare with each other only, not with published ones\n";
    }
  }
  write_result(arguments.common, result);
  return kDone;
}

}  // namespace

void add_score(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("score", kAboutScore);
  const auto arguments = std::make_shared<ScoreArguments>();
  command->add_option("IMAGES", arguments->images, "Generated images: idx, NPY, sheet or folder")
      ->required();
  command->add_option("--against", arguments->real, "Real images of the same size")
      ->type_name("FILE|FOLDER")
      ->required();
  command
      ->add_option("--weights", arguments->options.weights,
                   "Classifier that scores them: Inception-v3 as torchvision names it, or "
                   "ResNet-56 for CIFAR-10")
      ->type_name("FILE.safetensors")
      ->required();
  command->add_option("--count", arguments->options.count, "The first images of each; 0: all")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--device", arguments->options.device, "Where to compute")
      ->type_name("auto|cpu|cuda")
      ->capture_default_str();
  add_point_options(*command, arguments->points);
  add_common_options(*command, arguments->common);
  command->footer(
      "Examples:\n"
      "  nw sample my-run -n 5000 -o generated.png\n"
      "  nw score generated.png --against cifar10_test_00.jpg --tile 32x32 --weights "
      "resnet56_cifar10.safetensors\n"
      "  nw score made/ --against real/ --weights inception_v3.safetensors --device cuda");
  command->callback(
      [arguments, &context] { context.action = [arguments] { return run_score(*arguments); }; });
}

}  // namespace nw::cli
