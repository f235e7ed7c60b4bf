#include "nw/gan/gan_model.hpp"

#include <nlohmann/json.hpp>

#include "nw/base/error.hpp"
#include "nw/run/run_directory.hpp"
#include "nw/train/state_tensors.hpp"

#include "gan/mgan_game.hpp"
#include "gan/spread_start.hpp"

namespace nw::gan {
namespace {

using Json = nlohmann::ordered_json;
using torch::Tensor;

// Streams of the run's generator; the game splits off the rest by itself.
enum Stream : std::uint64_t { kGenerator = 1, kGame = 2, kStart = 3, kCritic = 4 };

constexpr std::int64_t kStartRows = 2048;
// What the names of a game's tensors begin with that samples come from.
constexpr const char* kSampler = "sampler";

nn::Proportions start_proportions(const GanOptions& options) {
  const std::int64_t k = options.generator.components;
  if (!options.fixed_pi) return nn::Proportions::learnt(k);
  const std::vector<double> uniform(static_cast<std::size_t>(k), 1.0 / static_cast<double>(k));
  return nn::Proportions::fixed(uniform);
}

Json size_json(const nn::ImageSize& size) {
  return {size.height, size.width, size.channels};
}

nn::ImageSize size_from(const Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>(),
          json.at(2).get<std::int64_t>()};
}

}  // namespace

std::unique_ptr<train::Game> make_game(const GanOptions& options, const DataSources& data,
                                       const Rng& rng, const torch::Device& device) {
  options.validate();
  require(!data.empty(), "make_game: no data");
  auto generator = nn::make_mixture_generator(options.generator, rng.split(kGenerator));
  if (options.start == Start::spread) {
    std::vector<Tensor> rows;
    for (std::size_t s = 0; s < data.size(); ++s) {
      train::Draws draws(rng.split(kStart).split(s), torch::kCPU);
      rows.push_back(data[s]->draw(kStartRows, draws));
    }
    generator->place(spread_rows(torch::cat(rows), options.generator.components,
                                 rng.split(kStart).split(data.size())),
                     options.start_scale);
  }
  if (options.method == GanMethod::mgan) {
    require(data.size() == 1, "MGAN learns one data set, got ", data.size());
    return std::make_unique<MganGame>(options, MganGame::Players{std::move(generator), data[0]},
                                      rng.split(kGame), device);
  }
  std::vector<train::Side> sides;
  for (std::size_t s = 0; s < data.size(); ++s) {
    sides.push_back({data[s], nn::make_critic(options.critic, rng.split(kCritic + s)),
                     start_proportions(options)});
  }
  return std::make_unique<train::MixtureGame>(
      options.game, train::Players{std::move(generator), std::move(sides)}, rng.split(kGame),
      device);
}

std::string model_json(const GanOptions& options, const Normalisation& data) {
  const auto& g = options.generator;
  return Json{{"method", to_string(options.method)},
              {"generator", to_string(g.kind)},
              {"components", g.components},
              {"latent_dim", g.latent_dim},
              {"data_dim", g.data_dim},
              {"network_image", size_json(g.image)},
              {"hidden", g.hidden},
              {"channels", g.channels},
              {"shift", data.shift},
              {"scale", data.scale},
              {"image", size_json(data.image)}}
      .dump();
}

bool is_sampled_from(std::string_view name) {
  return name.starts_with(kSampler);
}

std::vector<train::NamedTensor> sampling_state(const train::Game& game) {
  std::vector<train::NamedTensor> tensors;
  for (auto& tensor : game.state()) {
    if (is_sampled_from(tensor.first)) tensors.push_back(std::move(tensor));
  }
  return tensors;
}

TrainedModel restore_model(const run::Checkpoint& checkpoint, const std::string& model,
                           const std::string& source) {
  TrainedModel result;
  nn::MixtureGeneratorOptions options;
  bool uniform = false;
  try {
    const Json json = Json::parse(model);
    options.kind = nn::generator_kind_from_string(json.at("generator").get<std::string>());
    options.components = json.at("components").get<std::int64_t>();
    options.latent_dim = json.at("latent_dim").get<std::int64_t>();
    options.data_dim = json.at("data_dim").get<std::int64_t>();
    options.image = size_from(json.at("network_image"));
    options.hidden = json.at("hidden").get<std::vector<std::int64_t>>();
    options.channels = json.at("channels").get<std::int64_t>();
    result.normalisation = {.shift = json.at("shift").get<std::vector<double>>(),
                            .scale = json.at("scale").get<double>(),
                            .image = size_from(json.at("image")),
                            .padded = options.image};
    uniform = json.at("method") == "mgan";
    options.validate();
  } catch (const nlohmann::json::exception& error) {
    throw IoError(concat(source, ": describes no model: ", error.what()));
  } catch (const InvalidArgument& error) {
    throw IoError(concat(source, ": describes no model: ", error.what()));
  }
  result.step = checkpoint.step;
  result.generator = nn::make_mixture_generator(options, Rng(0));
  std::vector<train::NamedTensor> tensors{{kSampler, result.generator->parameters().flat()}};
  const auto buffers = result.generator->buffers();
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    tensors.emplace_back(concat("sampler.buffer.", b), buffers[b]);
  }
  std::vector<Tensor> logits;
  for (const auto& stored : checkpoint.tensors) {
    if (!stored.name.starts_with("sampler.logits")) continue;
    logits.push_back(torch::zeros({options.components}));
    tensors.emplace_back(concat("sampler.logits", logits.size() - 1), logits.back());
  }
  train::restore(checkpoint, tensors);
  for (const auto& side : logits) {
    const auto pi = at::softmax(side.to(torch::kFloat64), 0);
    result.pi.emplace_back(pi.data_ptr<double>(), pi.data_ptr<double>() + pi.numel());
  }
  if (uniform) {
    const auto k = static_cast<std::size_t>(options.components);
    result.pi.emplace_back(k, 1.0 / static_cast<double>(k));
  }
  return result;
}

TrainedModel load_model(const std::filesystem::path& run, const std::string& model) {
  const auto choice = run::read_newest_checkpoint(run::checkpoint_folder(run));
  if (!choice.checkpoint) throw IoError(concat(run.string(), ": there is no checkpoint yet"));
  return restore_model(*choice.checkpoint, model, concat(run.string(), ": config.json"));
}

TrainedModel::Sample TrainedModel::sample(std::int64_t count, std::size_t side,
                                          const Rng& rng) const {
  require(side < pi.size(), "the run has ", pi.size(), " data sets, there is no number ", side + 1);
  auto drawn = nn::draw_mixture(*generator, pi[side], count, rng);
  return {.rows = normalisation.to_data(drawn.rows), .component_of = std::move(drawn.component_of)};
}

ot::WassersteinResult held_out_distance(const train::Game& game, const HeldOut& held_out,
                                        const Rng& rng) {
  const auto count = static_cast<std::int64_t>(held_out.rows.rows());
  const Matrix generated =
      held_out.normalisation.to_data(game.sample(count, held_out.side, rng).rows);
  ot::WassersteinOptions options;
  options.threads = held_out.threads;
  return ot::wasserstein({.points = held_out.rows}, {.points = generated}, options);
}

}  // namespace nw::gan
