// `nw score IMAGES --against REAL --weights FILE`: how good generated images are.
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"

#include "app/generation/image_scoring.hpp"
#include "app/learning/session.hpp"
#include "cli/commands.hpp"
#include "cli/common_options.hpp"
#include "cli/exit_code.hpp"
#include "cli/hand_over.hpp"
#include "cli/output_file.hpp"
#include "cli/point_options.hpp"
#include "cli/text_table.hpp"

namespace nw::cli {

using namespace app;
namespace {

struct ScoreArguments {
  CommonOptions common;
  PointOptions points;
  std::string images, real, weights, device = "auto";
  std::size_t count = 0;  ///< of each set at most; 0: all
};

SeenImages load_and_see(const ScoreSpace& space, const std::string& file,
                        const ScoreArguments& arguments) {
  const auto points = io::load_points(file, arguments.points.load);
  require(points.image.has_value(), file, ": holds no images (--tile cuts sheets into them)");
  const auto pixels = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  auto rows = bridge::to_tensor(points.values);
  if (arguments.count > 0 && arguments.count < points.size()) {
    rows = rows.narrow(0, 0, pixels(arguments.count));
  }
  return see(
      space, rows,
      {pixels(points.image->height), pixels(points.image->width), pixels(points.image->channels)});
}

int run_score(const ScoreArguments& arguments) {
  require_writable(arguments.common.json);
  start_learning(arguments.common.threads);
  const auto space = load_score_space(arguments.weights, choose_device(arguments.device));
  const auto generated = load_and_see(space, arguments.images, arguments);
  const auto real = load_and_see(space, arguments.real, arguments);
  const auto scores = score_images(generated, score::feature_moments(real.features));
  Json result = start_result("score", arguments.common);
  result["space"] = space.name;
  result["images"] = generated.features.rows();
  result["real_images"] = real.features.rows();
  const bool published = space.is_inception();
  result[published ? "inception_score" : "class_score"] = scores.score.mean;
  result[published ? "inception_score_std" : "class_score_std"] = scores.score.deviation;
  result[published ? "fid" : "frechet_distance"] = scores.distance;
  if (arguments.common.human_output() && arguments.common.quiet) {
    std::cout << significant(scores.score.mean) << ' ' << significant(scores.distance) << '\n';
  } else if (arguments.common.human_output()) {
    std::cout << space.score_name() << "  " << significant(scores.score.mean) << " +- "
              << significant(scores.score.deviation, 2) << '\n'
              << space.distance_name() << "  " << significant(scores.distance) << '\n';
    if (!published) {
      std::cout << "- scores in the space of " << space.name
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
      ->add_option("--weights", arguments->weights,
                   "Classifier that looks at them: Inception-v3 as torchvision names it, or "
                   "ResNet-56 for CIFAR-10")
      ->type_name("FILE.safetensors")
      ->required();
  command->add_option("--count", arguments->count, "The first images of each; 0: all")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--device", arguments->device, "Where to compute")
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
