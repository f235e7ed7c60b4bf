#include "app/generation/image_mixture.hpp"

#include <algorithm>

#include <ATen/Context.h>
#include <nlohmann/json.hpp>

#include "nw/app/generation/sample_file.hpp"
#include "nw/base/error.hpp"
#include "nw/bridge/tensor_matrix.hpp"
#include "nw/gan/component_rows.hpp"
#include "nw/gan/component_start.hpp"
#include "nw/gan/gan_model.hpp"
#include "nw/record/picture.hpp"
#include "nw/train/state_tensors.hpp"
#include "nw/train/training_loop.hpp"

#include "app/learning/session.hpp"

namespace nw::app {
namespace {

constexpr nn::ImageSize kSmallColour{32, 32, 3};

enum Stream : std::uint64_t { kGenerator = 1, kCritic = 2, kStart = 3, kGame = 4, kPicture = 5 };

constexpr io::ImageShape kShape{32, 32, 3};

gan::Normalisation unit_images() {
  return {.shift = std::vector<double>(static_cast<std::size_t>(kSmallColour.count()), 0.5),
          .scale = 0.5,
          .image = kSmallColour,
          .padded = kSmallColour};
}

nn::Proportions start_proportions(const gan::GanOptions& options) {
  const auto k = options.generator.components;
  if (!options.fixed_pi) return nn::Proportions::learnt(k);
  return nn::Proportions::fixed(
      std::vector<double>(static_cast<std::size_t>(k), 1.0 / static_cast<double>(k)));
}

std::unique_ptr<train::MixtureGame> make_mixture_game(const ImageMixtureTask& task, bool begins) {
  const Rng rng(task.seed);
  const auto& options = task.options;
  auto generator = nn::make_mixture_generator(options.generator, rng.split(kGenerator));
  if (begins && !task.start.empty()) {
    generator->to(task.device);
    gan::ComponentStartOptions start;
    if (options.steps < start.steps) start.steps = options.steps;
    gan::start_at_clusters(*generator, {task.rows, task.start}, start, rng.split(kStart));
    generator->to(torch::kCPU);
  }
  std::vector<train::Side> sides;
  sides.push_back({train::table_source(task.rows),
                   nn::make_critic(options.critic, rng.split(kCritic)),
                   start_proportions(options)});
  return std::make_unique<train::MixtureGame>(
      options.game, train::Players{std::move(generator), std::move(sides)}, rng.split(kGame),
      task.device);
}

bool has_checkpoint(const run::RunDirectory& directory) {
  return run::read_newest_checkpoint(run::checkpoint_folder(directory.path()))
      .checkpoint.has_value();
}

ImageMixture read_back(const ImageMixtureTask& task) {
  ImageMixture result{.game = make_mixture_game(task, /*begins=*/false)};
  const auto choice = run::read_newest_checkpoint(run::checkpoint_folder(task.directory->path()));
  if (!choice.checkpoint) {
    throw IoError(concat(task.directory->path().string(), ": is finished but has no checkpoint"));
  }
  train::restore(*choice.checkpoint, result.game->state());
  result.steps = choice.checkpoint->step;
  result.seconds = task.directory->seconds();
  return result;
}

}  // namespace

torch::Tensor ImageMixture::sample(std::int64_t j, std::int64_t count, const Rng& rng) const {
  return gan::component_rows(game->sampler(), j, count, rng);
}

gan::GanOptions image_mixture_options(std::int64_t components, bool quick,
                                      const torch::Device& device) {
  auto options = gan::residual_options(gan::Recipe::best, components, kSmallColour);
  if (quick) {
    options.generator.channels = options.critic.channels = 8;
    options.generator.latent_dim = 8;
    options.game.batch = 8 * components;
    options.game.critic_steps = 2;
    options.steps = 12;
  }
  options.generator.bfloat16 = options.critic.bfloat16 = device.is_cuda();
  return options;
}

Json image_mixture_config(const ImageMixtureTask& task, const std::string& name, bool quick) {
  const auto& options = task.options;
  const auto& game = options.game;
  return {
      {"command", "reproduce"},
      {"case", name},
      {"seed", task.seed},
      {"quick", quick},
      {"rows", task.rows.size(0)},
      {"training_seconds", task.seconds},
      {"steps", options.steps},
      {"start", task.start.empty() ? "random" : "gaussians"},
      {"fixed_pi", options.fixed_pi},
      {"batch", game.batch},
      {"critic_steps", game.critic_steps},
      {"allocation", to_string(game.allocation)},
      {"penalty", game.penalty},
      {"averaging", game.averaging},
      {"diversity", game.diversity},
      {"rates",
       {game.critic.learning_rate, game.generator.learning_rate, game.proportions.learning_rate}},
      {"bfloat16", options.critic.bfloat16},
      {"critic_channels", options.critic.channels},
      {"model", Json::parse(gan::model_json(options, unit_images()))}};
}

ImageMixture train_image_mixture(const ImageMixtureTask& task) {
  task.options.validate();
  at::manual_seed(task.seed);
  if (task.device.is_cuda()) prefer_speed_on_gpus();
  if (task.directory != nullptr && task.directory->finished()) return read_back(task);
  const bool begins = task.directory == nullptr || !has_checkpoint(*task.directory);
  ImageMixture result{.game = make_mixture_game(task, begins)};
  const double before = task.directory != nullptr ? task.directory->seconds() : 0.0;
  bool time_is_up = task.seconds > 0.0 && before >= task.seconds;
  const auto every = [&](std::int64_t times) {
    return std::max<std::int64_t>(1, task.options.steps / times);
  };
  const train::LoopOptions loop{.steps = task.options.steps,
                                .log_every = std::min<std::int64_t>(100, every(10)),
                                .checkpoint_every = std::min<std::int64_t>(2000, every(1))};
  const auto observer = [&](const train::LoopProgress& at) {
    double share = static_cast<double>(at.step) / static_cast<double>(at.steps);
    if (task.seconds > 0.0) {
      share = std::max(share, (before + at.seconds) / task.seconds);
      time_is_up = before + at.seconds >= task.seconds;
    }
    const bool go_on = !task.progress || task.progress(std::min(1.0, share));
    return go_on && !time_is_up;
  };
  const auto played =
      train::play(*result.game, loop, {.directory = task.directory, .observer = observer});
  result.steps = played.steps;
  result.seconds = before + played.seconds;
  result.warnings = played.warnings;
  if (played.end == train::LoopEnd::diverged) {
    result.warnings.push_back("training diverged and was given up");
  }
  result.interrupted = played.end == train::LoopEnd::interrupted && !time_is_up;
  return result;
}

record::Picture picture_of(const ImageMixture& mixture, const ImageMixtureTask& task) {
  constexpr std::int64_t kShown = 10, kKept = 100;
  const auto pi = mixture.pi();
  record::ImageSheet sheet{.lines = {}, .shape = kShape};
  std::string caption = "A line for each component; pi =";
  for (std::size_t j = 0; j < pi.size(); ++j) {
    const auto rows = mixture.sample(static_cast<std::int64_t>(j), kKept,
                                     Rng(task.seed).split(kPicture).split(j));
    const auto unit = (rows + 1.0) / 2.0;
    sheet.lines.push_back(bridge::to_matrix(unit.narrow(0, 0, kShown)));
    caption += concat(" ", std::round(1000.0 * pi[j]) / 1000.0);
    if (task.directory == nullptr) continue;
    const auto file =
        task.directory->sample_file(mixture.steps, concat(".component-", j + 1, ".png"));
    write_sample(file.string(), bridge::to_matrix(unit), {.image = kShape});
  }
  return record::draw_sheet(sheet, "Generated", caption + ".");
}

}  // namespace nw::app
